"""The luck of the deal in a report: what the value model says before the first choice, and the deals played again."""

from triclinium.lab.study import drawing
from triclinium.lab.study.luck import WINS, Replayed
from triclinium.lab.study.report import Report
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.voice import Sayable, Text, _, count, interval, percent


def luck_section(report: Report) -> str:
    page = report.page
    one = report.summary.main[0].deal_says
    answer = _(
        "Before the first choice the judge knows {0} ({1}) of who will win. The rest is choices, and chance to come.",
        percent(one.value, 0),
        interval(one, True, 0),
    )
    note = _(
        "By how much the squared error of its chances on the true state, before anybody chose, is below that of equal "
        "chances. `triclinium study ladder` tells how much better play wins."
    )
    return f"{page.p(answer, 'answer')}{_again(report)}{page.p(note, 'note')}"


def _again(report: Report) -> str:
    """The deals that were played more than once."""
    page, found = report.page, report.summary.replayed
    if found is None:
        return ""
    wins = found.explained[WINS]
    answer = _(
        "The same deals played again, with other chance for the bots: the deal explains {0} ({1}) of who wins.",
        percent(wins.value, 0),
        interval(wins, True, 0),
    )
    rows = [_dot(report, found, figure) for figure in found.explained]
    drawn = drawing.dots(page, rows, (0.0, _("nothing")), "luck-d")
    heading = page.t(_("How much of the difference between matches is the deal’s"))
    note = _(
        "{0} deals, each played {1} times. The share of the variance that all matches of one deal have in common; by a "
        "bootstrap of deals. What the deal does not explain is the chance in the match, and what bots make of it.",
        count(found.deals),
        count(found.times),
    )
    return (
        f"{page.p(answer, 'answer')}<div class=panel tabindex=0><h3 id=luck-d>{heading}</h3>{drawn}"
        f"{page.p(note, 'note')}</div>"
    )


def _dot(report: Report, found: Replayed, figure: str) -> drawing.Dot:
    label: Text = _("who wins") if figure == WINS else report.figure(figure)
    return drawing.Dot(label, found.explained[figure], "a", _told(report, found.explained[figure]))


def _told(report: Report, one: Estimate) -> str:
    page = report.page
    value: Sayable = percent(one.value, 0)
    return f'{page.svg(value)} <tspan class="soft">{page.svg(interval(one, True, 0))}</tspan>'
