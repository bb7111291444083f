"""Terminal output of `study`: the plan before the matches, progress during them, and the result after them."""

from triclinium.engine.build_info import is_compiled
from triclinium.engine.core.text import Reader, msgid
from triclinium.lab.study import statistics
from triclinium.lab.study.compare import Difference, compute_family_confidence, compute_interval_widening, is_share
from triclinium.lab.study.components import ComponentReport
from triclinium.lab.study.figures import FIGURE_KINDS
from triclinium.lab.study.plan import StudyPlan
from triclinium.lab.study.report import (
    CONFIRM_TEXT,
    StudyReport,
    ban_texts,
    banned_name,
    components_text,
    difference_texts,
    effect_texts,
    format_agreement,
    format_verdict,
    owners_texts,
    taken_text,
)
from triclinium.lab.study.report_text import (
    Text,
    _,
    capitalize,
    concatenate_texts,
    count,
    decimal,
    join_with_semicolons,
    literal_name,
    percent,
    plural_text,
    share_text,
)
from triclinium.lab.study.runner import INTERIM_EVERY, StudyProgress
from triclinium.lab.study.sections import screening_deals_text
from triclinium.lab.study.study_file import COMPARE, PART_DEALS
from triclinium.lab.study.summary import ArmReport, StudyResult

LONG_RUN_SECONDS = 60.0  # estimated run time above which the compiled package is recommended
HEADLINE_FIGURES = 9  # approximate number of headline figures in a comparison of two editions


def format_plan(plan: StudyPlan, seconds: float, workers: int) -> list[Text]:
    """Describe in one paragraph how much is played, how long it takes, and what it can detect."""
    main = [arm for arm in plan.arms if arm.is_main]
    texts = [
        _(
            "{0} in {1} with {2} bots, {3} in total, about {4} on {5}.",
            plural_text("{1} {0:deal|deals}", plan.deals),
            plural_text("{1} {0:edition|editions}", len(main)),
            literal_name(main[0].bots_label),
            plural_text("{1} {0:match|matches}", plan.matches),
            format_duration(seconds),
            plural_text("{1} {0:process|processes}", workers),
        )
    ]
    checks = [arm for arm in plan.arms if arm.check]
    if checks:
        texts.append(
            capitalize(
                _(
                    "{0} bots check the result with {1} deals.",
                    literal_name(checks[0].bots_label),
                    count(checks[0].deals),
                )
            )
        )
    if plan.replayed_deals:
        texts.append(
            _("{0} deals are played twice more with different random numbers for the bots.", count(plan.replayed_deals))
        )
    if plan.kind == COMPARE:
        texts += _format_power(plan)
    if not is_compiled() and seconds > LONG_RUN_SECONDS:
        texts.append(
            _("You are using the interpreted version. `make compiled` builds one that is about five times faster.")
        )
    return texts


def _format_power(plan: StudyPlan) -> list[Text]:
    """Describe the statistical power of a comparison, assuming the variance of a share near the fair one."""
    fair = 1 / plan.seats
    deviation = (fair * (1 - fair) * (2 if len(plan.editions) > 1 else 1)) ** 0.5
    error = deviation / plan.deals**0.5 * compute_interval_widening(plan, plan.deals)
    editions = len(plan.editions) - 1
    figures = HEADLINE_FIGURES * editions if editions else plan.seats if plan.seats > 2 else 1
    confidence = compute_family_confidence(figures)
    less = max(plan.detect * 2 / 3, 0.001)
    texts = [
        _(
            "Minimum detectable difference, over all figures together: a change of {0} points is found in {1} of "
            "100 such studies, a change of {2} points in {3}. To find {0} points in 80 of 100 studies takes {4} "
            "deals.",
            decimal(100 * plan.detect, 1),
            count(100 * statistics.power(plan.detect, error, confidence)),
            decimal(100 * less, 1),
            count(100 * statistics.power(less, error, confidence)),
            count(statistics.count_deals_to_detect(deviation, plan.detect, plan.looks, confidence)),
        ),
        _(
            "To show that no change reaches {0} points takes {1} deals.",
            decimal(100 * plan.detect, 1),
            count(statistics.count_deals_to_exclude(deviation, plan.detect, plan.looks)),
        ),
    ]
    if plan.open_ended:
        texts.append(
            _(
                "An interim analysis every {0} deals stops the study early if all headline figures are settled.",
                count(INTERIM_EVERY),
            )
        )
    elif plan.looks > 1:
        texts.append(
            plural_text(
                "{1} interim {0:analysis|analyses}; the study stops early if all headline figures are settled.",
                plan.looks,
            )
        )
    return texts


def format_duration(seconds: float) -> Text:
    """Return a duration such as ``11 minutes``."""
    if seconds < 90:
        return plural_text("{1} {0:second|seconds}", max(1, round(seconds)))
    if seconds < 5400:
        return plural_text("{1} {0:minute|minutes}", round(seconds / 60))
    return _("{0} hours", decimal(seconds / 3600, 1))


def format_fitting(edition: str, generation: int, planned: int) -> Text:
    """Describe the progress of fitting bots to an edition."""
    return _("tuning bots for “{0}”: {1} of {2}", literal_name(edition), count(generation), count(planned))


def format_editions(made: int, planned: int) -> Text:
    """Describe the progress of making the editions of a screening."""
    return _("building editions: {0} of {1}", count(made), count(planned))


def format_pilot(played: int, planned: int) -> Text:
    """Describe the progress of the pilot deals, which are played to estimate the run time."""
    return _("pilot deals to estimate the run time: {0} of {1} matches", count(played), count(planned))


def format_progress(progress: StudyProgress) -> Text:
    """Return deals played, share of the plan, time left, and the main difference at the last interim analysis.

    If all deals are in one block, as in a screening, progress is measured in matches.
    """
    if progress.planned > PART_DEALS:
        share = percent(progress.deals / progress.planned, 0)
        parts: list[Text] = [_("{0} of {1} deals ({2})", count(progress.deals), count(progress.planned), share)]
    else:
        done = progress.total_matches - progress.matches_left
        share = percent(done / progress.total_matches, 0)
        parts = [_("{0} of {1} matches ({2})", count(done), count(progress.total_matches), share)]
    if progress.seconds_left is not None:
        parts.append(_("about {0} left", format_duration(progress.seconds_left)))
    if progress.last_difference is not None:
        parts.append(format_main_difference(progress.last_difference))
    return concatenate_texts(parts, ", ")


def format_main_difference(difference: Difference) -> Text:
    """Return the main difference with its interval."""
    name = (
        FIGURE_KINDS[difference.figure].name if difference.figure in FIGURE_KINDS else msgid("wins of the first player")
    )
    value, bounds = difference_texts(difference.family, is_share(difference.figure), 1)
    return _("{0} {1} ({2})", _(name), value, bounds)


def list_component_lines(report: StudyReport, reader: Reader) -> list[str]:
    """Return a line for each card and place with a clear effect, or for all of them if the study records all."""
    summary = report.summary
    if not summary.things:
        return []
    lines = ["", components_text(report)(reader)]
    for component in summary.things:
        if summary.all_components or component.differs_from_fair:
            lines.append(_format_component(component)(reader))
    return lines


def _format_component(component: ComponentReport) -> Text:
    taken = _("{0} [{1}]: taken {2}", component.name, literal_name(component.address), taken_text(component))
    took, had = (
        msgid("players who took it won {0}, above the expected share: {1}"),
        msgid("players who had it won {0}, above the expected share: {1}"),
    )
    sides = ((took, component.takers), (had, component.holders))
    parts = [taken, *(_(text, *owners_texts(owners)) for text, owners in sides if owners is not None)]
    return join_with_semicolons(parts)


def _format_ban(report: StudyReport, arm: ArmReport) -> Text:
    wins, apart, met = ban_texts(arm)
    text = _(
        "without {0} ({1}): {2}; compared with unrestricted play {3}",
        banned_name(report, arm),
        literal_name(arm.arm.bots_label),
        wins,
        apart,
    )
    return text if arm.arm.banned else join_with_semicolons([text, _("available in {0}", met)])


def format_result(done: StudyResult, reader: Reader) -> str:
    """Return the answer in a few lines, and the path of the report."""
    summary = done.summary
    report = StudyReport(done.game, summary)
    lines: list[str] = []
    for difference in summary.differences:
        value, bounds = report.format_difference(difference, difference.family)
        agrees = format_agreement(difference, report.bots)
        verdict = format_verdict(difference)(reader) + (f" · {agrees(reader)}" if agrees else "")
        edition = f" [{report.editions[difference.edition]}]" if len(report.editions) > 2 else ""
        lines.append(
            f"{report.figure_name(difference.figure)(reader)}{edition}: {value(reader)} ({bounds(reader)}): {verdict}"
        )
    lines += list_component_lines(report, reader)
    if not summary.differences and done.screening is None:
        for arm in summary.arms:
            if arm.ban is None:
                lines.append(f"{arm.arm.name} ({arm.arm.bots_label}): {share_text(arm.focus, 1)(reader)}")
            else:
                lines.append(_format_ban(report, arm)(reader))
    if done.screening is not None:
        for figure, effects in done.screening.effects.items():
            lines += [effect_texts(report, figure, effect)(reader) for effect in effects[:3]]
        lines.append(screening_deals_text(done.screening)(reader))
        lines += ["", CONFIRM_TEXT(reader), *done.screening.confirm]
    return "\n".join([*lines, "", _("Report written to {0}.", literal_name(str(done.folder / "report.html")))(reader)])
