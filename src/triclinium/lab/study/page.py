"""Report of a study: one HTML file in every language, made of a summary alone, without script and network."""

from pathlib import Path

from triclinium.engine.game import Game
from triclinium.i18n.catalog import languages
from triclinium.lab.study import charts, sections
from triclinium.lab.study.compare import is_share
from triclinium.lab.study.report import (
    CONFIRM,
    Report,
    ban_texts,
    banned_name,
    chip_text,
    components_text,
    difference_texts,
    owners_texts,
    sure,
    taken_text,
)
from triclinium.lab.study.report_text import Page
from triclinium.lab.study.runner import EVERY
from triclinium.lab.study.screening import Screening
from triclinium.lab.study.summary import Summary

STYLE = Path(__file__).with_name("style.css")
TEXTS = (ban_texts, banned_name, chip_text, components_text, difference_texts, owners_texts, sure, taken_text)
LANGUAGE_NAMES = {"en": "English", "fr": "Français"}


def report_html(
    game: Game, summary: Summary, study: str, language: str = "en", screening: Screening | None = None
) -> str:
    """Return the whole page; ``study`` is the study file, ``language`` the one that is shown first."""
    page = Page(game)
    report = Report(game, summary)
    known: dict[str, object] = {function.__name__: function for function in TEXTS}
    known |= {
        "report": report,
        "summary": summary,
        "screening": screening,
        "study": study,
        "title": game.words.reader(language).say(game.name),
        "language": language,
        "languages": [(one, LANGUAGE_NAMES.get(one, one)) for one in languages()],
        "style": STYLE.read_text(encoding="utf-8"),
        "listed": sections.sections_of(report, screening),
        "sections": sections,
        "confirm": CONFIRM,
        "drawing": charts,
        "is_share": is_share,
        "every": EVERY,
    }
    return page.render("study.jinja", known)
