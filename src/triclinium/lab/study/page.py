"""The report: one HTML file in every language, made of a summary alone. It needs no script and no network."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.i18n.catalog import languages
from triclinium.lab.study.plan import BAN, LADDER
from triclinium.lab.study.report import Report
from triclinium.lab.study.screen import Screening
from triclinium.lab.study.sections import change_section, short_section
from triclinium.lab.study.sections_figures import length_section, points_section, seats_section
from triclinium.lab.study.sections_luck import luck_section
from triclinium.lab.study.sections_play import choices_section, course_section, things_section
from triclinium.lab.study.sections_sure import fine_section, sure_section
from triclinium.lab.study.sections_tests import ban_section, ladder_section, screen_section
from triclinium.lab.study.summary import Summary
from triclinium.lab.study.voice import Page, Text, _, count, counted, name, percent

STYLE = Path(__file__).with_name("style.css")
TONGUES = {"en": "English", "fr": "Français"}


@dataclass(frozen=True)
class Section:
    """A question of the designer: its place in the page, its heading, what stands under it."""

    id: str
    short: Text
    heading: Text
    inner: str


def report_html(
    game: Game, summary: Summary, study: str, language: str = "en", screening: Screening | None = None
) -> str:
    """The whole page; ``study`` is the study file, ``language`` the one that is shown first."""
    page = Page(game)
    report = Report(page, game, summary)
    parts = [part for part in _sections(report, study, screening) if part.inner]
    contents = "".join(f'<li><a href="#{part.id}">{page.t(part.short)}</a></li>' for part in parts)
    body = "".join(
        f'<section id="{part.id}"><h2 id="{part.id}-h">{page.t(part.heading)}</h2>{part.inner}</section>'
        for part in parts
    )
    title = game.words.reader(language).say(game.name)
    names = ", ".join(edition.name for edition in summary.editions[:3])
    footer = _(
        "Made by Triclinium’s designer’s lab. Matches, choices and moments lie beside this page as Parquet; "
        "summary.json holds every figure on it."
    )
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}: {escape(names)}</title><style>{STYLE.read_text(encoding='utf-8')}{_tongues()}</style>"
        f'</head><body data-title="{escape(game.id)}"><header>{_switch(language)}</header><div class="page">'
        f'<nav aria-label="Triclinium"><div class="brand">Triclinium</div><ol>{contents}</ol></nav>'
        f"<main>{_header(report)}{body}<footer>{page.t(footer)}</footer></main></div></body></html>\n"
    )


def _tongues() -> str:
    """Of all languages that are in the page one is seen."""
    return "".join(f"body:has(#in-{one}:not(:checked)) [lang={one}]{{display:none}}" for one in languages())


def _switch(language: str) -> str:
    choices = "".join(
        f'<label><input type="radio" name="language" id="in-{one}"{" checked" if one == language else ""}>'
        f"{TONGUES.get(one, one)}</label>"
        for one in languages()
    )
    return f'<fieldset class="language"><legend class="gone">Language, langue</legend>{choices}</fieldset>'


def _sections(report: Report, study: str, screening: Screening | None) -> list[Section]:
    fine = Section("fine", _("Fine print"), _("Fine print"), fine_section(report, study))
    kind = report.summary.kind
    if kind == BAN:
        heading = _("Which actions does one need?")
        return [Section("need", heading, heading, ban_section(report)), fine]
    if kind == LADDER:
        heading = _("How much is skill?")
        return [Section("skill", heading, heading, ladder_section(report)), fine]
    if screening is not None:
        heading = _("Which numbers matter?")
        return [Section("numbers", heading, heading, screen_section(report, screening)), fine]
    return [
        Section("short", _("In short"), _("In short"), short_section(report)),
        Section("change", _("What the change does"), _("What the change does"), change_section(report)),
        Section("seats", _("Seats"), _("Is a seat favoured?"), seats_section(report)),
        Section("length", _("Length and width"), _("How long, and how wide?"), length_section(report)),
        Section("points", _("Points"), _("Where do points come from?"), points_section(report)),
        Section("choices", _("What is taken"), _("What is taken, and what wins?"), choices_section(report)),
        Section("things", _("Cards and places"), _("Which cards and places are taken?"), things_section(report)),
        Section("course", _("The course of a match"), _("When is it decided?"), course_section(report)),
        Section("luck", _("Luck of the deal"), _("How much does the deal say?"), luck_section(report)),
        Section(
            "sure",
            _("How sure is this?"),
            _("How sure is this, and how many matches does it take?"),
            sure_section(report),
        ),
        fine,
    ]


def _header(report: Report) -> str:
    page, summary = report.page, report.summary
    arms = summary.main
    bots = ", ".join(dict.fromkeys(one.arm.kind for one in arms))
    facts: list[Text] = [
        counted(msgid("{1} {0:seat|seats}"), summary.seats),
        _("bots: {0}", name(bots)),
        counted(msgid("{1} {0:deal|deals}"), summary.deals),
        counted(msgid("{1} {0:match|matches}"), summary.matches),
        _("seed {0}", name(str(summary.seed))),
        _("rules version {0}", name(str(summary.version))),
        _("components {0}", name(", ".join(one.hash[:8] for one in summary.editions[:3]))),
    ]
    chips = "".join(f'<span class="chip">{page.t(fact)}</span>' for fact in facts)
    return (
        f'<div class="mast"><div><div class="kick">{page.t(_("Designer’s lab · study"))}</div>'
        f'<h1>{page.t(report.game.name)}</h1><p class="lede">{page.t(report.question())}</p></div>'
        f"{_answer(report)}</div>"
        f'{_warnings(report)}<div class="facts">{chips}</div>{_changes(report)}'
    )


def _answer(report: Report) -> str:
    """The main figure beside the title, with what it means; a verdict that is open is said as large."""
    page, summary = report.page, report.summary
    if not summary.differences:
        return ""
    main = report.main()
    before = (
        ""
        if len(summary.editions) < 2
        else (f'<span><i class="k a"></i>{page.t(percent(main.before.value, 0))}</span><span class="soft">→</span>')
    )
    said = report.answer(main)
    return (
        f'<div class="plate"><h2>{page.t(_("The answer"))}</h2><div class="values">{before}'
        f'<span><i class="k b"></i>{page.t(percent(main.after.value, 0))}</span></div>'
        f"{''.join(page.p(one) for one in said)}</div>"
    )


def _warnings(report: Report) -> str:
    page, summary = report.page, report.summary
    found: list[Text] = []
    if summary.warning:
        same = min(summary.arms, key=lambda one: one.different / max(1, one.matches))
        found.append(
            _(
                "Many of these matches are the same match: {0} different ones of {1}. Intervals count those alone.",
                count(same.different),
                count(same.matches),
            )
        )
    if summary.interrupted:
        found.append(
            _("This study is not finished: {0} of {1} deals were played.", count(summary.deals), count(summary.planned))
        )
    if report.summary.refitted:
        found.append(_("The bots were fitted to each edition before they played it, to the printed one too."))
    elif report.far_from_print():
        found.append(
            _(
                "A number moves by more than a third. The bots learnt the printed game; they may play this one badly. "
                "With --refit they learn each edition first."
            )
        )
    faults = sum(one.faults for one in summary.arms)
    if faults:
        found.append(
            counted(msgid("{1} {0:time|times} a bot failed and a legal option was taken in its place."), faults)
        )
    return "".join(f'<p class="warning">{page.t(one)}</p>' for one in found)


def _changes(report: Report) -> str:
    """Changed numbers as the designer typed them."""
    page = report.page
    cards: list[str] = []
    for edition in report.summary.editions:
        for change in edition.changes:
            of = f" <span class=soft>({escape(edition.name)})</span>" if len(report.summary.editions) > 2 else ""
            cards.append(
                f'<div class="change"><div>{page.t(report.number_name(change.path))}</div>'
                f'<div class="values"><i>{escape(str(change.printed))} →</i> {escape(str(change.value))}</div>'
                f"<code>{escape(change.path)}</code>"
                f"{of}</div>"
            )
    return f'<div class="changes">{"".join(cards[:24])}</div>' if cards else ""
