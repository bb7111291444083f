"""Studies: a question, the matches that answer it, and the report. `docs/lab.md` shows how one is made."""

from triclinium.lab.study.run import Conducted, conduct, plan_of, report
from triclinium.lab.study.study_file import Study, Wanted, read_study

__all__ = ["Conducted", "Study", "Wanted", "conduct", "plan_of", "read_study", "report"]
