"""The table's page for one viewer: everything it shows, made from what `server.seen` lets out."""

import re
from dataclasses import dataclass, field
from urllib.parse import quote

from fastapi import Response

from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.core.text import Arg, Name, Reader
from triclinium.engine.match import Match
from triclinium.engine.view import View
from triclinium.engine.visible import VisibleScore, greatest
from triclinium.server import mishaps, saying, seen
from triclinium.server.tables import links
from triclinium.server.tables.chat import said
from triclinium.server.tables.presence import may_be_voted_in, span
from triclinium.server.tables.rating import origin_said
from triclinium.server.tables.seating import Viewer
from triclinium.server.tables.table import LogLine, Table
from triclinium.server.tables.undo import asked_by, is_alone, needs_practice, undo_steps
from triclinium.web import assets
from triclinium.web.i18n import Speech
from triclinium.web.pages.advice import shown
from triclinium.web.pages.guide import Hint, guide, memory
from triclinium.web.pages.stood import ScoreLine, score_notes, stood_page
from triclinium.web.render import Reading, all_levels

INLINE_REFUSALS = 6  # more lines than so many are folded away
NAMED_REFUSALS = 3  # of more options in one line only the first and the last are named
LOG_LINES = 80
RECAP_LINES = 6


class Refusal:
    """Options that the same sentence of a rule refuses, told in one line: the 26 numbers that are too high."""

    def __init__(self, offers: list[seen.Offer]) -> None:
        self.offers = offers
        self.rule = offers[0].rule
        self.differ = any(offer.why != offers[0].why for offer in offers)  # in their numbers

    @property
    def key(self) -> tuple[object, ...]:
        """All that is told of it."""
        return self.rule, tuple((offer.label, offer.why) for offer in self.offers)

    @property
    def label(self) -> str:
        labels = [offer.label for offer in self.offers]
        if len(labels) <= NAMED_REFUSALS:
            return " · ".join(labels)
        return f"{labels[0]} … {labels[-1]} ({len(labels)})"

    @property
    def why(self) -> str:
        return self.offers[0].why + (" …" if self.differ else "")


@dataclass(slots=True)
class Group:
    """The options of one verb."""

    verb: str
    allowed: list[seen.Offer] = field(default_factory=list, init=False)
    refused: list[Refusal] = field(default_factory=list, init=False)


def viewing_seat(reading: Reading, table: Table, at: Viewer, past: int | None) -> Seat:
    """The seat whose eyes the reader looks through; -2: the hot seat must be handed over first."""
    wanted = reading.request.query_params.get("as", "")
    chosen = int(wanted) if wanted.lstrip("-").isdigit() and len(wanted) < 3 else None
    if table.status == "over":
        if chosen is not None and NOBODY <= chosen < len(table.sitters):
            return chosen
        return at.mine[0] if at.mine else NOBODY
    if not at.mine:
        return NOBODY
    if len(at.mine) == 1:
        return at.mine[0]
    free = past is not None or table.who not in at.mine  # nobody else of this device is asked
    if chosen is not None and chosen in at.mine and (chosen == table.who or free):
        return chosen
    if table.who in at.mine:
        return -2 if table.title.secrets else table.who
    return NOBODY if table.title.secrets else at.mine[0]


def table_page(
    reading: Reading, table: Table, at: Viewer, *, past: int | None = None, notice: str = "", status: int = 200
) -> Response:
    """The page. The table's lock is held."""
    if not table.begun:
        return waiting_page(reading, table, at, notice, status)
    if table.stranded is not None:
        return stood_page(reading, table, at, notice, status)
    seat = viewing_seat(reading, table, at, past)
    if seat == -2:
        return reading.page("cover.html.jinja", table=table, who=table.who, names=table.names())
    facts = {**table_facts(reading, table, at, seat, past), "notice": notice}
    return drawn(reading, table, facts, status)


def drawn(reading: Reading, table: Table, facts: dict[str, object], status: int) -> Response:
    """The page with the title's own board. Should its drawing or a template of it fail, plain text stands there."""
    title, view, reader = table.title, facts["view"], facts["reader"]
    assert isinstance(view, View)
    assert isinstance(reader, Reader)
    try:
        drawing = assets.drawing(title, view)
        return reading.page("table.html.jinja", status, **{**facts, "drawing": drawing})
    except Exception as error:
        mishaps.note(title.id, "drawing", error)
    undrawn = dict.fromkeys(("has_board", "has_table", "has_seat", "has_option", "has_style"), False)
    return reading.page("table.html.jinja", status, **{**facts, **undrawn, "plain": saying.table(title, view, reader)})


def waiting_page(reading: Reading, table: Table, at: Viewer, notice: str, status: int) -> Response:
    """Before the deal: who has come, and the links for who has not."""
    is_host = at.is_host(table)
    known = bool(at.mine) or is_host
    return reading.page(
        "waiting.html.jinja",
        status,
        table=table,
        title=table.title,
        mine=at.mine,
        is_host=is_host,
        links=seat_links(reading, table, at),
        watch_link=watch_link(reading, table) if known else "",
        origin=origin(reading, table),
        here_now=table.hub.here(),
        levels=all_levels(reading.speech),
        level=reading.level,
        notice=notice,
    )


def seat_links(reading: Reading, table: Table, at: Viewer) -> dict[Seat, str]:
    """The link of each free seat that this viewer may give away."""
    return {
        sitter.seat: f"{reading.origin}/s/{table.id}/{sitter.seat}/{links.seat_token(reading.house, table, sitter)}"
        for sitter in links.free_seats(table, bool(at.mine), at.is_host(table))
    }


def watch_link(reading: Reading, table: Table) -> str:
    return f"{reading.origin}/w/{table.id}/{links.watch_token(reading.house, table)}"


def origin(reading: Reading, table: Table) -> str:
    """Where a match comes from that did not begin with its own shuffle; the empty text: it did."""
    said = origin_said(reading.house, table)
    return "" if said is None else reading.speech.reader.read(said)


def votable(reading: Reading, table: Table, at: Viewer) -> str | None:
    """How long until the one who keeps the others waiting may be voted out; the empty text: now; None: never."""
    wait = may_be_voted_in(reading.house, table, table.sitters[table.who]) if table.status == "playing" else None
    if wait is None or not at.mine or table.who in at.mine:
        return None
    return span(wait) if wait else ""


def table_facts(reading: Reading, table: Table, at: Viewer, seat: Seat, past: int | None) -> dict[str, object]:
    """What the table's template shows to this seat (NOBODY: a spectator)."""
    query = reading.request.query_params
    language = reading.language
    title = table.title
    match = table.position(table.moves if past is None else past)
    state = match.state
    view = seen.view_or_base(title, state, seat)
    reader = seen.reader_for(table, language)
    over = table.status == "over"
    decision = None
    if past is None and not over and seat != NOBODY and seat == state.who and seat in at.mine:
        decision = seen.decision(title, state, reader)
    offers = {} if decision is None else {offer.option: offer for offer in decision.allowed + decision.refused}
    groups, folded = grouped(decision)
    hint = None if decision is None else shown(reading, table.hint_for(seat), offers)
    wanted = query.get("choose", "")
    chosen = offers.get(wanted)
    lines = seen.log(table, seat, language) if past is None else past_log(table, match, seat, language)
    mine_done = [n for n, one in enumerate(table.done, start=1) if one.seat in at.mine]
    read_until = mine_done[-1] if mine_done else 0
    points = seen.points(table, match, seat)
    since = [line for line in lines if line.n > read_until and line.seat != seat]  # what the others did
    recap = since[-RECAP_LINES:] if decision and read_until else []
    whole_log = query.get("log") == "all"
    as_query = f"?as={seat}" if len(at.mine) > 1 or (over and "as" in query) else ""
    where = f"/t/{table.id}"
    able = [mine for mine in at.mine if undo_steps(table, mine)] if past is None and not over and table.undo else []
    may_undo = bool(able)
    asked_back = asked_by(reading.house, table) if at.mine and not over and past is None else None

    def link(option: str) -> str:
        """Where a place on the board leads without script: the option, to be confirmed."""
        return f"{where}?choose={quote(option)}{as_query.replace('?', '&')}"

    def say(said: Arg) -> str:
        """A name or a message of the title, in the reader's language."""
        if type(said) is Name:  # most by far
            return reader.translate(said.text, said.context)
        return reader.say(said)

    return {
        "_": Speech(language, title.words),
        "table": table,
        "title": title,
        "view": view,
        "c": assets.components(title),
        "drawing": {},
        "reader": reader,
        "say": say,
        "seat": seat,
        "mine": at.mine,
        "names": table.names(),
        "who": -1 if over else state.who,
        "my_turn": decision is not None,
        "decision": decision,
        "offers": offers,
        "link": link,
        "groups": groups,
        "refused": folded,
        "chosen": chosen if chosen is not None and not chosen.rule else None,
        "advice": hint,
        "hint": hint.ranked[0].option if hint is not None and hint.ranked else "",
        "key": seen.new_key(),
        "may_undo": may_undo,
        "undo_seat": able[0] if able else seat,
        "may_ask_back": (table.undo and bool(at.mine) and not over and bool(mine_done) and not may_undo)
        or asked_back is not None,
        "back_asked": asked_back,
        "alone": is_alone(table, at.mine),
        "only_practice": bool(at.mine) and not over and past is None and needs_practice(table, at.mine),
        "log_lines": list(reversed(lines if whole_log else lines[-LOG_LINES:])),
        "log_more": not whole_log and len(lines) > LOG_LINES,
        "read_until": read_until or table.moves,
        "recap": recap,
        "recap_from": min(read_until + 1, table.moves),
        "points": points,
        "score_lines": score_lines(table, points, language),
        "score_notes": score_notes(reading, table, points),
        "chat": said(reading.house, table),
        "past": past,
        "past_lines": [] if past is None else seen.log_of(match, table.names(), seat, language, past),
        "over": over,
        "ended": state.over,
        "headline": headline(reading, table, points) if over else "",
        "seed_text": table.opening().seed_text() if over else "",
        "has_board": assets.has(title, assets.BOARD),
        "has_table": assets.has(title, assets.TABLE),
        "has_seat": assets.has(title, assets.SEAT),
        "has_option": assets.has(title, assets.OPTION),
        "has_style": assets.has(title, assets.STYLE),
        "plain": "" if assets.has(title, assets.BOARD) else saying.table(title, view, reader),
        "here_now": table.hub.here(),
        "watching": table.hub.watching(),
        "watch_link": watch_link(reading, table) if at.mine else "",
        "links": {} if over else seat_links(reading, table, at),
        "is_host": at.is_host(table),
        "votable": votable(reading, table, at) if past is None else None,
        "origin": origin(reading, table),
        "guide": None if past is not None or over else guiding(reading, table, at, decision is not None),
        "as_query": as_query,
        "as_value": seat,
    }


def guiding(reading: Reading, table: Table, at: Viewer, deciding: bool) -> Hint | None:
    """What the guide tells this reader now."""
    if not at.mine:
        return None
    known = memory(reading.house, reading.person, reading.request.cookies, table.title_id, table.id)
    asked = table.playing.state.asked.id if deciding else ""
    return guide(table.title).next(known.seen, asked) if known.on else None


def print_page(reading: Reading, table: Table, at: Viewer) -> Response:
    """A finished match on paper: result, score sheet, log. Always light. The table's lock is held."""
    seat = viewing_seat(reading, table, at, None)
    match = table.position(table.moves)
    points = seen.points(table, match, seat)
    reading.theme = "light"
    return reading.page(
        "print.html.jinja",
        _=Speech(reading.language, table.title.words),
        table=table,
        title=table.title,
        names=table.names(),
        points=points,
        score_lines=score_lines(table, points, reading.language),
        headline=headline(reading, table, points),
        log_lines=seen.log(table, seat, reading.language),
        seed_text=table.opening().seed_text(),
    )


def grouped(decision: seen.Decision | None) -> tuple[list[Group], list[Refusal]]:
    """The options by verb, in the rules' order; what is refused alike in one line, many lines folded away."""
    if decision is None:
        return [], []
    groups: dict[str, Group] = {}
    for offer in decision.allowed:
        groups.setdefault(offer.verb, Group(offer.verb)).allowed.append(offer)
    alike: dict[tuple[str, str, str], list[seen.Offer]] = {}
    for offer in decision.refused:
        sentence = re.sub(r"\d+", "#", offer.why)  # whatever its numbers
        alike.setdefault((offer.verb, offer.rule, sentence), []).append(offer)
    refusals = [Refusal(offers) for offers in alike.values()]
    if len(refusals) > INLINE_REFUSALS:
        return list(groups.values()), refusals
    for refusal in refusals:
        verb = refusal.offers[0].verb
        groups.setdefault(verb, Group(verb)).refused.append(refusal)
    return list(groups.values()), []


def past_log(table: Table, match: Match, seat: Seat, language: str) -> list[LogLine]:
    """The log up to a position."""
    n = len(match.record.options)
    return [line for line in seen.log(table, seat, language) if line.n <= n]


def score_lines(table: Table, points: list[VisibleScore], language: str) -> list[ScoreLine]:
    """The score sheet, line by line."""
    reader = seen.reader_for(table, language)
    names = dict.fromkeys(name for score in points for name in score.lines)
    return [
        ScoreLine(saying.score_line(table.title, name, reader), [score.lines.get(name, 0) for score in points])
        for name in names
    ]


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
