"""Pages that show one position of a match as a seat saw it, with a question about it in place of the table's forms."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from urllib.parse import quote

from fastapi import Response

from triclinium.engine.core.state import Seat
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.server.presenter.decision import group_refusals
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables.sample_table import make_sample_table
from triclinium.server.tables.seats import Viewer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.hints import HintMark
from triclinium.web.pages.table_decision import TableDecision, build_spoken_question
from triclinium.web.pages.table_page import (
    TablePresence,
    TableVariables,
    UndoOptions,
    build_table_variables,
    find_no_chain,
    render_table_template,
)

NO_UNDO = UndoOptions(False, False, None, True, False)


def make_sample_view(
    context: PageContext, game: Game, record: Record, seat: Seat, title: str, names: Sequence[str] = ()
) -> TableView:
    """Return a seat's view of the position at the end of a record. Without names, the seats are numbered."""
    numbered = names or [context.localize("Player {0}", n + 1) for n in range(record.seats)]
    table = make_sample_table(game, record, numbered, title)
    return TableView(table, (seat,), seat, context.language)


def render_sample_page(
    context: PageContext,
    table_view: TableView,
    template: str,
    option_link: Callable[[str], str],
    marked: str = "",
    verdict: str = "",
    asks: bool = True,
    **more: object,
) -> Response:
    """Return a page with the position. ``marked`` is an option that the board marks, with a text for screen readers.

    ``option_link`` returns the address that a place on the board leads to. A page that does not ask has no options.
    """
    context.confirms_moves = False
    viewer = Viewer(None, table_view.own_seats)
    variables = build_table_variables(context, table_view, viewer)
    decision = build_sample_decision(context, table_view) if asks else None
    page = replace(
        variables.page,
        decision=decision,
        guide=None,
        auto_replies=None,
        undo=NO_UNDO,
        presence=TablePresence(set(range(len(variables.names))), 0),
        form_key="",
        last_form_keys="",
    )
    offers = {} if decision is None else decision.offers
    mark = table_view.offers.get(marked)
    marks = {} if mark is None else {marked: HintMark(mark, 0, 0, True, verdict)}
    sample: TableVariables = replace(
        variables,
        page=page,
        offers=offers,
        chosen=None,
        hint_marks=marks,
        as_query="",
        link=option_link,
        ways=list,
        way=find_no_chain,
    )
    return render_table_template(context, table_view, sample, template, **more)  # type: ignore[arg-type]


def build_sample_decision(context: PageContext, table_view: TableView) -> TableDecision | None:
    """Return the question of the position, one option at a time, without hints; None if another seat is asked."""
    question = table_view.decision
    if question is None:
        return None
    return TableDecision(
        question=question,
        spoken_question=build_spoken_question(context.localize, question.question),
        offers=table_view.offers,
        refused=group_refusals(question),
        chosen=None,
        preview=None,
        hint=None,
        counted=None,
    )


def make_query_link(path: str, name: str) -> Callable[[str], str]:
    """Return a function that makes the address of an option: a path, which may have a query, and the option."""
    sign = "&" if "?" in path else "?"
    return lambda option: f"{path}{sign}{name}={quote(option)}"
