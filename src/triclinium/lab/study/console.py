"""What `study` says in the terminal: the plan before it plays, the progress while it does, the result after it."""

from triclinium.engine.build import is_compiled
from triclinium.engine.core.text import Reader, msgid
from triclinium.lab.study import statistics
from triclinium.lab.study.compare import family_certainty, is_share, widen
from triclinium.lab.study.components import ThingReport
from triclinium.lab.study.figures import KINDS
from triclinium.lab.study.plan import COMPARE, PART_DEALS, Plan
from triclinium.lab.study.report import (
    CONFIRM,
    Report,
    agreement_text,
    ban_texts,
    banned_name,
    components_text,
    difference_texts,
    owners_texts,
    taken_text,
    verdict_text,
)
from triclinium.lab.study.report_text import (
    Text,
    _,
    capital,
    count,
    counted,
    decimal,
    in_a_row,
    listing,
    name,
    percent,
    share_text,
)
from triclinium.lab.study.run import Conducted
from triclinium.lab.study.runner import EVERY, Progress
from triclinium.lab.study.summary import ArmReport

LONG = 60.0  # seconds, from which on it is worth building the faster package
FIGURES = 9  # headline figures that two editions are compared in, about


def plan_text(plan: Plan, seconds: float, workers: int) -> list[Text]:
    """One paragraph: how much, how long, and what it can see."""
    main = [arm for arm in plan.arms if arm.counts]
    found = [
        _(
            "{0} in {1} with {2} bots, {3} in all, about {4} on {5}.",
            counted("{1} {0:deal|deals}", plan.deals),
            counted("{1} {0:arm|arms}", len(main)),
            name(main[0].kind),
            counted("{1} {0:match|matches}", plan.matches),
            duration(seconds),
            counted("{1} {0:worker|workers}", workers),
        )
    ]
    checks = [arm for arm in plan.arms if arm.check]
    if checks:
        found.append(capital(_("{0} bots check it with {1} deals.", name(checks[0].kind), count(checks[0].deals))))
    if plan.replayed:
        found.append(_("{0} deals are played twice more with other chance for the bots.", count(plan.replayed)))
    if plan.kind == COMPARE:
        found += _powers(plan)
    if not is_compiled() and seconds > LONG:
        found.append(_("This is the plain build; `make compiled` makes one that is about five times faster."))
    return found


def _powers(plan: Plan) -> list[Text]:
    """What such a study sees, by the variance of a share near fair."""
    fair = 1 / plan.seats
    deviation = (fair * (1 - fair) * (2 if len(plan.editions) > 1 else 1)) ** 0.5
    error = deviation / plan.deals**0.5 * widen(plan, plan.deals)
    editions = len(plan.editions) - 1
    figures = FIGURES * editions if editions else plan.seats if plan.seats > 2 else 1
    certainty = family_certainty(figures)
    less = max(plan.detect * 2 / 3, 0.001)
    found = [
        _(
            "All figures are judged together: a change of a share by {0} points is called in {1} of 100 such studies, "
            "by {2} points in {3}. To call {0} points in 80 of 100 takes {4} deals.",
            decimal(100 * plan.detect, 1),
            count(100 * statistics.power(plan.detect, error, certainty)),
            decimal(100 * less, 1),
            count(100 * statistics.power(less, error, certainty)),
            count(statistics.deals_to_tell(deviation, plan.detect, plan.looks, certainty)),
        ),
        _(
            "To show that no change reaches {0} points takes {1} deals.",
            decimal(100 * plan.detect, 1),
            count(statistics.deals_to_exclude(deviation, plan.detect, plan.looks)),
        ),
    ]
    if plan.open_ended:
        found.append(_("It looks every {0} deals and stops early if all headline figures are settled.", count(EVERY)))
    elif plan.looks > 1:
        found.append(counted("{1} {0:look|looks}; it stops early if all headline figures are settled.", plan.looks))
    return found


def duration(seconds: float) -> Text:
    """``11 minutes``"""
    if seconds < 90:
        return counted("{1} {0:second|seconds}", max(1, round(seconds)))
    if seconds < 5400:
        return counted("{1} {0:minute|minutes}", round(seconds / 60))
    return _("{0} hours", decimal(seconds / 3600, 1))


def fitting_text(edition: str, generation: int, planned: int) -> Text:
    """How far the fitting of bots to an edition has come."""
    return _("fitting bots to “{0}”: {1} of {2}", name(edition), count(generation), count(planned))


def making_text(made: int, planned: int) -> Text:
    """How far the editions of a screening are made."""
    return _("making editions: {0} of {1}", count(made), count(planned))


def trying_text(played: int, planned: int) -> Text:
    """How far the first deals are played, which tell how long the rest will take."""
    return _("first deals: {0} of {1} matches", count(played), count(planned))


def progress_text(progress: Progress) -> Text:
    """Deals, share of the plan, time left, and the main difference at the last look.

    Where one block holds all deals, as in a screening, the matches tell how far it is.
    """
    if progress.planned > PART_DEALS:
        share = percent(progress.deals / progress.planned, 0)
        parts: list[Text] = [_("{0} of {1} deals ({2})", count(progress.deals), count(progress.planned), share)]
    else:
        done = progress.whole - progress.left
        share = percent(done / progress.whole, 0)
        parts = [_("{0} of {1} matches ({2})", count(done), count(progress.whole), share)]
    if progress.seconds_left is not None:
        parts.append(_("about {0} left", duration(progress.seconds_left)))
    if progress.last is not None:
        one = progress.last
        told = KINDS[one.figure].name if one.figure in KINDS else msgid("wins of the first player")
        value, bounds = difference_texts(one.family, is_share(one.figure), 1)
        parts.append(_("{0} {1} ({2})", _(told), value, bounds))
    return in_a_row(parts, ", ")


def component_lines(report: Report, reader: Reader) -> list[str]:
    """Return a line for each card and place that stands out; for all, if the study notes all."""
    summary = report.summary
    if not summary.things:
        return []
    lines = ["", components_text(report)(reader)]
    for one in summary.things:
        if summary.all_components or one.stands_out:
            lines.append(_component_text(one)(reader))
    return lines


def _component_text(one: ThingReport) -> Text:
    taken = _("{0} [{1}]: taken {2}", one.name, name(one.address), taken_text(one))
    took, had = msgid("takers won {0}, above fair: {1}"), msgid("holders won {0}, above fair: {1}")
    sides = ((took, one.takers), (had, one.holders))
    parts = [taken, *(_(text, *owners_texts(owners)) for text, owners in sides if owners is not None)]
    return listing(parts)


def _ban_text(report: Report, arm: ArmReport) -> Text:
    wins, apart, met = ban_texts(arm)
    text = _("never {0} ({1}): {2}; against free play {3}", banned_name(report, arm), name(arm.arm.kind), wins, apart)
    return text if arm.arm.banned else listing([text, _("could take it in {0}", met)])


def result_text(done: Conducted, reader: Reader) -> str:
    """Return the answer in a few lines, and the path of the report."""
    summary = done.summary
    told = Report(done.game, summary)
    lines: list[str] = []
    for one in summary.differences:
        value, bounds = told.apart(one, one.family)
        agrees = agreement_text(one, told.bots)
        verdict = verdict_text(one)(reader) + (f" · {agrees(reader)}" if agrees else "")
        edition = f" [{told.editions[one.edition]}]" if len(told.editions) > 2 else ""
        lines.append(f"{told.figure(one.figure)(reader)}{edition}: {value(reader)} ({bounds(reader)}): {verdict}")
    lines += component_lines(told, reader)
    if not summary.differences and done.screening is None:
        for arm in summary.arms:
            if arm.ban is None:
                lines.append(f"{arm.arm.name} ({arm.arm.kind}): {share_text(arm.focus, 1)(reader)}")
            else:
                lines.append(_ban_text(told, arm)(reader))
    if done.screening is not None:
        for figure, effects in done.screening.effects.items():
            for effect in effects[:3]:
                value, bounds = difference_texts(effect.estimate, is_share(figure), 1)
                span = f"{effect.path} {effect.low}…{effect.high}"
                lines.append(f"{told.figure(figure)(reader)}: {span}: {value(reader)} ({bounds(reader)})")
        lines += ["", CONFIRM(reader), *done.screening.confirm]
    return "\n".join([*lines, "", _("The report is {0}.", name(str(done.folder / "report.html")))(reader)])
