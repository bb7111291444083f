"""Studies: a question, the matches that answer it, and the report. `docs/lab.md` shows how to run one."""

from triclinium.engine.extras import name_extra

with name_extra("lab", "triclinium.lab.study"):
    from triclinium.lab.study.run import make_plan, rebuild_report, run_study
    from triclinium.lab.study.study_file import EditionRequest, Study, read_study
    from triclinium.lab.study.summary import StudyResult

__all__ = ["EditionRequest", "Study", "StudyResult", "make_plan", "read_study", "rebuild_report", "run_study"]
