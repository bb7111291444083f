"""A report in short, and what the change does."""

from triclinium.engine.core.text import msgid
from triclinium.lab.study import drawing
from triclinium.lab.study.compare import FALLS, OPEN, RISES, SAME, SMALL, Difference
from triclinium.lab.study.report import Report, capital, chip, sure
from triclinium.lab.study.voice import Page, Sayable, Text, _, count, counted, decimal, interval, joined, name, percent


def short_section(report: Report) -> str:
    page = report.page
    cards = [
        card
        for card in (
            _seat_card(report),
            _decided_card(report),
            _lead_card(report),
            _wins_card(report),
            _dead_card(report),
            _deal_card(report),
        )
        if card
    ]
    note = _(
        "Bots are not people. What follows is what these bots do with this game; where two kinds of bots disagree, "
        "the report says so. Every figure that answers a question has its 95 % interval, in the sentence or in the "
        "drawing or table below it. n counts deals; where it is not given, it is {0}. Plain counts and means without "
        "an interval describe the matches that were played.",
        count(report.summary.deals),
    )
    return f'<div class="cards">{"".join(cards)}</div>{page.p(note, "note")}'


def _card(page: Page, heading: Text, big: Sayable, small: Sayable, *said: Text) -> str:
    return (
        f'<div class="card"><h3>{page.t(heading)}</h3><div class="big">{page.t(big)}</div>'
        f'<div class="sure">{page.t(small)}</div>{"".join(page.p(one) for one in said)}</div>'
    )


def _other(report: Report, figure: str) -> list[Text]:
    """The same figure of the second edition."""
    main = report.summary.main
    if len(main) < 2:
        return []
    return [_("With “{0}”: {1}.", report.edition(1), report.value(figure, main[1].figures[figure].value))]


def _seat_card(report: Report) -> str:
    first = report.summary.main[0]
    fair = 1 / report.summary.seats
    place = max(range(len(first.places)), key=lambda i: abs(first.places[i].value - fair))
    one = first.places[place]
    said = [_("of the wins go to {0}; fair is {1}.", report.place(place), percent(fair, 0))]
    if len(report.summary.main) > 1:
        other = report.summary.main[1].places[place]
        said.append(_("With “{0}”: {1}.", report.edition(1), percent(other.value)))
    for check in report.summary.check[:1]:
        said.append(capital(_("{0} bots: {1}.", name(report.others), percent(check.places[place].value))))
    return _card(report.page, _("Is a seat favoured?"), percent(one.value), sure(one, True, 0), *said)


def _decided_card(report: Report) -> str:
    one = report.summary.main[0].figures["decided"]
    said = [
        _("of a match is over, on average, when the winner’s chance passes 80 % for good."),
        *_other(report, "decided"),
    ]
    return _card(report.page, _("When is it decided?"), percent(one.value, 0), sure(one, True, 0), *said)


def _lead_card(report: Report) -> str:
    figures = report.summary.main[0].figures
    one, half = figures["changes"], figures["half"]
    said = _("The one who leads at half time wins {0} ({1}).", percent(half.value, 0), interval(half, True, 0))
    big = _("{0} times", decimal(one.value, 1))
    return _card(report.page, _("Do leads change?"), big, sure(one, False, 2), said, *_other(report, "changes"))


def _wins_card(report: Report) -> str:
    lines = report.summary.main[0].lines
    if not report.game.has_points or len(lines) < 2:
        return ""
    best = max(lines, key=lambda one: one.apart.value)
    whole = sum(one.apart.value for one in lines)
    said = _(
        "is where winners are furthest ahead of the others; the whole difference is {0} points.", decimal(whole, 1)
    )
    return _card(report.page, _("What wins?"), report.line(best.group), sure(best.apart, False, 1), said)


def _dead_card(report: Report) -> str:
    summary = report.summary
    options = summary.options["0"]
    often = [one for one in options if one.offered >= summary.main[0].noted]
    never = [one for one in summary.flags if one.what == "never"]
    big = _("{0} of {1}", count(len(never)), count(len(often)))
    offered = _("offered {0} times", count(sum(one.offered for one in options)))
    if summary.check:
        said = _(
            "options that are on offer at least once a match are never taken, neither by {0} nor by {1}.",
            name(report.bots),
            name(report.others),
        )
    else:
        said = _("options that are on offer at least once a match are never taken by {0}.", name(report.bots))
    return _card(report.page, _("Which choices are dead?"), big, offered, said)


def _deal_card(report: Report) -> str:
    one = report.summary.main[0].deal_says
    said = _("of who wins is told by the deal before the first choice, as the judge sees it.")
    return _card(report.page, _("How much does the deal say?"), percent(one.value, 0), sure(one, True, 0), said)


# -- what the change does -------------------------------------------------------------------------------------------


def change_section(report: Report) -> str:
    if len(report.editions) < 2:
        return ""
    tables = [_change_table(report, edition) for edition in range(1, len(report.editions))]
    note = _(
        "Intervals hold for all figures at once (Bonferroni), and for the looks that were taken. A figure rises or "
        "falls exactly where its interval excludes 0. The grey band is the smallest difference that matters; an "
        "interval inside it is no difference that matters."
    )
    marks = _(
        "Diamonds: {0} bots. Rings: {1} bots, with an interval of their own.", name(report.bots), name(report.others)
    )
    told: Text = (lambda reader: f"{note(reader)} {marks(reader)}") if report.others else note
    return f"{report.page.p(_change_answer(report), 'answer')}{''.join(tables)}{report.page.p(told, 'note')}"


def _change_answer(report: Report) -> Text:
    found = report.summary.differences
    moved = [one for one in found if one.verdict in (RISES, FALLS)]
    still = sum(one.verdict in (SAME, SMALL) for one in found)
    unsettled = sum(one.verdict == OPEN for one in found)
    if moved:
        figures = joined([report.figure(one.figure) for one in moved])
        told = msgid("{1} of {2} figures {0:moves|move} beyond doubt: {3}.")
        start = counted(told, len(moved), count(len(found)), figures)
    else:
        start = _("None of {0} figures moves beyond doubt.", count(len(found)))
    rest = _("No change that matters: {0}. Not settled: {1}.", count(still), count(unsettled))
    return lambda reader: f"{start(reader)} {rest(reader)}"


def _change_table(report: Report, edition: int) -> str:
    page = report.page
    rows = "".join(_change_row(report, one) for one in report.summary.differences if one.edition == edition)
    head = (
        f"<th>{page.t(_('figure'))}</th><th class=n><i class='k a'></i>{page.t(report.edition(0))}</th>"
        f"<th class=n><i class='k b'></i>{page.t(report.edition(edition))}</th>"
        f"<th class=n>{page.t(_('difference'))}</th><th class=g>{page.t(_('less · more'))}</th>"
        f"<th>{page.t(_('so'))}</th>"
    )
    table = f'<table class="stack moves"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="panel" tabindex="0">{table}</div>'


def _change_row(report: Report, one: Difference) -> str:
    page = report.page
    told, bounds = report.apart(one, one.family)
    checked = [abs(one.check.value)] if one.check is not None else []
    reach = max([one.band * 2.2, abs(one.family.low), abs(one.family.high), *checked])
    reach = min(reach, max(one.band * 6, abs(one.family.value) * 2.2))
    small = drawing.effect(one.family.low, one.family.high, one.family.value, one.band, one.check, reach)
    return (
        f"<tr><th scope=row>{page.t(report.figure(one.figure))}</th>"
        f"<td class=n>{page.t(report.value(one.figure, one.before.value))}</td>"
        f"<td class=n>{page.t(report.value(one.figure, one.after.value))}</td>"
        f'<td class="n d"><b>{page.t(told)}</b><span class=soft>{page.t(bounds)}</span></td>'
        f"<td class=g>{small}</td><td>{chip(report, one)}</td></tr>"
    )
