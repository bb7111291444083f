"""Sections of a report and the rows of their tables and charts; the templates do the layout."""

from collections.abc import Sequence
from dataclasses import dataclass

from triclinium.engine.core.text import msgid
from triclinium.lab.study.charts import DotRow
from triclinium.lab.study.choices import OptionReport
from triclinium.lab.study.compare import FALLS, RISES, SAME, SMALL, UNDECIDED, Difference, is_share
from triclinium.lab.study.components import ComponentReport
from triclinium.lab.study.deal_luck import WINS, DealLuck
from triclinium.lab.study.figures import FIGURE_KINDS, SHARE
from triclinium.lab.study.place_maps import PlaceMap
from triclinium.lab.study.places import PlaceReport
from triclinium.lab.study.report import StudyReport, banned_name, difference_texts
from triclinium.lab.study.report_text import (
    Text,
    TextLike,
    _,
    concatenate_texts,
    count,
    decimal,
    interval_text,
    join_texts,
    literal_name,
    percent,
    plural_text,
)
from triclinium.lab.study.screening import SHOWN_NUMBERS, Screening, ScreeningEffect
from triclinium.lab.study.statistics import Estimate, count_deals_to_detect
from triclinium.lab.study.study_file import BAN, LADDER
from triclinium.lab.study.summary import ArmReport

MAX_STEPS = 9  # maximum number of steps in the table of choices
MAX_OPTIONS = 7  # maximum number of options shown for each step
MAX_COMPONENTS = 10  # length of each end of the short table: the most and the least wanted components
MAX_NEVER_TAKEN = 24  # maximum number of never-taken options in the note
MIN_TIMES = 0.1  # places that a match chooses less often are only in summary.json
MAX_PLACES = 24  # places in the table; on a larger board, only the most chosen ones and those that clearly differ
MAX_NAMED_PLACES = 5  # places that a sentence names
MIN_COMPONENTS = 4  # minimum number of components for a table of cards and places
TIMELINE_FIGURES = (
    "behind",
    "kings",
    "control",
    "uncertainty",
    "shared",
    "half",
    "decided",
    "changes",
    "variety",
    "rounds",
)


@dataclass(frozen=True)
class ReportSection:
    """A section of a report: the id of its template, its name in the table of contents, and its heading."""

    id: str
    short: Text
    heading: Text


def list_sections(report: StudyReport, screening: Screening | None) -> list[ReportSection]:
    """Return the sections of a report in their order."""
    fine = ReportSection("fine", _("Methods and details"), _("Methods and details"))
    kind = report.summary.kind
    if kind == BAN:
        return [_simple_section("need", _("Which actions are needed to win?")), fine]
    if kind == LADDER:
        return [_simple_section("skill", _("How much does skill decide?")), fine]
    if screening is not None:
        return [_simple_section("numbers", _("Which numbers matter?")), fine]
    sections = [
        _simple_section("short", _("Summary")),
        _simple_section("change", _("Effect of the change")),
        ReportSection("seats", _("Seats"), _("Does a seat have an advantage?")),
        ReportSection("length", _("Length and options"), _("How long is a match, and how many options are there?")),
        ReportSection("points", _("Points"), _("Where do points come from?")),
        ReportSection("choices", _("Choices"), _("Which options are taken, and which win?")),
        ReportSection("things", _("Cards and places"), _("Which cards and places are taken?")),
        ReportSection("places", _("Places on the board"), _("Which places do players choose?")),
        ReportSection("course", _("Course of a match"), _("When is the winner decided?")),
        ReportSection("luck", _("Luck of the deal"), _("How much does the deal decide?")),
        ReportSection("sure", _("Certainty"), _("How certain are the results, and how many matches do they need?")),
        fine,
    ]
    empty = set()
    if report.has_one_edition:
        empty.add("change")
    if not report.game.has_points or not report.summary.main_arms[0].lines:
        empty.add("points")
    if len(components_by_demand(report)) < MIN_COMPONENTS:
        empty.add("things")
    if report.place_map is None or not any(place.times[0].value for place in report.summary.places):
        empty.add("places")
    return [section for section in sections if section.id not in empty]


def _simple_section(id: str, heading: Text) -> ReportSection:
    return ReportSection(id, heading, heading)


# -- what the change does -------------------------------------------------------------------------------------------


def change_text(report: StudyReport) -> Text:
    differences = report.summary.differences
    moved = [difference for difference in differences if difference.verdict in (RISES, FALLS)]
    still = sum(difference.verdict in (SAME, SMALL) for difference in differences)
    unsettled = sum(difference.verdict == UNDECIDED for difference in differences)
    start = _("None of {0} figures clearly changes.", count(len(differences)))
    if moved:
        figures = join_texts([report.figure_name(difference.figure) for difference in moved])
        start = plural_text(
            "{1} of {2} figures clearly {0:changes|change}: {3}.", len(moved), count(len(differences)), figures
        )
    rest = _("No meaningful change: {0}. Not settled: {1}.", count(still), count(unsettled))
    return concatenate_texts([start, rest])


def effect_range(difference: Difference) -> float:
    """Return how far the small chart of a difference reaches to either side of zero."""
    checked = [abs(difference.check.value)] if difference.check is not None else []
    half_range = max([difference.band * 2.2, abs(difference.family.low), abs(difference.family.high), *checked])
    return min(half_range, max(difference.band * 6, abs(difference.family.value) * 2.2))


# -- seats and points -----------------------------------------------------------------------------------------------


def seat_dots(report: StudyReport) -> list[DotRow]:
    summary = report.summary
    rows: list[DotRow] = []
    for place in range(summary.seats):
        for i, arm in enumerate(summary.main_arms[:2]):
            rows.append(
                _build_seat_dot(report.place_name(place) if i == 0 else literal_name(""), arm.places[place], "ab"[i])
            )
        for arm in summary.check_arms[:1]:
            rows.append(_build_seat_dot(_("{0} bots", literal_name(report.check_bots)), arm.places[place], "a", True))
    return rows


def _build_seat_dot(label: TextLike, estimate: Estimate, shape: str, hollow: bool = False) -> DotRow:
    return DotRow(
        label,
        estimate,
        shape,
        percent(estimate.value),
        interval_text(estimate, True, 0),
        count(estimate.n) if hollow else None,
        hollow,
    )


def point_bars(report: StudyReport) -> list[tuple[TextLike, Sequence[float]]]:
    """Return the mean points by line of winners and of the others, for each edition."""
    groups = [line.group for line in report.summary.main_arms[0].lines]
    rows: list[tuple[TextLike, Sequence[float]]] = []
    for i, arm in enumerate(report.summary.main_arms[:2]):
        points = {line.group: line for line in arm.lines}
        here = [points[group] for group in groups if group in points]
        edition_name = report.edition_name(i)
        rows.append(
            (
                _("winners") if report.has_one_edition else _("winners, {0}", edition_name),
                [line.winners for line in here],
            )
        )
        rows.append(
            (_("others") if report.has_one_edition else _("others, {0}", edition_name), [line.others for line in here])
        )
    return rows


# -- choices and components -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChoiceRow:
    """An option in the table of choices, with its rate in the other arms as marks (rate, shape, hollow or not)."""

    option: OptionReport
    name: TextLike
    marks: Sequence[tuple[float, str, bool]]


def choice_rows(report: StudyReport) -> list[tuple[TextLike, list[ChoiceRow]]]:
    """Return the most frequent options of the steps that are asked most, by step."""
    summary = report.summary
    steps = [item.step for item in summary.main_arms[0].asked if item.options > 1][:MAX_STEPS]
    others = [
        {(item.step, item.option): item for item in summary.options[key]}
        for key in sorted(summary.options)
        if key != "0"
    ]
    row_groups: list[tuple[TextLike, list[ChoiceRow]]] = []
    for step in steps:
        options = [item for item in summary.options["0"] if item.step == step]
        here = sorted(options, key=lambda item: (-item.taken, item.option))[:MAX_OPTIONS]
        names = report.option_names(step, [item.option for item in here])
        here.sort(key=lambda item: (-item.rate, item.option))
        rows = [ChoiceRow(item, names[item.option], _build_option_marks(report, item, others)) for item in here]
        row_groups.append((report.step_name(step), rows))
    return row_groups


def _build_option_marks(
    report: StudyReport, option: OptionReport, others: Sequence[dict[tuple[str, str], OptionReport]]
) -> list[tuple[float, str, bool]]:
    marks: list[tuple[float, str, bool]] = []
    for i, arm_options in enumerate(others):
        other = arm_options.get((option.step, option.option))
        if other is not None:
            diamond = not report.has_one_edition and i == 0
            marks.append((other.rate, "b" if diamond else "a", not diamond))
    return marks


def never_taken_texts(report: StudyReport) -> list[Text]:
    """Return the never-taken options by step, as many as a note can name."""
    flags = report.never_taken[:MAX_NEVER_TAKEN]
    texts: list[Text] = []
    for step in dict.fromkeys(item.step for item in flags):
        here = [item.option for item in flags if item.step == step]
        names = report.option_names(step, here)
        texts.append(_("{0} ({1})", join_texts([names[item] for item in here]), report.step_name(step)))
    return texts


def components_by_demand(report: StudyReport) -> list[ComponentReport]:
    """Return the components that are on offer often enough, the most wanted first."""
    summary = report.summary
    matches = max(1, summary.component_matches)
    rows = [component for component in summary.things if summary.all_components or component.offered >= matches / 4]
    return sorted(rows, key=lambda component: (-component.taken_share.value, component.table, component.id))


def table_components(report: StudyReport) -> list[ComponentReport]:
    """Return the components for the report's table: all of them, or the two ends of a long list.

    Components with a clear effect are always included.
    """
    ordered = components_by_demand(report)
    if report.summary.all_components or len(ordered) <= 2 * MAX_COMPONENTS:
        return ordered
    middle = [component for component in ordered[MAX_COMPONENTS:-MAX_COMPONENTS] if component.differs_from_fair]
    return [*ordered[:MAX_COMPONENTS], *middle, *ordered[-MAX_COMPONENTS:]]


# -- places ---------------------------------------------------------------------------------------------------------


def places_text(report: StudyReport, place_map: PlaceMap) -> Text:
    """Return the most chosen places, and those where the editions clearly differ."""
    names = [place_map.name(place) for place in report.summary.places[:MAX_NAMED_PLACES]]
    parts: list[Text] = [_("Players choose these places most often: {0}.", join_texts(names))]
    if report.has_one_edition:
        return parts[0]
    clear = [place for place in report.summary.places if place.is_clear]
    for sentence, sign in (
        (msgid("Clearly more often with “{0}”: {1}."), 1),
        (msgid("Clearly less often with “{0}”: {1}."), -1),
    ):
        here = [place for place in clear if place.difference is not None and sign * place.difference.value > 0]
        here.sort(key=lambda place: -abs(place.difference.value if place.difference is not None else 0.0))
        if here:
            shown = join_texts([place_map.name(place) for place in here[:MAX_NAMED_PLACES]])
            parts.append(_(sentence, report.edition_name(1), shown))
    if not clear:
        parts.append(_("No place is chosen clearly more or less often with “{0}”.", report.edition_name(1)))
    return concatenate_texts(parts)


def table_places(report: StudyReport) -> list[PlaceReport]:
    """Return the places for the report's table: the most chosen ones, and all that clearly differ."""
    places = report.summary.places
    often = [place for place in places[:MAX_PLACES] if max(times.value for times in place.times) >= MIN_TIMES]
    return [*often, *(place for place in places if place.is_clear and place not in often)]


# -- course and luck ------------------------------------------------------------------------------------------------


def timeline_rows(report: StudyReport) -> list[tuple[str, list[Estimate], int]]:
    """Return the timeline figures: id, the estimate of each edition, and the number of digits."""
    main = report.summary.main_arms[:2]
    known = main[0].figures
    rows: list[tuple[str, list[Estimate], int]] = []
    for figure in TIMELINE_FIGURES:
        if figure in known and known[figure].n > 0:
            digits = FIGURE_KINDS[figure].digits
            digits = max(1, digits) if is_share(figure) else digits
            rows.append((figure, [arm.figures[figure] for arm in main], digits))
    return rows


def luck_dots(report: StudyReport, luck: DealLuck) -> list[DotRow]:
    rows: list[DotRow] = []
    for figure, estimate in luck.explained.items():
        label = _("who wins") if figure == WINS else report.figure_name(figure)
        rows.append(DotRow(label, estimate, "a", percent(estimate.value, 0), interval_text(estimate, True, 0)))
    return rows


# -- certainty ------------------------------------------------------------------------------------------------------


def needed_deals_rows(report: StudyReport) -> list[tuple[Text, list[Text]]]:
    """Return the deals needed to detect a difference of the minimum size, with separate and with shared deals."""
    rows: list[tuple[Text, list[Text]]] = []
    for difference in report.summary.differences:
        if difference.edition > 1 or difference.alone.error == 0:
            continue
        deviation = difference.alone.error * difference.alone.n**0.5
        min_difference = (
            percent(difference.band, 1)
            if is_share(difference.figure)
            else decimal(difference.band, max(1, FIGURE_KINDS[difference.figure].digits))
        )
        shared = count(count_deals_to_detect(deviation, difference.band))
        cells = [min_difference, shared]
        if not report.has_one_edition:
            apart = deviation / max(1e-9, (1 - difference.saved)) ** 0.5
            separate = count(count_deals_to_detect(apart, difference.band))
            cells = [
                min_difference,
                separate,
                shared,
                percent(difference.saved, 0),
                decimal(difference.correlation, 2, True),
            ]
        rows.append((report.figure_name(difference.figure), cells))
    return rows


# -- restricted play, skill and screening ---------------------------------------------------------------------------


def ban_arms(report: StudyReport) -> tuple[list[ArmReport], list[ArmReport]]:
    """Return the arms of restricted play, the costliest bans first, and the check arms in the same order."""
    summary = report.summary
    main = sorted(
        (arm_report for arm_report in summary.main_arms if arm_report.ban),
        key=lambda arm_report: (arm_report.focus.value, arm_report.arm.name),
    )
    check = {arm_report.arm.name: arm_report for arm_report in summary.check_arms if arm_report.ban}
    return main, [check[arm_report.arm.name] for arm_report in main if arm_report.arm.name in check]


def ban_text(report: StudyReport, main: Sequence[ArmReport]) -> Text:
    needed = [
        banned_name(report, arm_report) for arm_report in main if arm_report.ban and arm_report.ban.difference.high < 0
    ]
    harmful = [
        banned_name(report, arm_report) for arm_report in main if arm_report.ban and arm_report.ban.difference.low > 0
    ]
    parts: list[Text] = []
    if needed:
        parts.append(_("Without these, a player wins less: {0}.", join_texts(needed)))
    if harmful:
        parts.append(_("Without these, a player wins more: {0}.", join_texts(harmful)))
    return concatenate_texts(parts) if parts else _("No restriction clearly changes a player’s wins.")


def ban_dots(report: StudyReport, main: Sequence[ArmReport], check: Sequence[ArmReport]) -> list[DotRow]:
    others = {arm_report.arm.name: arm_report for arm_report in check}
    rows: list[DotRow] = []
    for arm_report in main:
        rows.append(_build_focus_dot(_("without {0}", banned_name(report, arm_report)), arm_report, "b"))
        if arm_report.arm.name in others:
            rows.append(
                _build_focus_dot(_("{0} bots", literal_name(report.check_bots)), others[arm_report.arm.name], "a")
            )
    return rows


def ladder_dots(report: StudyReport) -> list[DotRow]:
    return [
        _build_focus_dot(
            _(
                "one {0} bot against {1} bots",
                literal_name(arm_report.arm.bots[0]),
                literal_name(arm_report.arm.bots[1]),
            ),
            arm_report,
            "b",
        )
        for arm_report in report.summary.main_arms
    ]


def _build_focus_dot(label: TextLike, arm_report: ArmReport, shape: str) -> DotRow:
    """Return the chart row of the bot that an arm is about."""
    share = arm_report.focus
    bounds = concatenate_texts(
        [interval_text(share, True, 0), concatenate_texts([literal_name("n"), count(share.n)], "\N{NO-BREAK SPACE}")],
        ", ",
    )
    return DotRow(label, share, shape, percent(share.value, 0), bounds, hollow=shape == "a")


def effect_dots(report: StudyReport, figure: str, effects: Sequence[ScreeningEffect]) -> list[DotRow]:
    """Return the chart rows of the numbers that move a figure most."""
    share = FIGURE_KINDS[figure].unit == SHARE
    rows: list[DotRow] = []
    for effect in effects[:SHOWN_NUMBERS]:
        label = _(
            "{0} {1}…{2}",
            report.number_name(effect.path),
            literal_name(f"{effect.low}"),
            literal_name(f"{effect.high}"),
        )
        shape = "b" if effect.estimate.excludes_zero else "a"
        rows.append(DotRow(label, effect.estimate, shape, *difference_texts(effect.estimate, share, 1)))
    return rows


def screening_deals_text(screening: Screening) -> Text:
    """Return which deals the editions played, and what a pilot study said about the alternative."""
    if screening.shares_deals:
        text = _(
            "All editions played the same deals. The intervals do not include effects that are particular to "
            "these deals."
        )
        if screening.shared_variance:
            percentage = percent(1 - screening.shared_variance, 0)
            saved = _("In a pilot study, this clearly made the variance of an effect smaller, by {0}.", percentage)
            text = concatenate_texts([text, saved])
        return text
    text = _("Each edition played deals of its own, so the intervals also hold for other deals.")
    if screening.shared_variance:
        ratio = decimal(screening.shared_variance, 2)
        shared = _(
            "In a pilot study, shared deals made the variance of an effect {0} times as large, so not clearly smaller.",
            ratio,
        )
        text = concatenate_texts([text, shared])
    return text


def effect_counts_text(report: StudyReport, screening: Screening) -> Text:
    """Return how many numbers have a significant effect on each figure."""
    counts: list[Text] = []
    for figure, effects in screening.effects.items():
        sure = sum(effect.estimate.excludes_zero for effect in effects)
        counts.append(_("{0}: {1}", report.figure_name(figure), count(sure)))
    return join_texts(counts)
