"""Report of a study: one HTML file in every language, made from a summary, without scripts or network access."""

from pathlib import Path

from triclinium.engine.game import Game
from triclinium.i18n.catalog import list_languages
from triclinium.lab.study import charts, sections
from triclinium.lab.study.compare import is_share
from triclinium.lab.study.report import (
    CONFIRM_TEXT,
    StudyReport,
    ban_texts,
    banned_name,
    chip_text,
    components_text,
    confidence_text,
    difference_texts,
    effect_texts,
    owners_texts,
    taken_text,
)
from triclinium.lab.study.report_text import ReportPage
from triclinium.lab.study.runner import INTERIM_EVERY
from triclinium.lab.study.screening import Screening
from triclinium.lab.study.summary import StudySummary

STYLE = Path(__file__).with_name("style.css")
TEXT_FUNCTIONS = (
    ban_texts,
    banned_name,
    chip_text,
    components_text,
    difference_texts,
    owners_texts,
    confidence_text,
    taken_text,
)
LANGUAGE_NAMES = {"en": "English", "fr": "Français"}


def render_report(
    game: Game, summary: StudySummary, study: str, language: str = "en", screening: Screening | None = None
) -> str:
    """Return the whole page.

    ``study`` is the text of the study file, and ``language`` is the language that is shown first.
    """
    page = ReportPage(game)
    report = StudyReport(game, summary)
    context: dict[str, object] = {function.__name__: function for function in TEXT_FUNCTIONS}
    context |= {
        "report": report,
        "summary": summary,
        "screening": screening,
        "study": study,
        "title": game.words.reader(language).format_arg(game.name),
        "language": language,
        "languages": [(code, LANGUAGE_NAMES.get(code, code)) for code in list_languages()],
        "style": STYLE.read_text(encoding="utf-8"),
        "listed": sections.list_sections(report, screening),
        "sections": sections,
        "confirm": CONFIRM_TEXT,
        "effect_texts": effect_texts,
        "drawing": charts,
        "is_share": is_share,
        "every": INTERIM_EVERY,
    }
    return page.render("study.jinja", context)
