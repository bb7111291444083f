"""The table's page for one viewer: what the presenter shows, and what the page adds to it."""

import secrets
from collections.abc import Iterable
from functools import partial
from urllib.parse import quote

from fastapi import Response

from triclinium.boardkit.cards import find_mentioned_card
from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.option_targets import ButtonsByThing, build_buttons, build_chain_buttons
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Name, Reader
from triclinium.engine.game import Game
from triclinium.engine.match import OPTION_SEPARATOR
from triclinium.engine.view import View
from triclinium.engine.visible_scores import VisibleScore, get_upper_bound
from triclinium.server import plugin_errors
from triclinium.server.errors import NotAllowed
from triclinium.server.presenter import fallback_text
from triclinium.server.presenter.decision import DecisionOffer, DecisionView, group_refusals
from triclinium.server.presenter.log import build_log, build_public_record
from triclinium.server.presenter.scores import compute_points_behind
from triclinium.server.presenter.table_view import TableView, choose_viewing_seat, find_asked_step, needs_handover
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.tables import share
from triclinium.server.tables.bot_seats import can_open_seat, would_make_unrated
from triclinium.server.tables.chat import load_messages
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.rematch import find_rematch
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.server.tables.undo import find_undo_requester, is_alone, needs_practice
from triclinium.web import assets
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.guide import GuideHint, load_guide, load_guide_progress
from triclinium.web.pages.hints import build_hint_view
from triclinium.web.pages.rating_change import describe_rating_change
from triclinium.web.pages.stranded_match import explain_score_signs, render_stranded_page
from triclinium.web.pages.table_clocks import build_clock_variables, summarize_result
from triclinium.web.pages.variants import describe_differences
from triclinium.web.pages.waiting_room import (
    build_seat_links,
    build_watch_link,
    count_unread,
    describe_origin,
    render_waiting_page,
)

MAX_LOG_LINES = 80
# what a game may bring
GAME_TEMPLATE_FLAGS = (
    "has_board",
    "has_table",
    "has_seat",
    "has_option",
    "has_result",
    "has_named",
    "has_style",
    "has_colours",
)
# whoever must first come back, or wait for the end of a pause, is shown no decision
NO_DECISION: dict[str, object] = {
    "my_turn": False,
    "decision": None,
    "offers": {},
    "chosen": None,
    "foretold": None,
    "advice": None,
    "hint_marks": {},
    "ways": list,
    "way": lambda *_: None,
    "guide": None,
}
SPECTATOR = -1  # as addresses and forms spell it
RANK_NAMES = (
    Name("second", "rank"),
    Name("third", "rank"),
    Name("fourth", "rank"),
    Name("fifth", "rank"),
    Name("sixth", "rank"),
)


def make_form_key() -> str:
    """A mark for one form, so that the same post twice is known again."""
    return secrets.token_urlsafe(12)


def join_last_form_keys(table: Table, seats: Iterable[Seat]) -> str:
    """Return the key of the last post of each of these seats, so that a page knows which of its moves has arrived."""
    last = {recent_post.seat: key for key, recent_post in table.recent.items()}
    return " ".join(last[seat] for seat in seats if seat in last)


def read_requested_seat(context: PageContext) -> int | None:
    """The seat whose eyes the reader asks for in the address: ``as=1``; ``as=-1`` is a spectator's."""
    requested = context.request.query_params.get("as", "")
    return SPECTATOR if requested == str(SPECTATOR) else parse_whole_number(requested, 2)


def format_seat_query(context: PageContext) -> str:
    """The same wish, to be taken on to another address."""
    requested = read_requested_seat(context)
    return "" if requested is None else f"?as={requested}"


def render_table_page(
    context: PageContext,
    table: Table,
    viewer: Viewer,
    *,
    past: int | None = None,
    notice: str = "",
    status: int = 200,
    acting_seat: int | None = None,
) -> Response:
    """Return the page. ``acting_seat`` is the seat whose request failed. The table's lock is held."""
    if not table.begun:
        return render_waiting_page(context, table, viewer, notice, status)
    if table.stranded is not None:
        return render_stranded_page(context, table, viewer, notice, status)
    requested = read_requested_seat(context) if acting_seat is None else acting_seat
    if needs_handover(table, viewer.own_seats, requested, past):
        variables = {"table": table, "who": table.who, "names": table.names(), "notice": notice}
        return context.render_page(
            "handover.html.jinja", status, **variables, sent=join_last_form_keys(table, viewer.own_seats)
        )
    table_view = TableView(
        table, viewer.own_seats, choose_viewing_seat(table, viewer.own_seats, requested, past), context.language, past
    )
    return render_table_template(
        context, table, {**build_table_variables(context, table_view, viewer), "notice": notice}, status
    )


def render_table_template(
    context: PageContext, table: Table, variables: dict[str, object], status: int, template: str = "table.html.jinja"
) -> Response:
    """The page with what the game draws, and the kit's board where it draws none.

    Should its drawing or a template of it fail, all is the kit's; should the kit fail, the table is plain text.
    """
    game, view, reader = table.game, variables["view"], variables["reader"]
    assert isinstance(view, View)
    assert isinstance(reader, Reader)
    no_game_templates = dict.fromkeys(GAME_TEMPLATE_FLAGS, False)
    for part, flags in (
        ("drawing", {name: variables[name] for name in GAME_TEMPLATE_FLAGS}),
        ("default table", no_game_templates),
    ):
        try:
            drawing = assets.draw_view(game, view) if any(flags.values()) else {}
            kit = (
                None
                if flags["has_board"]
                else build_default_board(view, map_kinds_by_name(game), place_buttons(game, view, variables, reader))
            )
            game_art = {
                "drawing": drawing,
                "kit": kit,
                "named_card": partial(find_mentioned_card, map_kinds_by_name(game)),
            }
            return context.render_page(template, status, **{**variables, **flags, **game_art})
        except Exception as error:
            plugin_errors.log_once(game.id, part, error)
    return context.render_page(
        template,
        status,
        **{**variables, **no_game_templates, "plain": fallback_text.format_table_text(game, view, reader)},
    )


def place_buttons(game: Game, view: View, variables: dict[str, object], reader: Reader) -> ButtonsByThing:
    """What may be chosen, on the things that it names."""
    decision, chains = variables["decision"], variables["ways"]
    if not isinstance(decision, DecisionView):
        return {}
    assert callable(chains)
    direct = build_buttons(game, view, decision.allowed, reader)
    return {**build_chain_buttons(game, view, chains(), direct, reader), **direct}


# -- what the table's template shows, part by part --------------------------------------------------------------------


def build_table_variables(context: PageContext, table_view: TableView, viewer: Viewer) -> dict[str, object]:
    """All of it."""
    as_query = build_seat_query(context, table_view)
    time = build_clock_variables(context, table_view, viewer)
    is_interrupted = bool(time["paused_until"] or time["bot_for_me"])
    return {
        **build_match_variables(context, table_view),
        **build_decision_variables(context, table_view, as_query),
        **(NO_DECISION if is_interrupted else {}),
        **build_undo_variables(context, table_view),
        **build_log_variables(context, table_view),
        **build_people_variables(context, table_view, viewer),
        **build_asset_variables(context, table_view),
        **time,
        "as_query": as_query,
        "as_value": SPECTATOR if table_view.seat is None else table_view.seat,
    }


def build_seat_query(context: PageContext, table_view: TableView) -> str:
    """What keeps the reader behind the same eyes from page to page, where there is a choice."""
    has_choice = len(table_view.own_seats) > 1 or (table_view.over and "as" in context.request.query_params)
    return f"?as={SPECTATOR if table_view.seat is None else table_view.seat}" if has_choice else ""


def build_match_variables(context: PageContext, table_view: TableView) -> dict[str, object]:
    """The position and its scores."""
    table, game, reader = table_view.table, table_view.game, table_view.reader
    reasons = list_unrated_reasons(table)

    def translate_arg(arg: Arg) -> str:
        """A name or a message of the game, in the reader's language."""
        if type(arg) is Name:  # most by far
            return reader.translate(arg.text, arg.context) if arg.context else arg.text
        return reader.format_arg(arg)

    return {
        "_": Localizer(table_view.language, game.words),
        "table": table,
        "game": game,
        "view": table_view.view,
        "reader": reader,
        "say": translate_arg,
        "seat": table_view.seat,
        "mine": table_view.own_seats,
        "names": table.names(),
        "who": table_view.who,
        "past": table_view.past,
        "over": table_view.over,
        "ended": table_view.ended,
        "points": table_view.points,
        "score_lines": table_view.score_lines(),
        "score_notes": explain_score_signs(context, table, table_view.points),
        "origin": describe_origin(context, table),
        "counts": not reasons,
        "unrated": context.localize(SENTENCES[reasons[0]]) if reasons else "",
        **(build_result_variables(context, table_view) if table_view.over else {}),
    }


def build_result_variables(context: PageContext, table_view: TableView) -> dict[str, object]:
    """How the match ended."""
    at_end = table_view.past is None
    result = summarize_result(context, table_view)
    points = result.points
    return {
        **({"points": points} if at_end else {}),
        "gone": result.departures,
        "gone_seats": result.bot_seats,
        "headline": describe_winners(context, table_view.table, points),
        "my_place": describe_my_rank(context, table_view, points),
        "rating": describe_rating_change(context, table_view.table) if at_end else "",
        "rematch": find_rematch(context.services.store, table_view.table) if at_end else "",
        "seed_text": table_view.table.make_opening_record().format_seed(),
        "final_lines": table_view.final_lines(context.localize("Total")) if at_end else [],
        "contests": table_view.contests() if at_end else [],
        "behind": compute_points_behind(points),
        "reasons": table_view.reasons() if at_end else [],
        **(build_share_variables(context, table_view.table) if table_view.own_seats and at_end else {}),
    }


def build_share_variables(context: PageContext, table: Table) -> dict[str, object]:
    """The link by which others may read the match, if somebody has made it."""
    with context.services.store.read_connection() as connection:
        match_share = share.find_share(connection, table.id)
    return {
        "share": match_share,
        "share_link": "" if match_share is None else context.origin + match_share.path,
        "public_names": table.options.shown == "watched",
    }


def build_decision_variables(context: PageContext, table_view: TableView, as_query: str) -> dict[str, object]:
    """What the reader is asked, with a hint and the guide; where an option was pressed that is to be confirmed, it."""
    chosen_offer = table_view.offer(context.request.query_params.get("choose", ""))
    hint = None
    if table_view.decision is not None and table_view.seat is not None:
        hint = build_hint_view(context, table_view.table.find_hint(table_view.seat), table_view)
    seat_suffix = as_query.replace("?", "&")

    def build_option_link(option: str) -> str:
        """Where a place on the board leads without script: the option, to be confirmed."""
        return f"/tables/{table_view.table.id}?choose={quote(option)}{seat_suffix}"

    def list_chains() -> list[DecisionOffer]:
        """What one click may choose in several options. They are looked for only where a game draws them."""
        return [
            offer for notation, offer in table_view.chain_offers.items() if notation not in table_view.combined_offers
        ]

    def find_chain(last: str, first: str = "") -> DecisionOffer | None:
        """The one that ends with this option, and begins with this verb: what a click on a far place chooses."""
        ends = (
            offer
            for notation, offer in table_view.chain_offers.items()
            if notation.endswith(f"{OPTION_SEPARATOR}{last}")
        )
        return next((offer for offer in ends if offer.option.startswith(first)), None)

    return {
        "my_turn": table_view.decision is not None,
        "sent": join_last_form_keys(table_view.table, table_view.own_seats),
        "spoken_question": ""
        if table_view.combined_decision is None
        else build_spoken_question(context.localize, table_view.combined_decision.question),
        "decision": table_view.combined_decision,
        "offers": table_view.combined_offers,
        "link": build_option_link,
        "refused": group_refusals(table_view.combined_decision),
        "chosen": chosen_offer,
        "way": find_chain,
        "ways": list_chains,
        "advice": hint,
        "foretold": table_view.preview(chosen_offer.option) if chosen_offer is not None else None,
        "hint_marks": {} if hint is None or chosen_offer is not None else hint.marks,
        "key": make_form_key(),
        "guide": None if table_view.past is not None or table_view.over else find_guide_hint(context, table_view),
        "sparing": table_view.auto_replies,
    }


def build_spoken_question(localize: Localizer, question: str) -> str:
    """Return the question as a screen reader hears it: that it is the reader's turn is said once."""
    turn = localize("Your turn")
    return question if turn.lower() in question.lower() else localize("{0}: {1}", turn, question)


def render_preview(context: PageContext, table: Table, viewer: Viewer, option: str) -> Response:
    """What an option would do, to be shown beside it. The table's lock is held."""
    table_view = TableView(
        table,
        viewer.own_seats,
        choose_viewing_seat(table, viewer.own_seats, read_requested_seat(context), None),
        context.language,
    )
    if not table_view.is_asked:
        raise NotAllowed("it is not your turn")
    preview = table_view.preview(option)
    if preview is None or not preview.lines:  # nothing to say
        return Response(status_code=204)
    return context.render_page("table/preview.html.jinja", names=table.names(), foretold=preview)


def build_undo_variables(context: PageContext, table_view: TableView) -> dict[str, object]:
    """Whether the reader may undo, or ask the others to."""
    table, mine = table_view.table, table_view.own_seats
    undoable = [seat for seat in mine if table_view.can_undo(seat)]
    playing = bool(mine) and not table_view.over
    is_current = playing and table_view.past is None
    undo_request = find_undo_requester(context.services.store, table) if is_current else None
    may_ask = table.options.undo and playing and table_view.last_own_move > 0 and not undoable
    return {
        "may_undo": bool(undoable),
        "may_ask_back": may_ask or undo_request is not None,
        "back_asked": undo_request,
        "alone": is_alone(table, mine),
        "only_practice": is_current and needs_practice(table, mine),
    }


def build_log_variables(context: PageContext, table_view: TableView) -> dict[str, object]:
    """What has happened, the last first; and what the reader has missed since their last decision."""
    lines, moves = table_view.log, table_view.table.moves
    shows_all = context.request.query_params.get("log") == "all"
    news = table_view.news
    return {
        "round_starts": [
            line.n for line in build_log(table_view.table, table_view.seat, table_view.language) if line.begins_round
        ],
        "log_lines": list(reversed(lines if shows_all else lines[-MAX_LOG_LINES:])),
        "log_more": not shows_all and len(lines) > MAX_LOG_LINES,
        "past_lines": [line for line in lines if line.n == table_view.past],
        "read_until": table_view.last_own_move or moves,
        "turned_up": table_view.revealed_cards,
        "news": news if news is not None and news.since else None,
        "news_from": 0 if news is None else min(news.after + 1, moves),
    }


def build_people_variables(context: PageContext, table_view: TableView, viewer: Viewer) -> dict[str, object]:
    """Who is here, what they say, and whom the reader may let in."""
    table = table_view.table
    chat = load_messages(context.services.store, table, seated=bool(viewer.own_seats))
    return {
        "chat": chat,
        "unread": count_unread(context, table) if any(not entry.by_server for entry in chat) else 0,
        "here_now": table.hub.list_present_seats() | set(viewer.own_seats),  # the reader is about to listen
        "watching": table.hub.count_spectators(),
        "differing": describe_differences(table.game, table.options.variants, context.localize, skip_defaults=True),
        "watch_link": build_watch_link(context, table) if viewer.own_seats else "",
        "is_host": viewer.is_host(table),
        "links": {} if table_view.over else build_seat_links(context, table, viewer),
        "openable": [
            entry
            for entry in table.occupants
            if table_view.past is None and can_open_seat(table, viewer.is_host(table), entry)
        ],
        "opening_unrates": would_make_unrated(table),
    }


def build_asset_variables(context: PageContext, table_view: TableView) -> dict[str, object]:
    """What the game brings for its table; a designer may leave all of it to the kit."""
    game, own = table_view.game, not context.services.settings.plain_boards
    flags = {
        name: own and assets.has_file(game, file)
        for name, file in zip(GAME_TEMPLATE_FLAGS, assets.TABLE_FILES, strict=True)
    }
    return {"c": assets.build_printed_components(game), "drawing": {}, "kit": None, "plain": "", **flags}


def find_guide_hint(context: PageContext, table_view: TableView) -> GuideHint | None:
    """What the guide tells this reader now."""
    if not table_view.own_seats:
        return None
    table = table_view.table
    progress = load_guide_progress(
        context.services.store, context.person, context.request.cookies, table.game_id, table.id
    )
    decision_kind = (
        find_asked_step(table, table_view.seat) if table_view.is_asked and table_view.seat is not None else ""
    )
    return load_guide(table.game).next_hint(progress.seen, decision_kind) if progress.enabled else None


def render_print_page(context: PageContext, table: Table, viewer: Viewer) -> Response:
    """A finished match on paper: result, score sheet, log, and its record if wished. Always light; the lock is held."""
    seat = choose_viewing_seat(table, viewer.own_seats, read_requested_seat(context), None)
    table_view = TableView(table, viewer.own_seats, seat, context.language)
    context.theme = "light"
    result = summarize_result(context, table_view)
    return context.render_page(
        "print.html.jinja",
        _=Localizer(context.language, table.game.words),
        table=table,
        game=table.game,
        names=table.names(),
        points=result.points,
        gone=result.departures,
        score_lines=table_view.score_lines(),
        headline=describe_winners(context, table, result.points),
        log_lines=table_view.log,
        seed_text=table.make_opening_record().format_seed(),
        written=build_public_record(table).options if context.request.query_params.get("record") == "on" else [],
    )


def describe_winners(context: PageContext, table: Table, points: list[VisibleScore]) -> str:
    """Who won."""
    winners = [score for score in points if score.rank == 1]
    if len(winners) == 1 and winners[0].total is not None:
        name, points_won = table.names()[winners[0].seat], get_upper_bound(winners[0].total)
        return context.localize("{0} wins with {1} {1:point|points}", name, points_won)
    if len(winners) == 1:
        return context.localize("{0} wins", table.names()[winners[0].seat])
    shared = ", ".join(table.names()[score.seat] for score in winners)
    return context.localize("{0} share the victory", shared)


def describe_my_rank(context: PageContext, table_view: TableView, points: list[VisibleScore]) -> str:
    """How the reader ended who has not won: said aloud after the headline."""
    if table_view.seat is None or table_view.seat not in table_view.own_seats:
        return ""
    score = points[table_view.seat]
    if not isinstance(score.rank, int) or score.rank < 2:
        return ""
    place = context.localize.name(RANK_NAMES[score.rank - 2])
    if score.total is None:
        return context.localize("You are {0}.", place)
    return context.localize("You are {0} with {1} {1:point|points}.", place, get_upper_bound(score.total))
