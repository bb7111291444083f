"""The end of a report: how sure it is, what more matches would tell, and the fine print."""

from html import escape

from triclinium.engine.core.text import msgid
from triclinium.lab.study import drawing
from triclinium.lab.study.compare import is_share
from triclinium.lab.study.figures import KINDS
from triclinium.lab.study.plan import COMPARE
from triclinium.lab.study.report import Report, capital
from triclinium.lab.study.runner import EVERY
from triclinium.lab.study.statistics import deals_to_tell
from triclinium.lab.study.summary import Look
from triclinium.lab.study.voice import Text, _, count, counted, decimal, name, percent


def sure_section(report: Report) -> str:
    page, summary = report.page, report.summary
    main = summary.differences[0]
    drawn = drawing.looks(
        page, summary.course, [(one.deals, one.family) for one in summary.looks], summary.planned, main.band, "sure-d"
    )
    heading = _("{0}: the difference in percentage points, as deals came in", capital(report.figure(main.figure)))
    if report.is_lone:
        heading = _("{0}: percentage points from fair, as deals came in", capital(report.figure(main.figure)))
    band = decimal(100 * main.band, 1)
    note: Text = _("One look, when all deals were played. Band: {0} points either way.", band)
    if summary.looks_planned == 0:
        note = _(
            "It was looked at every {0} deals. The intervals are a confidence sequence, wider than ordinary ones, so "
            "that all looks together are wrong in 5 % of studies at most. Band: {1} points either way.",
            count(EVERY),
            band,
        )
    elif summary.looks_planned > 1:
        note = counted(
            msgid(
                "{1} planned {0:look|looks} at most. Their intervals are those of the verdicts: wider than ordinary "
                "ones, the earlier the wider (O’Brien and Fleming), so that all figures at all looks together are "
                "wrong in 5 % of studies at most. Band: {2} points either way."
            ),
            summary.looks_planned,
            band,
        )
    return (
        f'{page.p(_sure_answer(report), "answer")}<div class="panel" tabindex="0">'
        f'<h3 id="sure-d">{page.t(heading)}</h3>'
        f"{drawn}{page.p(note, 'note')}</div>{_needed(report)}"
    )


def _sure_answer(report: Report) -> Text:
    summary = report.summary
    last: Look = summary.looks[-1]
    if summary.stopped:
        return _(
            "It stopped after {0} of {1} planned deals: every headline figure was settled.",
            count(summary.deals),
            count(summary.planned),
        )
    return counted(
        msgid("After {2} deals {1} of {3} headline figures {0:is|are} settled."),
        last.settled,
        count(summary.deals),
        count(last.of),
    )


def _needed(report: Report) -> str:
    """What a difference of the size of the band would take, with separate deals and with shared ones."""
    page = report.page
    rows: list[str] = []
    for one in report.summary.differences:
        if one.edition > 1 or one.alone.error == 0:
            continue
        deviation = one.alone.error * one.alone.n**0.5
        shared = deals_to_tell(deviation, one.band)
        apart = deviation / max(1e-9, (1 - one.saved)) ** 0.5
        band = percent(one.band, 1) if is_share(one.figure) else decimal(one.band, max(1, KINDS[one.figure].digits))
        cells = [band, count(shared)]
        if not report.is_lone:
            cells[1:1] = [count(deals_to_tell(apart, one.band))]
            cells += [percent(one.saved, 0), decimal(one.correlation, 2, True)]
        told = "".join(f"<td class=n>{page.t(cell)}</td>" for cell in cells)
        rows.append(f"<tr><th scope=row>{page.t(report.figure(one.figure))}</th>{told}</tr>")
    heads = [_("figure"), _("difference"), _("separate deals"), _("shared deals"), _("saved"), _("correlation")]
    note = _(
        "How many deals show such a difference in 80 of 100 studies. “Saved” is what sharing deals and the chance of "
        "bots took off the variance, measured in this study; plans count on nothing."
    )
    if report.is_lone:
        heads = [_("figure"), _("distance from fair"), _("deals")]
        note = _("How many deals show such a distance in 80 of 100 studies.")
    head = "".join(f"<th{' class=n' if i else ''}>{page.t(one)}</th>" for i, one in enumerate(heads))
    return (
        f'<div class="panel" tabindex="0"><h3>{page.t(_("Deals that tell a difference"))}</h3><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{page.p(note, 'note')}</div>"
    )


def fine_section(report: Report, study: str) -> str:
    """Calibration, the study file, and what bots cannot tell."""
    page, summary = report.page, report.summary
    again = _("The same study gives the same figures on any machine and with any number of workers.")
    file = f"<pre>{escape(study)}</pre>{page.p(again, 'note')}"
    panels = [f'<div class="panel" tabindex="0"><h3>{page.t(_("Run it again"))}</h3>{file}</div>']
    if summary.kind == COMPARE:
        panels.insert(0, _calibration(report))
    caveats = _(
        "Bots have no plan that their evaluation does not know, do not bargain, bluff little and never tire; their "
        "weights were fitted to the printed game. A difference that two kinds of bots share is likely to be the "
        "game’s; one that only one kind shows may be the bot’s. Try what you decide with people."
    )
    return f'<div class="two">{"".join(panels)}</div>{page.p(caveats, "note")}'


def _calibration(report: Report) -> str:
    page = report.page
    one = report.summary.main[0]
    note = _(
        "Chance said (across) and wins that came (up), in ten groups of moments, {0} bots, “{1}”. Squared error {2}; "
        "equal chances have {3}. The judge’s logarithms of odds were multiplied by {4} at the beginning and by {5} at "
        "the end, one fit for all editions.",
        name(report.bots),
        report.edition(0),
        decimal(one.told.error, 3),
        decimal(one.told.even, 3),
        decimal(one.stretch.early, 2),
        decimal(one.stretch.early + one.stretch.late, 2),
    )
    drawn = drawing.scatter(page, one.told.said, one.told.came, "fine-c")
    heading = page.t(_("Are the chances true?"))
    return f'<div class="panel cal" tabindex="0"><h3 id="fine-c">{heading}</h3>{drawn}{page.p(note, "note")}</div>'
