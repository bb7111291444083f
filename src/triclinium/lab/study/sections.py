"""Sections of a report, and the rows that their tables and drawings show; the templates lay them out."""

from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.lab.study.charts import Dot
from triclinium.lab.study.choices import Option
from triclinium.lab.study.compare import FALLS, OPEN, RISES, SAME, SMALL, Difference, is_share
from triclinium.lab.study.components import ThingReport
from triclinium.lab.study.deal_luck import WINS, Replayed
from triclinium.lab.study.figures import KINDS, SHARE
from triclinium.lab.study.plan import BAN, LADDER
from triclinium.lab.study.report import Report, banned_name, difference_texts
from triclinium.lab.study.report_text import (
    Sayable,
    Text,
    _,
    count,
    counted,
    decimal,
    in_a_row,
    interval,
    joined,
    name,
    percent,
)
from triclinium.lab.study.screening import OFFERED, Effect, Screening
from triclinium.lab.study.statistics import Estimate, deals_to_tell
from triclinium.lab.study.summary import ArmReport

STEPS = 9  # that the table of choices names, those that ask most
OPTIONS = 7  # of each
NAMED_THINGS = 10  # most and least wanted cards and places that a short table lists
NAMED = 24  # options that nobody takes
FEWEST_THINGS = 4  # below which a list of cards and places says nothing
COURSE = ("behind", "kings", "control", "uncertainty", "shared", "half", "decided", "changes", "variety", "rounds")


@dataclass(frozen=True)
class Section:
    """A question of the designer: the template that answers it, its name in the contents, and its heading."""

    id: str
    short: Text
    heading: Text


def sections_of(report: Report, screening: Screening | None) -> list[Section]:
    """Return the sections that a report has, in their order."""
    fine = Section("fine", _("Fine print"), _("Fine print"))
    kind = report.summary.kind
    if kind == BAN:
        return [_plain("need", _("Which actions does one need?")), fine]
    if kind == LADDER:
        return [_plain("skill", _("How much is skill?")), fine]
    if screening is not None:
        return [_plain("numbers", _("Which numbers matter?")), fine]
    found = [
        _plain("short", _("In short")),
        _plain("change", _("What the change does")),
        Section("seats", _("Seats"), _("Is a seat favoured?")),
        Section("length", _("Length and width"), _("How long, and how wide?")),
        Section("points", _("Points"), _("Where do points come from?")),
        Section("choices", _("What is taken"), _("What is taken, and what wins?")),
        Section("things", _("Cards and places"), _("Which cards and places are taken?")),
        Section("course", _("The course of a match"), _("When is it decided?")),
        Section("luck", _("Luck of the deal"), _("How much does the deal say?")),
        Section("sure", _("How sure is this?"), _("How sure is this, and how many matches does it take?")),
        fine,
    ]
    empty = set()
    if report.is_lone:
        empty.add("change")
    if not report.game.has_points or not report.summary.main[0].lines:
        empty.add("points")
    if len(wanted_components(report)) < FEWEST_THINGS:
        empty.add("things")
    return [one for one in found if one.id not in empty]


def _plain(id: str, heading: Text) -> Section:
    return Section(id, heading, heading)


# -- what the change does -------------------------------------------------------------------------------------------


def change_answer(report: Report) -> Text:
    found = report.summary.differences
    moved = [one for one in found if one.verdict in (RISES, FALLS)]
    still = sum(one.verdict in (SAME, SMALL) for one in found)
    unsettled = sum(one.verdict == OPEN for one in found)
    start = _("None of {0} figures moves beyond doubt.", count(len(found)))
    if moved:
        figures = joined([report.figure(one.figure) for one in moved])
        start = counted("{1} of {2} figures {0:moves|move} beyond doubt: {3}.", len(moved), count(len(found)), figures)
    rest = _("No change that matters: {0}. Not settled: {1}.", count(still), count(unsettled))
    return in_a_row([start, rest])


def effect_reach(one: Difference) -> float:
    """Return how far the small drawing of a difference reaches to either side of zero."""
    checked = [abs(one.check.value)] if one.check is not None else []
    reach = max([one.band * 2.2, abs(one.family.low), abs(one.family.high), *checked])
    return min(reach, max(one.band * 6, abs(one.family.value) * 2.2))


# -- seats and points -----------------------------------------------------------------------------------------------


def seat_dots(report: Report) -> list[Dot]:
    summary = report.summary
    rows: list[Dot] = []
    for place in range(summary.seats):
        for i, arm in enumerate(summary.main[:2]):
            rows.append(_seat_dot(report.place(place) if i == 0 else name(""), arm.places[place], "ab"[i]))
        for arm in summary.check[:1]:
            rows.append(_seat_dot(_("{0} bots", name(report.others)), arm.places[place], "a", True))
    return rows


def _seat_dot(label: Sayable, one: Estimate, shape: str, hollow: bool = False) -> Dot:
    return Dot(label, one, shape, percent(one.value), interval(one, True, 0), count(one.n) if hollow else None, hollow)


def point_bars(report: Report) -> list[tuple[Sayable, Sequence[float]]]:
    """Return the mean points by line of winners and of the others, for each edition."""
    groups = [one.group for one in report.summary.main[0].lines]
    rows: list[tuple[Sayable, Sequence[float]]] = []
    for i, arm in enumerate(report.summary.main[:2]):
        points = {one.group: one for one in arm.lines}
        here = [points[group] for group in groups if group in points]
        of = report.edition(i)
        rows.append((_("winners") if report.is_lone else _("winners, {0}", of), [one.winners for one in here]))
        rows.append((_("others") if report.is_lone else _("others, {0}", of), [one.others for one in here]))
    return rows


# -- choices and components -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChoiceRow:
    """An option in the table of choices, with its rates in the other arms: the rate, the shape, whether hollow."""

    option: Option
    name: Sayable
    marks: Sequence[tuple[float, str, bool]]


def choice_rows(report: Report) -> list[tuple[Sayable, list[ChoiceRow]]]:
    """Return the most frequent options of the steps that ask most, by step."""
    summary = report.summary
    steps = [one.step for one in summary.main[0].asked if one.options > 1][:STEPS]
    others = [
        {(one.step, one.option): one for one in summary.options[key]} for key in sorted(summary.options) if key != "0"
    ]
    found: list[tuple[Sayable, list[ChoiceRow]]] = []
    for step in steps:
        options = [one for one in summary.options["0"] if one.step == step]
        here = sorted(options, key=lambda one: (-one.taken, one.option))[:OPTIONS]
        names = report.options(step, [one.option for one in here])
        here.sort(key=lambda one: (-one.rate, one.option))
        rows = [ChoiceRow(one, names[one.option], _marks(report, one, others)) for one in here]
        found.append((report.step(step), rows))
    return found


def _marks(
    report: Report, one: Option, others: Sequence[dict[tuple[str, str], Option]]
) -> list[tuple[float, str, bool]]:
    marks: list[tuple[float, str, bool]] = []
    for i, found in enumerate(others):
        other = found.get((one.step, one.option))
        if other is not None:
            diamond = not report.is_lone and i == 0
            marks.append((other.rate, "b" if diamond else "a", not diamond))
    return marks


def never_names(report: Report) -> list[Text]:
    """Return the options that nobody takes, by step, as many as a note can name."""
    flags = report.never_taken[:NAMED]
    texts: list[Text] = []
    for step in dict.fromkeys(one.step for one in flags):
        here = [one.option for one in flags if one.step == step]
        names = report.options(step, here)
        texts.append(_("{0} ({1})", joined([names[one] for one in here]), report.step(step)))
    return texts


def wanted_components(report: Report) -> list[ThingReport]:
    """Return the components that are on offer often enough, the most wanted first."""
    summary = report.summary
    matches = max(1, summary.component_matches)
    rows = [one for one in summary.things if summary.all_components or one.offered >= matches / 4]
    return sorted(rows, key=lambda one: (-one.taken_share.value, one.table, one.id))


def listed_components(report: Report) -> list[ThingReport]:
    """Return all of them, or the most and the least wanted and all between that stand out."""
    ordered = wanted_components(report)
    if report.summary.all_components or len(ordered) <= 2 * NAMED_THINGS:
        return ordered
    middle = [one for one in ordered[NAMED_THINGS:-NAMED_THINGS] if one.stands_out]
    return [*ordered[:NAMED_THINGS], *middle, *ordered[-NAMED_THINGS:]]


# -- course and luck ------------------------------------------------------------------------------------------------


def course_rows(report: Report) -> list[tuple[str, list[Estimate], int]]:
    """Return the figures of the course of a match: each edition's estimate, and how many digits its interval has."""
    main = report.summary.main[:2]
    known = main[0].figures
    rows: list[tuple[str, list[Estimate], int]] = []
    for figure in COURSE:
        if figure in known and known[figure].n > 0:
            digits = KINDS[figure].digits
            digits = max(1, digits) if is_share(figure) else digits
            rows.append((figure, [arm.figures[figure] for arm in main], digits))
    return rows


def luck_dots(report: Report, found: Replayed) -> list[Dot]:
    rows: list[Dot] = []
    for figure, one in found.explained.items():
        label = _("who wins") if figure == WINS else report.figure(figure)
        rows.append(Dot(label, one, "a", percent(one.value, 0), interval(one, True, 0)))
    return rows


# -- certainty ------------------------------------------------------------------------------------------------------


def needed_rows(report: Report) -> list[tuple[Text, list[Text]]]:
    """Return what a difference of the size of the band would take, with separate deals and with shared ones."""
    rows: list[tuple[Text, list[Text]]] = []
    for one in report.summary.differences:
        if one.edition > 1 or one.alone.error == 0:
            continue
        deviation = one.alone.error * one.alone.n**0.5
        band = percent(one.band, 1) if is_share(one.figure) else decimal(one.band, max(1, KINDS[one.figure].digits))
        shared = count(deals_to_tell(deviation, one.band))
        cells = [band, shared]
        if not report.is_lone:
            apart = deviation / max(1e-9, (1 - one.saved)) ** 0.5
            separate = count(deals_to_tell(apart, one.band))
            cells = [band, separate, shared, percent(one.saved, 0), decimal(one.correlation, 2, True)]
        rows.append((report.figure(one.figure), cells))
    return rows


# -- restricted play, skill and screening ---------------------------------------------------------------------------


def bans_of(report: Report) -> tuple[list[ArmReport], list[ArmReport]]:
    """Return the arms of restricted play, the most needed first, and those of the other bots in the same order."""
    summary = report.summary
    main = sorted((one for one in summary.main if one.ban), key=lambda one: (one.focus.value, one.arm.name))
    check = {one.arm.name: one for one in summary.check if one.ban}
    return main, [check[one.arm.name] for one in main if one.arm.name in check]


def ban_answer(report: Report, main: Sequence[ArmReport]) -> Text:
    needed = [banned_name(report, one) for one in main if one.ban and one.ban.difference.high < 0]
    harmful = [banned_name(report, one) for one in main if one.ban and one.ban.difference.low > 0]
    parts: list[Text] = []
    if needed:
        parts.append(_("Without these a player wins less: {0}.", joined(needed)))
    if harmful:
        parts.append(_("Without these a player wins more: {0}.", joined(harmful)))
    return in_a_row(parts) if parts else _("No ban changes a player’s wins beyond doubt.")


def ban_dots(report: Report, main: Sequence[ArmReport], check: Sequence[ArmReport]) -> list[Dot]:
    others = {one.arm.name: one for one in check}
    rows: list[Dot] = []
    for one in main:
        rows.append(_focus_dot(_("never {0}", banned_name(report, one)), one, "b"))
        if one.arm.name in others:
            rows.append(_focus_dot(_("{0} bots", name(report.others)), others[one.arm.name], "a"))
    return rows


def ladder_dots(report: Report) -> list[Dot]:
    return [
        _focus_dot(_("one {0} among {1}", name(one.arm.bots[0]), name(one.arm.bots[1])), one, "b")
        for one in report.summary.main
    ]


def _focus_dot(label: Sayable, one: ArmReport, shape: str) -> Dot:
    """Return the row of a bot that an arm asks about."""
    share = one.focus
    bounds = in_a_row([interval(share, True, 0), in_a_row([name("n"), count(share.n)], "\N{NO-BREAK SPACE}")], ", ")
    return Dot(label, share, shape, percent(share.value, 0), bounds, hollow=shape == "a")


def effect_dots(report: Report, figure: str, found: Sequence[Effect]) -> list[Dot]:
    """Return the numbers that move a figure most."""
    share = KINDS[figure].unit == SHARE
    rows: list[Dot] = []
    for one in found[:OFFERED]:
        label = _("{0} {1}…{2}", report.number_name(one.path), name(f"{one.low}"), name(f"{one.high}"))
        shape = "b" if one.estimate.excludes_zero else "a"
        rows.append(Dot(label, one.estimate, shape, *difference_texts(one.estimate, share, 1)))
    return rows


def effect_counts(report: Report, screening: Screening) -> Text:
    """Return how many numbers move each figure beyond doubt."""
    counts: list[Text] = []
    for figure, found in screening.effects.items():
        sure = sum(one.estimate.excludes_zero for one in found)
        counts.append(_("{0}: {1}", report.figure(figure), count(sure)))
    return joined(counts)
