"""The reports of a ban, of a ladder and of a screening."""

from html import escape

from triclinium.lab.study import drawing
from triclinium.lab.study.figures import KINDS, SHARE
from triclinium.lab.study.report import Report
from triclinium.lab.study.screen import OFFERED, Effect, Screening
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.summary import ArmReport
from triclinium.lab.study.voice import Sayable, Text, _, count, decimal, interval, joined, name, percent

CONFIRM = _("Whether a number does by itself what it seems to do, these commands tell:")


def _told(report: Report, one: Estimate) -> str:
    page = report.page
    bounds = interval(one, True, 0)
    told: Text = lambda reader: f"{bounds(reader)}, n\u00a0{count(one.n)(reader)}"  # noqa: E731
    return f'{page.svg(percent(one.value, 0))} <tspan class="soft">{page.svg(told)}</tspan>'


def ban_section(report: Report) -> str:
    page, summary = report.page, report.summary
    fair = 1 / summary.seats
    main = sorted(summary.main, key=lambda one: (one.focus.value, one.arm.name))
    check = {one.arm.name: one for one in summary.check}
    rows: list[drawing.Dot] = []
    for one in main:
        rows.append(_dot(report, _("never {0}", name(one.arm.name)), one, "b"))
        if one.arm.name in check:
            rows.append(_dot(report, _("{0} bots", name(report.others)), check[one.arm.name], "a"))
    needed = [one for one in main if one.focus.high < fair]
    missed: Text = (
        _("Who may never use them wins less than a fair share: {0}.", joined([name(one.arm.name) for one in needed]))
        if needed
        else _("No verb is needed: who may never use one wins a fair share.")
    )
    reference = (fair, _("as good without it: {0}", percent(fair, 0)))
    drawn = drawing.dots(page, rows, reference, "need-h")
    note = _(
        "One player may never take the action, at every place in turn; the others may. The further left, the more it "
        "is needed; right of the line the bots take it to their harm."
    )
    return f"{page.p(missed, 'answer')}<div class=panel tabindex=0>{drawn}</div>{page.p(note, 'note')}"


def _dot(report: Report, label: Sayable, one: ArmReport, shape: str) -> drawing.Dot:
    return drawing.Dot(label, one.focus, shape, _told(report, one.focus), shape == "a")


def ladder_section(report: Report) -> str:
    page, summary = report.page, report.summary
    fair = 1 / summary.seats
    rows = [
        _dot(report, _("one {0} among {1}", name(one.arm.bots[0]), name(one.arm.bots[1])), one, "b")
        for one in summary.main
    ]
    best = max(summary.main, key=lambda one: one.focus.value)
    answer = _(
        "One {0} bot among {1} bots wins {2} ({3}) where luck alone would give {4}.",
        name(best.arm.bots[0]),
        name(best.arm.bots[1]),
        percent(best.focus.value, 0),
        interval(best.focus, True, 0),
        percent(fair, 0),
    )
    drawn = drawing.dots(page, rows, (fair, _("luck alone: {0}", percent(fair, 0))), "skill-h")
    note = _("Every deal is played once from each place.")
    return f"{page.p(answer, 'answer')}<div class=panel tabindex=0>{drawn}</div>{page.p(note, 'note')}"


def screen_section(report: Report, screening: Screening) -> str:
    page = report.page
    panels = "".join(_figure_panel(report, figure, list(found)) for figure, found in screening.effects.items())
    counts: list[Text] = []
    for figure, found in screening.effects.items():
        sure = sum(one.p < 0.05 for one in found)
        counts.append(_("{0}: {1}", report.figure(figure), count(sure)))
    answer = _("Of {0} numbers, so many move a figure beyond doubt: {1}.", count(screening.levers), joined(counts))
    note = _(
        "{0} editions of {1} matches in all; in each about {2} numbers are set high or low at once, and what would "
        "break a constraint stays printed. Intervals come from the scatter of whole editions and hold for all numbers "
        "at once. Diamonds: beyond doubt. A screening ranks; confirm the first ones by a study that changes one number "
        "from the printed edition.",
        count(screening.editions),
        count(screening.matches),
        count(round(screening.kept)),
    )
    commands = escape("\n".join(screening.confirm))
    ready = f'<div class="panel" tabindex="0">{page.p(CONFIRM)}<pre>{commands}</pre></div>'
    return f"{page.p(answer, 'answer')}{panels}{page.p(note, 'note')}{ready}"


def _figure_panel(report: Report, figure: str, found: list[Effect]) -> str:
    page = report.page
    share = KINDS[figure].unit == SHARE
    rows: list[drawing.Dot] = []
    for one in found[:OFFERED]:
        label = _lever_name(report, one)
        value = decimal((100 if share else 1) * one.estimate.value, 1, True)
        shape = "b" if one.p < 0.05 else "a"
        rows.append(drawing.Dot(label, one.estimate, shape, page.svg(value)))
    drawn = drawing.dots(page, rows, (0.0, _("no effect")), f"numbers-{figure}", share)
    return (
        f'<div class="panel" tabindex="0"><h3 id="numbers-{figure}">{page.t(report.figure(figure))}</h3>{drawn}</div>'
    )


def _lever_name(report: Report, one: Effect) -> Text:
    told = report.number_name(one.path)
    return _("{0} {1}…{2}", told, name(f"{one.low}"), name(f"{one.high}"))
