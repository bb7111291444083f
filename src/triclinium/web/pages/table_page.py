"""The table's page for one viewer: what the presenter shows, and what the page adds to it."""

import secrets
from collections.abc import Iterable
from functools import partial
from urllib.parse import quote

from fastapi import Response

from triclinium.boardkit.cards import named_card
from triclinium.boardkit.default_board import default_board
from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.boardkit.option_targets import Buttons, buttons, far_buttons
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Arg, Name, Reader
from triclinium.engine.game import Game
from triclinium.engine.match import TOGETHER
from triclinium.engine.view import View
from triclinium.engine.visible_scores import VisibleScore, greatest
from triclinium.server import plugin_errors
from triclinium.server.errors import NotAllowed
from triclinium.server.presenter import fallback_text
from triclinium.server.presenter.decision import Decision, Offer, refusals
from triclinium.server.presenter.log import log, record
from triclinium.server.presenter.scores import behind
from triclinium.server.presenter.table_view import Shown, asked_step, must_hand_over, viewing_seat
from triclinium.server.presenter.unrated import SENTENCES
from triclinium.server.sanitize import whole_number
from triclinium.server.tables import share
from triclinium.server.tables.bot_seats import makes_unrated, may_open
from triclinium.server.tables.chat import said
from triclinium.server.tables.rating_eligibility import unrated
from triclinium.server.tables.rematch import rematch_of
from triclinium.server.tables.seats import Viewer
from triclinium.server.tables.table import Table
from triclinium.server.tables.undo import asked_by, is_alone, needs_practice
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.page_context import Reading
from triclinium.web.pages.guide import Hint, guide, memory
from triclinium.web.pages.hints import advised
from triclinium.web.pages.rating_change import rating_told
from triclinium.web.pages.stranded import score_notes, stranded_page
from triclinium.web.pages.table_clocks import ended, of_time
from triclinium.web.pages.variants import differing
from triclinium.web.pages.waiting import origin, seat_links, unread_by, waiting_page, watch_link

LOG_LINES = 80
# what a game may bring
OWN = ("has_board", "has_table", "has_seat", "has_option", "has_result", "has_named", "has_style", "has_colours")
# whoever must first come back, or wait for the end of a pause, is shown no decision
UNASKED: dict[str, object] = {
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
PLACES = (
    Name("second", "rank"),
    Name("third", "rank"),
    Name("fourth", "rank"),
    Name("fifth", "rank"),
    Name("sixth", "rank"),
)


def new_key() -> str:
    """A mark for one form, so that the same post twice is known again."""
    return secrets.token_urlsafe(12)


def last_keys(table: Table, seats: Iterable[Seat]) -> str:
    """Return the key of the last post of each of these seats, so that a page knows which of its moves has arrived."""
    last = {one.seat: key for key, one in table.recent.items()}
    return " ".join(last[seat] for seat in seats if seat in last)


def wished_seat(reading: Reading) -> int | None:
    """The seat whose eyes the reader asks for in the address: ``as=1``; ``as=-1`` is a spectator's."""
    wanted = reading.request.query_params.get("as", "")
    return SPECTATOR if wanted == str(SPECTATOR) else whole_number(wanted, 2)


def as_wished(reading: Reading) -> str:
    """The same wish, to be taken on to another address."""
    wished = wished_seat(reading)
    return "" if wished is None else f"?as={wished}"


def table_page(
    reading: Reading,
    table: Table,
    at: Viewer,
    *,
    past: int | None = None,
    notice: str = "",
    status: int = 200,
    acting: int | None = None,
) -> Response:
    """Return the page. ``acting`` is the seat for which something was sent that failed. The table's lock is held."""
    if not table.begun:
        return waiting_page(reading, table, at, notice, status)
    if table.stranded is not None:
        return stranded_page(reading, table, at, notice, status)
    wished = wished_seat(reading) if acting is None else acting
    if must_hand_over(table, at.mine, wished, past):
        facts = {"table": table, "who": table.who, "names": table.names(), "notice": notice}
        return reading.page("cover.html.jinja", status, **facts, sent=last_keys(table, at.mine))
    shown = Shown(table, at.mine, viewing_seat(table, at.mine, wished, past), reading.language, past)
    return drawn(reading, table, {**table_facts(reading, shown, at), "notice": notice}, status)


def drawn(
    reading: Reading, table: Table, facts: dict[str, object], status: int, template: str = "table.html.jinja"
) -> Response:
    """The page with what the game draws, and the kit's board where it draws none.

    Should its drawing or a template of it fail, all is the kit's; should the kit fail, the table is plain text.
    """
    game, view, reader = table.game, facts["view"], facts["reader"]
    assert isinstance(view, View)
    assert isinstance(reader, Reader)
    undrawn = dict.fromkeys(OWN, False)
    for part, looks in (("drawing", {name: facts[name] for name in OWN}), ("default table", undrawn)):
        try:
            drawing = assets.drawing(game, view) if any(looks.values()) else {}
            kit = None if looks["has_board"] else default_board(view, kinds_of(game), placed(game, view, facts, reader))
            drawn = {"drawing": drawing, "kit": kit, "named_card": partial(named_card, kinds_of(game))}
            return reading.page(template, status, **{**facts, **looks, **drawn})
        except Exception as error:
            plugin_errors.note(game.id, part, error)
    return reading.page(template, status, **{**facts, **undrawn, "plain": fallback_text.table(game, view, reader)})


def placed(game: Game, view: View, facts: dict[str, object], reader: Reader) -> Buttons:
    """What may be chosen, on the things that it names."""
    decision, ways = facts["decision"], facts["ways"]
    if not isinstance(decision, Decision):
        return {}
    assert callable(ways)
    direct = buttons(game, view, decision.allowed, reader)
    return {**far_buttons(game, view, ways(), direct, reader), **direct}


# -- what the table's template shows, part by part --------------------------------------------------------------------


def table_facts(reading: Reading, shown: Shown, at: Viewer) -> dict[str, object]:
    """All of it."""
    as_query = seen_as(reading, shown)
    time = of_time(reading, shown, at)
    rests = bool(time["paused_until"] or time["bot_for_me"])
    return {
        **of_match(reading, shown),
        **of_decision(reading, shown, as_query),
        **(UNASKED if rests else {}),
        **of_taking_back(reading, shown),
        **of_log(reading, shown),
        **of_company(reading, shown, at),
        **of_looks(reading, shown),
        **time,
        "as_query": as_query,
        "as_value": SPECTATOR if shown.seat is None else shown.seat,
    }


def seen_as(reading: Reading, shown: Shown) -> str:
    """What keeps the reader behind the same eyes from page to page, where there is a choice."""
    chosen = len(shown.mine) > 1 or (shown.over and "as" in reading.request.query_params)
    return f"?as={SPECTATOR if shown.seat is None else shown.seat}" if chosen else ""


def of_match(reading: Reading, shown: Shown) -> dict[str, object]:
    """The position and its scores."""
    table, game, reader = shown.table, shown.game, shown.reader
    reasons = unrated(table)

    def say(said: Arg) -> str:
        """A name or a message of the game, in the reader's language."""
        if type(said) is Name:  # most by far
            return reader.translate(said.text, said.context) if said.context else said.text
        return reader.say(said)

    return {
        "_": Speech(shown.language, game.words),
        "table": table,
        "game": game,
        "view": shown.view,
        "reader": reader,
        "say": say,
        "seat": shown.seat,
        "mine": shown.mine,
        "names": table.names(),
        "who": shown.who,
        "past": shown.past,
        "over": shown.over,
        "ended": shown.ended,
        "points": shown.points,
        "score_lines": shown.score_lines(),
        "score_notes": score_notes(reading, table, shown.points),
        "origin": origin(reading, table),
        "counts": not reasons,
        "unrated": reading.speech(SENTENCES[reasons[0]]) if reasons else "",
        **(of_result(reading, shown) if shown.over else {}),
    }


def of_result(reading: Reading, shown: Shown) -> dict[str, object]:
    """How the match ended."""
    at_end = shown.past is None
    counted = ended(reading, shown)
    points = counted.points
    return {
        **({"points": points} if at_end else {}),
        "gone": counted.gone,
        "gone_seats": counted.seats,
        "headline": headline(reading, shown.table, points),
        "my_place": my_place(reading, shown, points),
        "rating": rating_told(reading, shown.table) if at_end else "",
        "rematch": rematch_of(reading.server, shown.table) if at_end else "",
        "seed_text": shown.table.opening().seed_text(),
        "final_lines": shown.final_lines(reading.speech("Total")) if at_end else [],
        "contests": shown.contests() if at_end else [],
        "behind": behind(points),
        "reasons": shown.reasons() if at_end else [],
        **(of_sharing(reading, shown.table) if shown.mine and at_end else {}),
    }


def of_sharing(reading: Reading, table: Table) -> dict[str, object]:
    """The link by which others may read the match, if somebody has made it."""
    with reading.server.store.reading() as connection:
        found = share.of_table(connection, table.id)
    return {
        "share": found,
        "share_link": "" if found is None else reading.origin + found.path,
        "public_names": table.options.shown == "watched",
    }


def of_decision(reading: Reading, shown: Shown, as_query: str) -> dict[str, object]:
    """What the reader is asked, with a hint and the guide; where an option was pressed that is to be confirmed, it."""
    chosen = shown.offer(reading.request.query_params.get("choose", ""))
    hint = None
    if shown.decision is not None and shown.seat is not None:
        hint = advised(reading, shown.table.hint_for(shown.seat), shown)
    more = as_query.replace("?", "&")

    def link(option: str) -> str:
        """Where a place on the board leads without script: the option, to be confirmed."""
        return f"/t/{shown.table.id}?choose={quote(option)}{more}"

    def ways() -> list[Offer]:
        """What one click may choose in several options. They are looked for only where a game draws them."""
        return [offer for said, offer in shown.ways.items() if said not in shown.asking_offers]

    def way(last: str, first: str = "") -> Offer | None:
        """The one that ends with this option, and begins with this verb: what a click on a far place chooses."""
        ends = (offer for said, offer in shown.ways.items() if said.endswith(f"{TOGETHER}{last}"))
        return next((offer for offer in ends if offer.option.startswith(first)), None)

    return {
        "my_turn": shown.decision is not None,
        "sent": last_keys(shown.table, shown.mine),
        "spoken_question": "" if shown.asking is None else spoken_question(reading.speech, shown.asking.question),
        "decision": shown.asking,
        "offers": shown.asking_offers,
        "link": link,
        "refused": refusals(shown.asking),
        "chosen": chosen,
        "way": way,
        "ways": ways,
        "advice": hint,
        "foretold": shown.preview(chosen.option) if chosen is not None else None,
        "hint_marks": {} if hint is None or chosen is not None else hint.marks,
        "key": new_key(),
        "guide": None if shown.past is not None or shown.over else guiding(reading, shown),
        "sparing": shown.sparing,
    }


def spoken_question(speech: Speech, question: str) -> str:
    """Return the question as a screen reader hears it: that it is the reader's turn is said once."""
    turn = speech("Your turn")
    return question if turn.lower() in question.lower() else speech("{0}: {1}", turn, question)


def preview_part(reading: Reading, table: Table, at: Viewer, option: str) -> Response:
    """What an option would do, to be shown beside it. The table's lock is held."""
    shown = Shown(table, at.mine, viewing_seat(table, at.mine, wished_seat(reading), None), reading.language)
    if not shown.is_asked:
        raise NotAllowed("it is not your turn")
    foretold = shown.preview(option)
    if foretold is None or not foretold.lines:  # nothing to say
        return Response(status_code=204)
    return reading.page("table/preview.html.jinja", names=table.names(), foretold=foretold)


def of_taking_back(reading: Reading, shown: Shown) -> dict[str, object]:
    """Whether the reader may undo, or ask the others to."""
    table, mine = shown.table, shown.mine
    able = [seat for seat in mine if shown.may_undo(seat)]
    playing = bool(mine) and not shown.over
    now = playing and shown.past is None
    asked_back = asked_by(reading.server, table) if now else None
    may_ask = table.options.undo and playing and shown.read_until > 0 and not able
    return {
        "may_undo": bool(able),
        "may_ask_back": may_ask or asked_back is not None,
        "back_asked": asked_back,
        "alone": is_alone(table, mine),
        "only_practice": now and needs_practice(table, mine),
    }


def of_log(reading: Reading, shown: Shown) -> dict[str, object]:
    """What has happened, the last first; and what the reader has missed since their last decision."""
    lines, moves = shown.log, shown.table.moves
    whole = reading.request.query_params.get("log") == "all"
    news = shown.news
    return {
        "round_starts": [line.n for line in log(shown.table, shown.seat, shown.language) if line.begins_round],
        "log_lines": list(reversed(lines if whole else lines[-LOG_LINES:])),
        "log_more": not whole and len(lines) > LOG_LINES,
        "past_lines": [line for line in lines if line.n == shown.past],
        "read_until": shown.read_until or moves,
        "turned_up": shown.turned_up,
        "news": news if news is not None and news.since else None,
        "news_from": 0 if news is None else min(news.after + 1, moves),
    }


def of_company(reading: Reading, shown: Shown, at: Viewer) -> dict[str, object]:
    """Who is here, what they say, and whom the reader may let in."""
    table = shown.table
    chat = said(reading.server, table, seated=bool(at.mine))
    return {
        "chat": chat,
        "unread": unread_by(reading, table) if any(not one.by_server for one in chat) else 0,
        "here_now": table.hub.here() | set(at.mine),  # the reader is about to listen
        "watching": table.hub.watching(),
        "differing": differing(table.game, table.options.variants, reading.speech, agreed=True),
        "watch_link": watch_link(reading, table) if at.mine else "",
        "is_host": at.is_host(table),
        "links": {} if shown.over else seat_links(reading, table, at),
        "openable": [one for one in table.occupants if shown.past is None and may_open(table, at.is_host(table), one)],
        "opening_unrates": makes_unrated(table),
    }


def of_looks(reading: Reading, shown: Shown) -> dict[str, object]:
    """What the game brings for its table; a designer may leave all of it to the kit."""
    game, own = shown.game, not reading.server.settings.plain_boards
    brings = {name: own and assets.has(game, file) for name, file in zip(OWN, assets.OF_A_TABLE, strict=True)}
    return {"c": assets.components(game), "drawing": {}, "kit": None, "plain": "", **brings}


def guiding(reading: Reading, shown: Shown) -> Hint | None:
    """What the guide tells this reader now."""
    if not shown.mine:
        return None
    table = shown.table
    known = memory(reading.server, reading.person, reading.request.cookies, table.title_id, table.id)
    asked = asked_step(table, shown.seat) if shown.is_asked and shown.seat is not None else ""
    return guide(table.game).next(known.seen, asked) if known.on else None


def print_page(reading: Reading, table: Table, at: Viewer) -> Response:
    """A finished match on paper: result, score sheet, log, and its record if wished. Always light; the lock is held."""
    seat = viewing_seat(table, at.mine, wished_seat(reading), None)
    shown = Shown(table, at.mine, seat, reading.language)
    reading.theme = "light"
    counted = ended(reading, shown)
    return reading.page(
        "print.html.jinja",
        _=Speech(reading.language, table.game.words),
        table=table,
        game=table.game,
        names=table.names(),
        points=counted.points,
        gone=counted.gone,
        score_lines=shown.score_lines(),
        headline=headline(reading, table, counted.points),
        log_lines=shown.log,
        seed_text=table.opening().seed_text(),
        written=record(table).options if reading.request.query_params.get("record") == "on" else [],
    )


def headline(reading: Reading, table: Table, points: list[VisibleScore]) -> str:
    """Who won."""
    best = [score for score in points if score.rank == 1]
    if len(best) == 1 and best[0].total is not None:
        name, points_won = table.names()[best[0].seat], greatest(best[0].total)
        return reading.speech("{0} wins with {1} {1:point|points}", name, points_won)
    if len(best) == 1:
        return reading.speech("{0} wins", table.names()[best[0].seat])
    shared = ", ".join(table.names()[score.seat] for score in best)
    return reading.speech("{0} share the victory", shared)


def my_place(reading: Reading, shown: Shown, points: list[VisibleScore]) -> str:
    """How the reader ended who has not won: said aloud after the headline."""
    if shown.seat is None or shown.seat not in shown.mine:
        return ""
    score = points[shown.seat]
    if not isinstance(score.rank, int) or score.rank < 2:
        return ""
    place = reading.speech.name(PLACES[score.rank - 2])
    if score.total is None:
        return reading.speech("You are {0}.", place)
    return reading.speech("You are {0} with {1} {1:point|points}.", place, greatest(score.total))
