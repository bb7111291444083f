"""The second half of a report: what is taken, and the course of matches."""

from collections.abc import Sequence
from html import escape

from triclinium.lab.study import drawing
from triclinium.lab.study.choices import FEW, Option
from triclinium.lab.study.compare import is_share
from triclinium.lab.study.components import Owners, ThingReport
from triclinium.lab.study.figures import KINDS
from triclinium.lab.study.report import Report, difference_texts, legend
from triclinium.lab.study.statistics import Estimate
from triclinium.lab.study.voice import Sayable, Text, _, count, decimal, interval, joined, listing, percent, share_text

STEPS = 9  # that the table of choices names, those that ask most
OPTIONS = 7  # of each
NAMED_THINGS = 10  # most and least wanted cards and places that a short table lists
NAMED = 24  # options that nobody takes
COURSE = ("behind", "kings", "control", "uncertainty", "shared", "half", "decided", "changes", "variety", "rounds")


def choices_section(report: Report) -> str:
    page, summary = report.page, report.summary
    options = summary.options["0"]
    steps = [one.step for one in summary.main[0].asked if one.options > 1][:STEPS]
    others = [
        {(one.step, one.option): one for one in summary.options[key]} for key in sorted(summary.options) if key != "0"
    ]
    rows: list[str] = []
    for step in steps:
        rows.append(f'<tr class="sub"><th colspan="5" scope="colgroup">{page.t(report.step(step))}</th></tr>')
        here = sorted((one for one in options if one.step == step), key=lambda one: (-one.taken, one.option))[:OPTIONS]
        called = report.options(step, [one.option for one in here])
        here.sort(key=lambda one: (-one.rate, one.option))
        rows += [_option_row(report, one, called[one.option], others) for one in here]
    heads = (_("option"), _("offers a match"), _("taken when on offer"), _("so often"), _("wins, taken less not taken"))
    head = "".join(f"<th{' class=n' if i not in (0, 2) else ''}>{page.t(one)}</th>" for i, one in enumerate(heads))
    note = _(
        "“Wins, taken less not taken” compares seats that took an option at least once with those that could have and "
        "did not: it goes with winning, it need not cause it. `triclinium study ban` measures the cause. Intervals "
        "treat deals as clusters. Those of the last column hold for the whole list (Benjamini and Yekutieli): they "
        "exclude 0 exactly where Benjamini and Hochberg call a difference, with 5 % of false calls among all that are "
        "bold."
    )
    noted, matches = summary.main[0].noted, summary.main[0].matches
    some = _("Choices were noted in {0} of {1} matches.", count(noted), count(matches))
    return (
        f"{page.p(_choices_answer(report), 'answer')}<div class=panel tabindex=0>{legend(report, True)}"
        f'<table class="choices stack"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        f"{_named(report)}</div>{page.p(note, 'note')}{page.p(some, 'note') if noted < matches else ''}"
    )


def _choices_answer(report: Report) -> Text:
    summary = report.summary
    often = [one for one in summary.options["0"] if one.offered >= summary.main[0].noted]
    never = sum(one.what == "never" for one in summary.flags)
    always = sum(one.what == "always" for one in summary.flags)
    return _(
        "Of {0} options that are on offer at least once a match {1} are never taken and {2} nearly always.",
        count(len(often)),
        count(never),
        count(always),
    )


def _named(report: Report) -> str:
    flags = [one for one in report.summary.flags if one.what == "never"]
    if not flags:
        return ""
    told: list[Sayable] = []
    for step in dict.fromkeys(one.step for one in flags[:NAMED]):
        here = [one.option for one in flags[:NAMED] if one.step == step]
        called = report.options(step, here)
        told.append(_("{0} ({1})", joined([called[one] for one in here]), report.step(step)))
    listed = listing(told)
    return report.page.p(_("Never taken though on offer at least once a match: {0}.", listed), "note")


def _option_row(report: Report, one: Option, called: Sayable, others: Sequence[dict[tuple[str, str], Option]]) -> str:
    page, summary = report.page, report.summary
    key = (one.step, one.option)
    marks = ['<rect y="6" width="160" height="10" class="trk"/>']
    marks.append(f'<rect y="6" width="{160 * one.rate:.1f}" height="10" class="bar a"/>')
    has_second = len(summary.main) > 1
    for i, found in enumerate(others):
        if key in found:
            diamond = has_second and i == 0
            marks.append(drawing.mark(160 * found[key].rate, 11, "b" if diamond else "a", not diamond, 3.6))
    small = f'<svg viewBox="-6 0 174 22" aria-hidden="true">{"".join(marks)}</svg>'
    digits = 0 if one.rate > 0.1 else 1
    rate = share_text(one.taken_share, digits)
    return (
        f"<tr><th scope=row>{page.t(called)}</th>"
        f"<td class=n>{page.t(decimal(one.offered / max(1, summary.main[0].noted), 1))}</td><td class=g>{small}</td>"
        f"<td class=n>{page.t(rate)}</td><td class=n>{_wins(report, one)}</td></tr>"
    )


def _wins(report: Report, one: Option) -> str:
    page = report.page
    if one.wins is None:
        everybody = one.seats - one.takers < one.takers
        return f"<span class=soft>{page.t(_('everybody takes it') if everybody else _('too few deals'))}</span>"
    assert one.family is not None
    value, bounds = difference_texts(one.family, True, 1)
    told = page.t(value)
    bold = f"<b>{told}</b>" if one.family.excludes_zero else told
    return f"{bold} <span class=soft>{page.t(bounds)}</span>"


def things_section(report: Report) -> str:
    """Components by name, where the game tells which an option takes."""
    page, summary = report.page, report.summary
    matches = max(1, summary.component_matches)
    rows = [one for one in summary.things if summary.all_components or one.offered >= matches / 4]
    if len(rows) < 4:
        return ""
    ordered = sorted(rows, key=lambda one: (-one.taken_share.value, one.table, one.id))
    shown = ordered if summary.all_components or len(ordered) <= 2 * NAMED_THINGS else _first_and_last(ordered)
    lines = "".join(_thing_row(report, one, matches) for one in shown)
    heads = (
        _("card or place"),
        _("offers a match"),
        _("taken when on offer"),
        _("won by those who took it"),
        _("had at the end, a match"),
        _("won by those who had it"),
    )
    head = "".join(f"<th{' class=n' if i else ''}>{page.t(one)}</th>" for i, one in enumerate(heads))
    few = min(3, len(ordered) // 2)
    best, worst = (joined([report.thing(one) for one in some]) for some in (ordered[:few], ordered[-few:]))
    answer = _("Most wanted when on offer: {0}; least: {1}.", best, worst)
    table = f"<table class=stack><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    notes = [components_text(report)]
    notes.append(
        _(
            "“Won” is the share of the wins; below it, how many points that is above a fair share. It goes with "
            "winning and need not cause it: `triclinium study ban --cards ID` measures the cause. Intervals treat "
            "deals as clusters, and n counts deals. The lower intervals hold for the whole list (Benjamini and "
            "Yekutieli): they exclude 0 exactly where Benjamini and Hochberg call a difference, which is bold."
        )
    )
    if not summary.all_components:
        notes.append(
            _(
                "Components were noted in {0} of {1} matches; `--all-components` notes and lists all.",
                count(summary.component_matches),
                count(summary.main[0].matches),
            )
        )
    told = "".join(page.p(note, "note") for note in notes)
    return f"{page.p(answer, 'answer')}<div class=panel tabindex=0>{table}</div>{told}"


def _first_and_last(ordered: Sequence[ThingReport]) -> list[ThingReport]:
    """Return the most and the least wanted, and all between them that stand out."""
    middle = [one for one in ordered[NAMED_THINGS:-NAMED_THINGS] if one.stands_out]
    return [*ordered[:NAMED_THINGS], *middle, *ordered[-NAMED_THINGS:]]


def components_text(report: Report) -> Text:
    """Return which cards and places stand out among all that can be judged."""
    summary = report.summary
    judged = [one for one in summary.things if one.judged]
    out = [one for one in judged if one.stands_out]
    if not judged:
        return _("No card or place was taken in {0} deals: too few to say who wins with it.", count(FEW))
    if not out:
        return _("Of {0} cards and places none goes with more or fewer wins beyond doubt.", count(len(judged)))
    named = joined([report.thing(one) for one in out])
    return _("Of {0} cards and places these go with more or fewer wins: {1}.", count(len(judged)), named)


def taken_text(one: ThingReport) -> Text:
    return share_text(one.taken_share) if one.offered else _("never on offer")


def owners_texts(owners: Owners | None) -> tuple[Text, Text]:
    """Return the owners' share of the wins, and how far that is above a fair share."""
    if owners is None:
        return _("nobody"), lambda reader: ""
    if owners.above_fair is None:
        return share_text(owners.won), _("too few deals")
    value, bounds = difference_texts(owners.above_fair, True, 1)
    return share_text(owners.won), _("{0} ({1})", value, bounds)


def _thing_row(report: Report, one: ThingReport, matches: int) -> str:
    page = report.page
    cells = (
        page.t(decimal(one.offered / matches, 2)),
        page.t(taken_text(one)),
        _owners_cell(report, one.takers),
        page.t(decimal(one.held / matches, 2)),
        _owners_cell(report, one.holders),
    )
    told = "".join(f"<td class=n>{cell}</td>" for cell in cells)
    name = f"{page.t(one.name)} <span class=soft>{escape(one.address)}</span>"
    return f"<tr><th scope=row>{name}</th>{told}</tr>"


def _owners_cell(report: Report, owners: Owners | None) -> str:
    won, above = (report.page.t(text) for text in owners_texts(owners))
    below = f"<b>{above}</b>" if owners is not None and owners.stand_out else f"<span class=soft>{above}</span>"
    return f"{won}<br>{below}" if above else won


# -- the course -----------------------------------------------------------------------------------------------------


def course_section(report: Report) -> str:
    page, summary = report.page, report.summary
    figures = summary.main[0].figures
    answer = _(
        "On average {0} of the match is over before the winner is sure; the lead changes {1} times, the leader at half "
        "time wins {2}, and in {3} of the matches the winner was behind in the second half.",
        percent(figures["decided"].value, 0),
        decimal(figures["changes"].value, 1),
        percent(figures["half"].value, 0),
        percent(figures["behind"].value, 0),
    )
    fair = 1 / summary.seats
    label = _("equal chances, {0}", percent(fair, 0))
    headings = [_("Chance of the later winner, {0}", report.edition(i)) for i in range(len(report.editions))]
    if report.is_lone:
        headings = [_("Chance of the later winner")]
    panels = "".join(
        f'<div class="panel" tabindex="0"><h3 id="course-{i}">{page.t(headings[i])}</h3>'
        f"{drawing.bands(page, arm.bands, fair, label, 'ab'[i], f'course-{i}')}</div>"
        for i, arm in enumerate(summary.main[:2])
    )
    note = _(
        "Across: how much of the match is over. Line: the median match; dark band: the middle half of all matches; "
        "light band: the middle 80 %. Chances are the judge’s on the true state, as they come true in this study."
    )
    beside, below = (_course_table(report), "") if report.is_lone else ("", _course_table(report))
    return f'{page.p(answer, "answer")}<div class="two">{panels}{beside}</div>{below}{page.p(note, "note")}'


def _course_table(report: Report) -> str:
    page, main = report.page, report.summary.main[:2]
    rows: list[str] = []
    for figure in COURSE:
        if figure not in main[0].figures or main[0].figures[figure].n == 0:
            continue
        cells = "".join(_cell(report, figure, arm.figures[figure]) for arm in main)
        rows.append(f"<tr><th scope=row>{page.t(report.figure(figure))}</th>{cells}</tr>")
    heads = [_("mean")] if report.is_lone else [report.edition(i) for i in range(len(main))]
    head = "".join(f"<th class=n>{page.t(one)}</th>" for one in heads)
    return (
        f"<div class=panel tabindex=0><table><thead><tr><th>{page.t(_('figure'))}</th>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _cell(report: Report, figure: str, one: Estimate) -> str:
    page = report.page
    share = is_share(figure)
    bounds = interval(one, share, max(1, KINDS[figure].digits) if share else KINDS[figure].digits)
    return f"<td class=n>{page.t(report.value(figure, one.value))} <span class=soft>{page.t(bounds)}</span></td>"
