"""The figures of a report: seats, length, points. Each section answers in one sentence, then draws."""

from collections.abc import Sequence

from triclinium.lab.study import drawing
from triclinium.lab.study.report import Report, capital, chip, legend
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.summary import ArmReport
from triclinium.lab.study.voice import Sayable, Text, _, count, decimal, interval, name, percent


def seats_section(report: Report) -> str:
    page, summary = report.page, report.summary
    fair = 1 / summary.seats
    rows: list[drawing.Dot] = []
    for place in range(summary.seats):
        for i, arm in enumerate(summary.main[:2]):
            rows.append(_seat_dot(report, report.place(place) if i == 0 else name(""), arm, place, "ab"[i]))
        for arm in summary.check[:1]:
            rows.append(_seat_dot(report, _("{0} bots", name(report.others)), arm, place, "a", True))
    answers = [_seat_answer(report, arm, i) for i, arm in enumerate(summary.main[:2])]
    drawn = drawing.dots(page, rows, (fair, _("fair: {0}", percent(fair, 0))), "seats-h")
    chips = "".join(chip(report, one) + " " for one in summary.differences if one.figure.startswith("place"))
    note = _(
        "Distance from fair of the place that is furthest from it: {0} points ({1}), by a bootstrap of deals.",
        decimal(100 * summary.main[0].unfair.value, 1),
        interval(summary.main[0].unfair, True, 1),
    )
    return (
        f"{''.join(page.p(one, 'answer') for one in answers)}<div class=chips>{chips}</div>"
        f"<div class=panel tabindex=0>{legend(report, True)}{drawn}</div>{page.p(note, 'note')}"
    )


def _seat_dot(
    report: Report, label: Sayable, arm: ArmReport, place: int, shape: str, hollow: bool = False
) -> drawing.Dot:
    one = arm.places[place]
    value = _value(report, one, True, 1)
    fewer = f', <tspan class="soft">n\u00a0{report.page.svg(count(one.n))}</tspan>' if hollow else ""
    return drawing.Dot(label, one, shape, value + fewer, hollow)


def _value(report: Report, one: Estimate, share: bool, digits: int) -> str:
    """The figure at the right of a dot, with its interval."""
    page = report.page
    value = percent(one.value, digits) if share else decimal(one.value, digits)
    return f'{page.svg(value)} <tspan class="soft">{page.svg(interval(one, share, 0 if share else digits))}</tspan>'


def _seat_answer(report: Report, arm: ArmReport, edition: int) -> Text:
    fair = 1 / report.summary.seats
    place = max(range(len(arm.places)), key=lambda i: abs(arm.places[i].value - fair))
    one = arm.places[place]
    told = (report.place(place), percent(one.value), interval(one, True, 0), percent(fair, 0))
    if report.is_lone:
        return capital(_("{0} wins {1} ({2}) where {3} would be fair.", *told))
    return _("“{0}”: {1} wins {2} ({3}) where {4} would be fair.", report.edition(edition), *told)


# -- length and points ----------------------------------------------------------------------------------------------


def length_section(report: Report) -> str:
    page, summary = report.page, report.summary
    first = summary.main[0]
    decisions, options = first.figures["decisions"], first.figures["options"]
    answer = _(
        "A match asks {0} decisions ({1}), each among {2} options ({3}) on average.",
        decimal(decisions.value, 0),
        interval(decisions, False, 0),
        decimal(options.value, 1),
        interval(options, False, 1),
    )
    drawn = drawing.histogram(page, [arm.lengths for arm in summary.main[:2]], "length-d")
    rows = "".join(
        f"<tr><th scope=row>{page.t(report.step(one.step))}</th><td class=n>{page.t(decimal(one.times, 1))}</td>"
        f"<td class=n>{page.t(decimal(one.options, 1))}</td></tr>"
        for one in first.asked
    )
    heads = (_("question"), _("a match"), _("options"))
    head = "".join(f"<th{' class=n' if i else ''}>{page.t(one)}</th>" for i, one in enumerate(heads))
    return (
        f'{page.p(answer, "answer")}<div class="two"><div class="panel" tabindex="0"><h3 id="length-d">'
        f"{page.t(_('Decisions in a match'))}</h3>{legend(report)}{drawn}</div>"
        f'<div class="panel" tabindex="0"><h3>{page.t(_("Where the decisions are"))}</h3><table><thead><tr>{head}</tr>'
        f"</thead><tbody>{rows}</tbody></table></div></div>"
    )


def points_section(report: Report) -> str:
    page, summary = report.page, report.summary
    lines = summary.main[0].lines
    if not report.game.has_points or not lines:
        return ""
    best = max(lines, key=lambda one: one.apart.value)
    whole = sum(one.apart.value for one in lines)
    answer = _(
        "Winners lead the others by {0} points; {1} of them ({2}) come from {3}.",
        decimal(whole, 1),
        decimal(best.apart.value, 1),
        interval(best.apart, False, 1),
        report.line(best.group),
    )
    groups = [one.group for one in lines]
    rows: list[tuple[Sayable, Sequence[float]]] = []
    for i, arm in enumerate(summary.main[:2]):
        points = {one.group: one for one in arm.lines}
        here = [points[group] for group in groups if group in points]
        of = report.edition(i)
        rows.append((_("winners") if report.is_lone else _("winners, {0}", of), [one.winners for one in here]))
        rows.append((_("others") if report.is_lone else _("others, {0}", of), [one.others for one in here]))
    keys = "".join(
        f'<span><i class="k c{i % 8}"></i>{page.t(report.line(group))}</span>' for i, group in enumerate(groups)
    )
    drawn = drawing.stacked(page, rows, "points-h")
    note = _("Mean points of each line of the score sheet. Lines that cost points are left out of the bars.")
    panel = f'<div class="panel" tabindex="0"><div class="legend">{keys}</div>{drawn}</div>'
    return f"{page.p(answer, 'answer')}{panel}{page.p(note, 'note')}"
