"""The table's page for one viewer: the presenter's view of the match, and everything that the page adds to it.

A template gets two kinds of variables. The fields of `TableVariables` have names of their own, because the templates of
games and the board kit use them, too (`docs/new-game.md` lists them). Everything else is part of `page`, a `TablePage`.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from fastapi import Response

from triclinium.boardkit.cards import find_mentioned_card
from triclinium.boardkit.default_board import build_default_board
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.option_targets import ButtonsByThing, build_buttons, build_chain_buttons
from triclinium.boardkit.parts import Board, Card
from triclinium.boardkit.preview import Preview
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Name, NamedComponent, Reader
from triclinium.engine.game import Game
from triclinium.engine.view import View
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import fallback_text, plugin_errors
from triclinium.server.errors import NotAllowed
from triclinium.server.presenter.auto_replies import AutoReplyView
from triclinium.server.presenter.decision import DecisionOffer
from triclinium.server.presenter.log import build_log
from triclinium.server.presenter.recap import News, RevealedCard
from triclinium.server.presenter.scores import ScoreLine
from triclinium.server.presenter.table_view import Seats, TableView, choose_viewing_seat, needs_handover
from triclinium.server.presenter.unrated_reasons import SENTENCES
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.tables.bot_seats import can_open_seat, would_make_unrated
from triclinium.server.tables.chat import ChatMessage, load_messages
from triclinium.server.tables.rating_eligibility import list_unrated_reasons
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import LogLine, Occupant, Table
from triclinium.server.tables.undo import find_undo_requester, is_alone, needs_practice
from triclinium.web import assets
from triclinium.web.edition_ribbon import EditionRibbon, make_edition_ribbon
from triclinium.web.game_guide import GuideHint
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.hints import HintMark
from triclinium.web.pages.stranded_match import explain_score_signs, render_stranded_page
from triclinium.web.pages.table_clocks import (
    Absence,
    TableClocks,
    build_absence,
    build_clocks,
    describe_clock,
)
from triclinium.web.pages.table_decision import ChainFinder, TableDecision, build_table_decision, find_guide_hint
from triclinium.web.pages.table_result import MatchResult, build_match_result
from triclinium.web.pages.variants import VariantDifferences, describe_differences
from triclinium.web.pages.waiting_room import (
    build_seat_links,
    build_watch_link,
    count_unread,
    describe_origin,
    render_waiting_page,
)

MAX_LOG_LINES = 80
Rendered = TypeVar("Rendered")
SPECTATOR = -1  # the number of a spectator's view in addresses and forms


# -- the parts of the page --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchNotes:
    """Facts about this match that differ from other matches of the game."""

    origin: str  # the origin of a match that did not begin with its own shuffle
    clock: str  # the clock in words; empty if the table has none
    differences: VariantDifferences  # differences from the printed game
    unrated_reason: str  # the reason in words; empty if the match is rated
    ribbon: EditionRibbon | None  # the name and the differences of an edition, or None for the printed components

    @property
    def is_rated(self) -> bool:
        return not self.unrated_reason


@dataclass(frozen=True, slots=True)
class TableScores:
    """The score sheet of the position as the viewer can know it."""

    points: list[VisibleScore]
    lines: list[ScoreLine]
    notes: list[str]  # explanations of the signs on the sheet
    is_final: bool  # the match has ended at this position


@dataclass(frozen=True, slots=True)
class UndoOptions:
    """The ways in which the reader can undo moves."""

    is_allowed: bool  # the reader can undo without asking anyone
    can_request: bool  # the reader can undo if the others agree
    requested_by: Seat | None  # the player whose request the reader has not answered
    is_alone: bool  # no other person plays, so nobody needs to consent
    is_practice_only: bool  # hidden information was revealed to the reader, so the match would no longer be rated


@dataclass(frozen=True, slots=True)
class MatchLog:
    """The log of the match, and the recap of what happened since the reader's last decision."""

    lines: list[LogLine]  # the lines of the log, the latest first
    has_more: bool  # older lines are left out
    position_lines: list[LogLine]  # lines of the last move before the position that is shown
    read_until: int  # the number of the last move that the reader has seen
    revealed_cards: list[RevealedCard]
    news: News | None
    news_from: int  # the number of the first move in the recap


@dataclass(frozen=True, slots=True)
class TableChat:
    """The chat, and how many messages the reader has not read."""

    messages: list[ChatMessage]
    unread: int


@dataclass(frozen=True, slots=True)
class TablePresence:
    """The people who have the table open."""

    seats: set[Seat]
    spectators: int


@dataclass(frozen=True, slots=True)
class TableInvitations:
    """The links and seats that the reader can give to other people."""

    is_host: bool
    watch_link: str  # the link for spectators; empty if the reader does not play
    seat_links: Mapping[Seat, str]  # the links of free seats
    bot_seats: list[Occupant]  # bot seats that the host can open to people
    opening_makes_unrated: bool


@dataclass(frozen=True, slots=True)
class GameArt:
    """The templates and styles that a game brings for its table, or the board kit's drawing in their place."""

    has_board: bool = False
    has_table: bool = False
    has_seat: bool = False
    has_option: bool = False
    mentions: str = ""  # the template of components that a sentence names
    has_style: bool = False
    has_colours: bool = False
    kit: Board | None = None  # the kit's drawing; None if the game draws the board, or if nothing could be drawn
    plain_text: str = ""  # the table in plain text, if nothing could be drawn
    find_card: Callable[[NamedComponent], Card | None] | None = None  # the card that a sentence mentions

    @property
    def has_own_drawing(self) -> bool:
        """Return whether any template or style of the game is used."""
        return (
            self.has_board
            or self.has_table
            or self.has_seat
            or self.has_option
            or self.mentions != ""
            or self.has_style
            or self.has_colours
        )


@dataclass(frozen=True, slots=True)
class TablePage:
    """Everything that the table's page shows besides the variables that games use, part by part."""

    own_seats: Seats  # the seats that the reader plays
    seat_value: int  # the viewing seat in forms; `SPECTATOR` for a spectator's view
    form_key: str  # unique, so that the server recognizes a form that is sent twice
    last_form_keys: str  # the keys of the reader's last posts, so that the page knows which moves have arrived
    notice: str  # an error message for the reader
    notes: MatchNotes
    decision: TableDecision | None  # None: the reader is not asked, or must first return or wait for a pause to end
    guide: GuideHint | None
    auto_replies: AutoReplyView | None
    undo: UndoOptions
    clocks: TableClocks
    absence: Absence
    log: MatchLog
    scores: TableScores
    chat: TableChat
    presence: TablePresence
    invitations: TableInvitations
    result: MatchResult | None  # the final result; None if the match continues, or if an earlier position is shown
    art: GameArt


@dataclass(frozen=True)
class TableVariables:
    """The variables of the table's templates, by name; the templates of games may use all of them but `page`."""

    page: TablePage
    table: Table
    game: Game
    view: View
    seat: Seat | None
    names: tuple[str, ...]
    who: Seat | None  # the seat that has to decide
    past: int | None  # the move after which the position is shown; None: now
    over: bool
    points: list[VisibleScore]
    round_starts: list[int]
    as_query: str  # keeps the reader's viewing seat from page to page
    offers: Mapping[str, DecisionOffer]
    chosen: DecisionOffer | None
    hint_marks: Mapping[str, HintMark]
    has_option: bool
    c: object  # the printed components, in the game's own type
    say: Callable[[Arg], str]
    link: Callable[[str], str]
    ways: Callable[[], list[DecisionOffer]]
    way: Callable[..., DecisionOffer | None]
    drawing: Mapping[str, object] = field(default_factory=dict)  # the result of the game's `draw`


@dataclass(frozen=True)
class HandoverVariables:
    """The variables of the page that hides the table until the next player at this device is there."""

    table: Table
    who: Seat | None
    names: tuple[str, ...]
    notice: str
    last_form_keys: str


@dataclass(frozen=True)
class PreviewVariables:
    """The variables of the preview of an option."""

    names: tuple[str, ...]
    preview: Preview


# -- rendering --------------------------------------------------------------------------------------------------------


def make_form_key() -> str:
    """Return a unique key for one form, so that the server recognizes a form that is sent twice."""
    return secrets.token_urlsafe(12)


def join_last_form_keys(table: Table, seats: Iterable[Seat]) -> str:
    """Return the key of each seat's last form as one text, which tells a page whether its move has arrived."""
    last = {recent_post.seat: key for key, recent_post in table.recent.items()}
    return " ".join(last[seat] for seat in seats if seat in last)


def read_requested_seat(context: PageContext) -> int | None:
    """Return the viewing seat that the address asks for (``as=1``, or ``as=-1`` for a spectator's view), or None."""
    requested = context.request.query_params.get("as", "")
    return SPECTATOR if requested == str(SPECTATOR) else parse_whole_number(requested, 2)


def format_seat_query(context: PageContext) -> str:
    """Return the query that asks for the same viewing seat at another address."""
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
    """Return the page. ``acting_seat`` is the seat whose request failed."""
    if not table.begun:
        return render_waiting_page(context, table, viewer, notice, status)
    if table.stranded is not None:
        return render_stranded_page(context, table, viewer, notice, status)
    requested = read_requested_seat(context) if acting_seat is None else acting_seat
    if needs_handover(table, viewer.own_seats, requested, past):
        handover = HandoverVariables(
            table, table.who, table.names(), notice, join_last_form_keys(table, viewer.own_seats)
        )
        return context.render_page("handover.html.jinja", status, **vars(handover))
    table_view = TableView(
        table, viewer.own_seats, choose_viewing_seat(table, viewer.own_seats, requested, past), context.language, past
    )
    return render_table_template(
        context, table_view, build_table_variables(context, table_view, viewer, notice), "table.html.jinja", status
    )


def render_hand_page(
    context: PageContext, table: Table, viewer: Viewer, *, notice: str = "", status: int = 200
) -> Response:
    """Return the page of a phone next to a wall: the things and the decision of one seat."""
    requested = read_requested_seat(context)
    seat = choose_viewing_seat(table, viewer.own_seats, requested, None)
    if table.stranded is not None or seat is None:  # several people share the device, which has to change hands
        return render_table_page(context, table, viewer, notice=notice, status=status)
    table_view = TableView(table, viewer.own_seats, seat, context.language)
    variables = build_table_variables(context, table_view, viewer, notice)
    return render_table_template(context, table_view, variables, "hand.html.jinja", status, is_hand=True)


def render_table_template(
    context: PageContext,
    table_view: TableView,
    variables: TableVariables,
    template: str,
    status: int = 200,
    **more: object,
) -> Response:
    """Render a page of a table; see `draw_and_render`."""
    render = partial(context.render_page, template, status)
    return draw_and_render(table_view, variables, lambda values: render(**values, **more))


def render_table_text(
    context: PageContext, table_view: TableView, variables: TableVariables, template: str, **more: object
) -> str:
    """Return the text of a part of a page; see `draw_and_render`."""
    return draw_and_render(table_view, variables, lambda values: context.render_text(template, **values, **more))


def draw_and_render(
    table_view: TableView, variables: TableVariables, render: Callable[[dict[str, Any]], Rendered]
) -> Rendered:
    """Render a template with the game's drawing, or with the board kit's where the game brings none.

    If the game's drawing or one of its templates fails, the board kit draws everything. If the kit fails as well, the
    table is plain text.
    """
    game, localize = table_view.game, Localizer(table_view.language, table_view.game.words)
    art = variables.page.art
    for part, available in (("drawing", art), ("default table", GameArt())):
        try:
            return render({"_": localize, **vars(draw_table(table_view, variables, available))})
        except Exception as error:
            plugin_errors.log_once(game.id, part, error)
    plain = GameArt(plain_text=fallback_text.format_table_text(game, table_view.view, table_view.reader))
    text_table = replace(variables, page=replace(variables.page, art=plain), has_option=False)
    return render({"_": localize, **vars(text_table)})


def draw_table(table_view: TableView, variables: TableVariables, art: GameArt) -> TableVariables:
    """Return the variables with the drawing of the game, and with the kit's board if the game brings none."""
    game, view, reader = table_view.game, table_view.view, table_view.reader
    kinds = map_kinds_by_name(game)
    drawing = assets.draw_view(game, view) if art.has_own_drawing else {}
    kit = None if art.has_board else build_default_board(view, kinds, place_buttons(game, view, variables, reader))
    drawn = replace(art, kit=kit, find_card=partial(find_mentioned_card, kinds))
    page = replace(variables.page, art=drawn)
    return replace(variables, page=page, drawing=drawing, has_option=art.has_option)


def place_buttons(game: Game, view: View, variables: TableVariables, reader: Reader) -> ButtonsByThing:
    """Return a button for each option and chain of moves, by the thing that it names."""
    decision = variables.page.decision
    if decision is None:
        return {}
    direct = build_buttons(game, view, decision.question.allowed, reader)
    return {**build_chain_buttons(game, view, variables.ways(), direct, reader), **direct}


def render_preview(context: PageContext, table: Table, viewer: Viewer, option: str) -> Response:
    """Return what an option would do, to be shown next to it."""
    table_view = TableView(
        table,
        viewer.own_seats,
        choose_viewing_seat(table, viewer.own_seats, read_requested_seat(context), None),
        context.language,
    )
    if not table_view.is_asked:
        raise NotAllowed("It is not your turn.")
    preview = table_view.preview(option)
    if preview is None or not preview.lines:
        return Response(status_code=204)
    return context.render_page("table/preview.html.jinja", **vars(PreviewVariables(table.names(), preview)))


# -- building the parts -----------------------------------------------------------------------------------------------


def build_table_variables(
    context: PageContext, table_view: TableView, viewer: Viewer, notice: str = ""
) -> TableVariables:
    """Return the variables of the table's templates, still without a drawing."""
    page, table = build_table_page(context, table_view, viewer, notice), table_view.table
    decision, chains = page.decision, ChainFinder(table_view)
    as_query = build_seat_query(context, table_view)
    return TableVariables(
        page=page,
        table=table,
        game=table_view.game,
        view=table_view.view,
        seat=table_view.seat,
        names=table.names(),
        who=table_view.who,
        past=table_view.past,
        over=table_view.over,
        points=page.scores.points,
        round_starts=[line.n for line in build_log(table, table_view.seat, table_view.language) if line.begins_round],
        as_query=as_query,
        offers={} if decision is None else decision.offers,
        chosen=None if decision is None else decision.chosen,
        hint_marks={} if decision is None else decision.hint_marks,
        has_option=page.art.has_option,
        c=assets.build_printed_components(table_view.game),
        say=make_name_formatter(table_view.reader),
        link=partial(build_option_link, table, as_query.replace("?", "&")),
        ways=list if decision is None else chains.list_chains,
        way=find_no_chain if decision is None else chains.find_chain,
    )


def find_no_chain(*_: str) -> None:
    """Return None: a reader without a decision has no chains of moves."""


def build_option_link(table: Table, seat_suffix: str, option: str) -> str:
    """Return the address of a place on the board for readers without script: the option, to be confirmed."""
    return f"/tables/{table.id}?choose={quote(option)}{seat_suffix}"


def make_name_formatter(reader: Reader) -> Callable[[Arg], str]:
    """Return a function that puts a name or a message of the game into the reader's language."""

    def translate_arg(arg: Arg) -> str:
        if type(arg) is Name:  # nearly all arguments are names
            return reader.translate(arg.text, arg.context) if arg.context else arg.text
        return reader.format_arg(arg)

    return translate_arg


def build_seat_query(context: PageContext, table_view: TableView) -> str:
    """Return the query that keeps the viewing seat from page to page; empty if the reader has no choice."""
    has_choice = len(table_view.own_seats) > 1 or (table_view.over and "as" in context.request.query_params)
    return f"?as={_get_seat_value(table_view)}" if has_choice else ""


def _get_seat_value(table_view: TableView) -> int:
    return SPECTATOR if table_view.seat is None else table_view.seat


def build_table_page(context: PageContext, table_view: TableView, viewer: Viewer, notice: str) -> TablePage:
    """Return all parts of the page. A reader who must first return, or wait for a pause to end, gets no decision."""
    table = table_view.table
    clocks, absence = build_clocks(context, table_view, viewer), build_absence(context, table_view, viewer)
    is_interrupted = bool(clocks.paused_until or absence.bot_plays_for_reader)
    result = build_match_result(context, table_view) if table_view.over and table_view.past is None else None
    return TablePage(
        own_seats=table_view.own_seats,
        seat_value=_get_seat_value(table_view),
        form_key=make_form_key(),
        last_form_keys=join_last_form_keys(table, table_view.own_seats),
        notice=notice,
        notes=build_match_notes(context, table, viewer.own_seats),
        decision=None if is_interrupted else build_table_decision(context, table_view),
        guide=None if is_interrupted else find_guide_hint(context, table_view),
        auto_replies=table_view.auto_replies,
        undo=build_undo_options(context, table_view),
        clocks=clocks,
        absence=absence,
        log=build_match_log(context, table_view),
        scores=build_scores(context, table_view, result),
        chat=build_chat(context, table, viewer),
        presence=TablePresence(
            # The reader counts as present, because the page is about to connect.
            table.hub.list_present_seats() | set(viewer.own_seats),
            max(table.hub.count_spectators(), 0 if viewer.own_seats else 1),
        ),
        invitations=build_invitations(context, table_view, viewer),
        result=result,
        art=find_game_art(context, table_view.game),
    )


def build_match_notes(context: PageContext, table: Table, own_seats: Sequence[Seat]) -> MatchNotes:
    """Return the facts about this match that differ from other matches of its game."""
    reasons = list_unrated_reasons(table)
    return MatchNotes(
        origin=describe_origin(context, table),
        clock=describe_clock(table.options, context.localize) if table.options.store else "",
        differences=describe_differences(table.game, table.options.variants, context.localize, skip_defaults=True),
        unrated_reason=context.localize(SENTENCES[reasons[0]]) if reasons else "",
        ribbon=make_edition_ribbon(context, table, own_seats),
    )


def build_scores(context: PageContext, table_view: TableView, result: MatchResult | None) -> TableScores:
    """Return the score sheet; at the end it has the ranks that count."""
    return TableScores(
        points=table_view.points if result is None else result.points,
        lines=table_view.score_lines(),
        notes=explain_score_signs(context, table_view.table, table_view.points),
        is_final=table_view.ended,
    )


def build_undo_options(context: PageContext, table_view: TableView) -> UndoOptions:
    """Return whether the reader can undo, or ask the others to agree to it."""
    table, own_seats = table_view.table, table_view.own_seats
    undoable = [seat for seat in own_seats if table_view.can_undo(seat)]
    playing = bool(own_seats) and not table_view.over
    is_current = playing and table_view.past is None
    requested_by = find_undo_requester(context.services.store, table) if is_current else None
    can_ask = table.options.undo and playing and table_view.last_own_move > 0 and not undoable
    return UndoOptions(
        is_allowed=bool(undoable),
        can_request=can_ask or requested_by is not None,
        requested_by=requested_by,
        is_alone=is_alone(table, own_seats),
        is_practice_only=is_current and needs_practice(table, own_seats),
    )


def build_match_log(context: PageContext, table_view: TableView) -> MatchLog:
    """Return the log, the latest line first, and the recap of what the reader has missed."""
    lines, moves, news = table_view.log, table_view.table.moves, table_view.news
    shows_all = context.request.query_params.get("log") == "all"
    return MatchLog(
        lines=list(reversed(lines if shows_all else lines[-MAX_LOG_LINES:])),
        has_more=not shows_all and len(lines) > MAX_LOG_LINES,
        position_lines=[line for line in lines if line.n == table_view.past],
        read_until=table_view.last_own_move or moves,
        revealed_cards=table_view.revealed_cards,
        news=news if news is not None and news.since else None,
        news_from=0 if news is None else min(news.after + 1, moves),
    )


def build_chat(context: PageContext, table: Table, viewer: Viewer) -> TableChat:
    """Return the messages that the reader can see, and how many of them are unread."""
    messages = load_messages(context.services.store, table, seated=bool(viewer.own_seats))
    has_talk = any(not message.by_server for message in messages)
    return TableChat(messages, count_unread(context, table) if has_talk else 0)


def build_invitations(context: PageContext, table_view: TableView, viewer: Viewer) -> TableInvitations:
    """Return the links and seats that the reader can give to other people."""
    table, is_host = table_view.table, viewer.is_host(table_view.table)
    return TableInvitations(
        is_host=is_host,
        watch_link=build_watch_link(context, table) if viewer.own_seats else "",
        seat_links={} if table_view.over else build_seat_links(context, table, viewer),
        bot_seats=[
            occupant
            for occupant in table.occupants
            if table_view.past is None and can_open_seat(table, is_host, occupant)
        ],
        opening_makes_unrated=would_make_unrated(table),
    )


def find_mention_template(game: Game) -> str:
    """Return the template that draws components in sentences: the game's own, or the board kit's."""
    if assets.has_file(game, assets.COMPONENT_TEMPLATE):
        return f"{game.id}/{assets.COMPONENT_TEMPLATE}"
    return assets.KIT_COMPONENT_TEMPLATE if assets.has_file(game, assets.BOARD_TEMPLATE) else ""


def find_game_art(context: PageContext, game: Game) -> GameArt:
    """Return which templates and styles the game brings for its table; none where the server shows plain boards."""
    if context.services.settings.plain_boards:
        return GameArt()
    return GameArt(
        has_board=assets.has_file(game, assets.BOARD_TEMPLATE),
        has_table=assets.has_file(game, assets.TABLE_TEMPLATE),
        has_seat=assets.has_file(game, assets.SEAT_TEMPLATE),
        has_option=assets.has_file(game, assets.OPTION_TEMPLATE),
        mentions=find_mention_template(game),
        has_style=assets.has_file(game, assets.STYLE_FILE),
        has_colours=assets.has_file(game, assets.COLOURS_FILE),
    )
