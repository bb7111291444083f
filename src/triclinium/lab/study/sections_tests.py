"""The reports of a ban, of a ladder and of a screening."""

from html import escape

from triclinium.lab.study import drawing
from triclinium.lab.study.figures import KINDS, SHARE
from triclinium.lab.study.part import find_component
from triclinium.lab.study.report import Report, difference_texts
from triclinium.lab.study.screen import OFFERED, Effect, Screening
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.summary import ArmReport
from triclinium.lab.study.voice import Sayable, Text, _, count, interval, joined, name, percent, share_text

CONFIRM = _("Whether a number does by itself what it seems to do, these commands tell:")


def _told(report: Report, one: Estimate) -> str:
    page = report.page
    bounds = interval(one, True, 0)
    told: Text = lambda reader: f"{bounds(reader)}, n\u00a0{count(one.n)(reader)}"  # noqa: E731
    return f'{page.svg(percent(one.value, 0))} <tspan class="soft">{page.svg(told)}</tspan>'


def ban_section(report: Report) -> str:
    page, summary = report.page, report.summary
    fair = 1 / summary.seats
    main = sorted((one for one in summary.main if one.ban), key=lambda one: (one.focus.value, one.arm.name))
    check = {one.arm.name: one for one in summary.check if one.ban}
    rows: list[drawing.Dot] = []
    for one in main:
        rows.append(_dot(report, _("never {0}", banned_name(report, one)), one, "b"))
        if one.arm.name in check:
            rows.append(_dot(report, _("{0} bots", name(report.others)), check[one.arm.name], "a"))
    reference = (fair, _("as good without it: {0}", percent(fair, 0)))
    drawn = drawing.dots(page, rows, reference, "need-h")
    lines = "".join(_ban_row(report, one) for one in [*main, *(check[one.arm.name] for one in main if check)])
    heads = (_("never"), _("bots"), _("wins"), _("points against free play"), _("could take it in"))
    head = "".join(f"<th{' class=n' if i > 1 else ''}>{page.t(one)}</th>" for i, one in enumerate(heads))
    table = f"<table class=stack><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    note = _(
        "One player may never take it, at every place in turn; the others may. The further left, the more it is "
        "needed; right of the line the bots take it to their harm. “Against free play” compares the same deals with "
        "the same chance and nothing banned: that is what it costs. These intervals hold for the whole list (Benjamini "
        "and Yekutieli) and exclude 0 exactly where Benjamini and Hochberg call a difference, which is bold. "
        "Intervals are by deal, and n counts deals. Where nothing else is left, the player takes it all the same."
    )
    return (
        f"{page.p(_ban_answer(report, main), 'answer')}<div class=panel tabindex=0>{drawn}</div>"
        f"<div class=panel tabindex=0>{table}</div>{page.p(note, 'note')}"
    )


def _ban_answer(report: Report, main: list[ArmReport]) -> Text:
    needed = [one for one in main if one.ban and one.ban.difference.high < 0]
    harmful = [one for one in main if one.ban and one.ban.difference.low > 0]
    parts: list[Text] = []
    if needed:
        names = joined([banned_name(report, one) for one in needed])
        parts.append(_("Without these a player wins less: {0}.", names))
    if harmful:
        names = joined([banned_name(report, one) for one in harmful])
        parts.append(_("Without these a player wins more: {0}.", names))
    if not parts:
        return _("No ban changes a player’s wins beyond doubt.")
    return lambda reader: " ".join(part(reader) for part in parts)


def banned_name(report: Report, one: ArmReport) -> Sayable:
    """Return what is banned: a verb as it is, a card or place by its name, with its id."""
    if not one.arm.component:
        return name(one.arm.name)
    (found,) = find_component(report.game, one.arm.component)
    return _("{0} ({1})", report.game.things[found].name, name(one.arm.component))


def ban_texts(one: ArmReport) -> tuple[Text, Text, Text]:
    """Return the wins with a ban, the difference from free play, and how often the ban mattered."""
    assert one.ban is not None
    value, bounds = difference_texts(one.ban.difference, True, 1)
    met: Text = lambda reader: ""  # noqa: E731
    if one.ban.offered is not None:
        met = _("{0} of {1} matches", count(one.ban.offered), count(one.matches))
        if one.ban.forced:
            met = _("{0} (no other option in {1})", met, count(one.ban.forced))
    return share_text(one.focus, 1), _("{0} ({1})", value, bounds), met


def _ban_row(report: Report, one: ArmReport) -> str:
    page = report.page
    assert one.ban is not None
    wins, apart, met = (page.t(text) for text in ban_texts(one))
    apart = f"<b>{apart}</b>" if one.ban.difference.excludes_zero else apart
    return (
        f"<tr><th scope=row>{page.t(banned_name(report, one))}</th><td>{page.t(name(one.arm.kind))}</td>"
        f"<td class=n>{wins}</td><td class=n>{apart}</td><td class=n>{met}</td></tr>"
    )


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
        sure = sum(one.estimate.excludes_zero for one in found)
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
        shape = "b" if one.estimate.excludes_zero else "a"
        value, bounds = difference_texts(one.estimate, share, 1)
        told = f'{page.svg(value)} <tspan class="soft">{page.svg(bounds)}</tspan>'
        rows.append(drawing.Dot(label, one.estimate, shape, told))
    drawn = drawing.dots(page, rows, (0.0, _("no effect")), f"numbers-{figure}", share)
    return (
        f'<div class="panel" tabindex="0"><h3 id="numbers-{figure}">{page.t(report.figure(figure))}</h3>{drawn}</div>'
    )


def _lever_name(report: Report, one: Effect) -> Text:
    told = report.number_name(one.path)
    return _("{0} {1}…{2}", told, name(f"{one.low}"), name(f"{one.high}"))
