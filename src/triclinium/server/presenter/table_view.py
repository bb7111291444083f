"""What one viewer is shown of a table that can be played: through whose eyes, and each part of it, made once."""

from functools import cached_property

from triclinium.boardkit.move_chains import together, ways
from triclinium.boardkit.preview import Preview, preview, seed_of
from triclinium.engine.core.errors import BadNotation
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import TOGETHER, several
from triclinium.engine.view import View, to_json
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import plugin_errors
from triclinium.server.errors import NotFound
from triclinium.server.presenter import visible_state
from triclinium.server.presenter.auto_replies import Sparing, sparing
from triclinium.server.presenter.combined_question import with_next
from triclinium.server.presenter.decision import Decision, Offer, decision, reader_for, way_offer
from triclinium.server.presenter.log import log
from triclinium.server.presenter.recap import News, TurnedUp, news, turned_up
from triclinium.server.presenter.scores import ScoreLine, contests, final_lines, line_names, score_lines
from triclinium.server.presenter.seat_ids import or_none
from triclinium.server.tables.table import LogLine, Table
from triclinium.server.tables.undo import undo_steps

Seats = tuple[Seat, ...]


def own_seat(table: Table, mine: Seats) -> Seat | None:
    """The seat that a program looks from: the one of its own that is asked, or its first; None: a spectator."""
    return table.who if table.who in mine else mine[0] if mine else None


def viewing_seat(table: Table, mine: Seats, chosen: int | None, past: int | None) -> Seat | None:
    """The seat whose eyes a person looks through. ``chosen`` is a wish: a seat, -1 for a spectator, None for none."""
    if table.status == "over":
        if chosen is not None and NOBODY <= chosen < len(table.occupants):
            return or_none(chosen)
        return mine[0] if mine else None
    if len(mine) < 2:
        return mine[0] if mine else None
    asked = table.who in mine
    if chosen in mine and (chosen == table.who or past is not None or not asked):
        return chosen
    if table.game.secrets:
        return None
    return table.who if asked else mine[0]


def must_hand_over(table: Table, mine: Seats, chosen: int | None, past: int | None) -> bool:
    """Whether the next player at this device must first say that it is them: nothing is shown to whoever sits there."""
    shared = len(mine) > 1 and table.who in mine and table.game.secrets and table.status != "over"
    return shared and viewing_seat(table, mine, chosen, past) is None


def asked_step(table: Table, seat: Seat) -> str:
    """The id of the step that this seat answers now; the empty text: none."""
    asked = table.match is not None and table.status == "playing" and table.who == seat
    return table.playing.state.asked.id if asked else ""


class Shown:
    """A table as one viewer sees it, now or after an earlier move. It is used while the table's lock is held."""

    def __init__(self, table: Table, mine: Seats, seat: Seat | None, language: str, past: int | None = None) -> None:
        self.table = table
        self.game = table.game
        self.mine = mine  # the seats that the viewer speaks for
        self.seat = seat  # the one whose eyes it looks through; None: a spectator's
        self.language = language
        self.past = past
        self.reader = reader_for(table, language)
        self.over = table.status == "over"
        self._match = table.position(table.moves if past is None else past)
        self._state = self._match.state
        self.ended = self._state.over  # at this position
        self.who = None if self.over else or_none(self._state.who)

    @cached_property
    def view(self) -> View:
        past = not self.over and self.past is not None and self.past < self.table.moves
        return visible_state.view_or_base(self.game, self._state, self.seat, self.over and self.ended, past)

    def view_json(self) -> dict[str, object]:
        """The view as JSON holds it: ids in place of numbers."""
        return to_json(self.view, self.game.ids)

    # -- deciding -------------------------------------------------------------------------------------------------

    @property
    def is_asked(self) -> bool:
        """Whether the viewer decides now."""
        return self.past is None and self.who is not None and self.who == self.seat and self.seat in self.mine

    @cached_property
    def decision(self) -> Decision | None:
        """What the viewer decides now; None: nothing."""
        return decision(self.game, self._state, self.reader) if self.is_asked else None

    @cached_property
    def offers(self) -> dict[str, Offer]:
        """All that the viewer might choose now, allowed or refused, by its notation."""
        asked = self.decision
        return {} if asked is None else {offer.option: offer for offer in asked.allowed + asked.refused}

    @cached_property
    def asking(self) -> Decision | None:
        """The decision as a page asks it: together with the next question, where the step says so."""
        asked, seat, table = self.decision, self.seat, self.table
        if asked is None or seat is None or not self._state.asked.beside:
            return asked
        try:
            seed = seed_of(table.id, table.version, seat, "beside")
            return with_next(self.game, self._state, seat, self.reader, seed)
        except Exception as error:  # one after the other they can still be asked
            plugin_errors.note(self.game.id, "rules", error)
            return asked

    @cached_property
    def asking_offers(self) -> dict[str, Offer]:
        """All that a page offers or refuses, by its notation."""
        asked = self.asking
        return {} if asked is None else {offer.option: offer for offer in asked.allowed + asked.refused}

    @cached_property
    def sparing(self) -> Sparing | None:
        """What is answered for the seat whose eyes these are, and may be; None: it is not the viewer's, or not now."""
        if self.seat is None or self.seat not in self.mine or self.past is not None or self.over:
            return None
        return sparing(self.table, self.seat, self.reader)

    @cached_property
    def ways(self) -> dict[str, Offer]:
        """Several options of the viewer's that one click may choose, by the notation of all of them."""
        if not self.is_asked or self.seat is None:
            return {}
        game, table = self.game, self.table
        try:
            found = ways(game, self._state, self.seat, seed_of(table.id, table.version, self.seat, "ways"))
            return {offer.option: offer for offer in (way_offer(game, way, self.reader) for way in found)}
        except Exception as error:  # one by one they can still be chosen
            plugin_errors.note(game.id, "rules", error)
            return {}

    def offer(self, option: str) -> Offer | None:
        """What the viewer may choose now by this notation: one option, or several of a way."""
        found = self.offers.get(option) or (self.way(option) if TOGETHER in option else None)
        return found if found is not None and found.allowed else None

    def way(self, option: str) -> Offer | None:
        """Several options: one of the ways, or any that follow each other while nothing is learnt between them."""
        if option in self.ways or not self.is_asked or self.seat is None:
            return self.ways.get(option)
        game, table = self.game, self.table
        try:
            chosen = [game.read(one) for one in several(option)]
            found = together(game, self._state, self.seat, chosen, seed_of(table.id, table.version, self.seat, "ways"))
        except BadNotation:
            return None
        return None if found is None else way_offer(game, found, self.reader)

    def preview(self, option: str) -> Preview | None:
        """What an option of the viewer's would do; None: the rules fail over it. Raises NotFound if it has none."""
        table, s = self.table, self._state
        try:
            o, *more = [self.game.read(one) for one in several(option)]
        except BadNotation:
            raise NotFound("this option is not offered now") from None
        said = TOGETHER.join(self.game.say(one) for one in (o, *more))
        if not self.is_asked or self.seat is None or o not in s.legal or (more and self.way(said) is None):
            raise NotFound("this option is not offered now")
        seed = seed_of(table.id, table.version, self.seat, said)
        try:
            return preview(self.game, s, self.seat, o, seed, self.reader, more)
        except Exception as error:
            plugin_errors.note(self.game.id, "preview", error)
            return None

    def may_undo(self, seat: Seat) -> bool:
        """Whether this seat may take back its last option without asking anybody."""
        return self.past is None and not self.over and self.table.options.undo and undo_steps(self.table, seat) > 0

    # -- what has happened ----------------------------------------------------------------------------------------

    @cached_property
    def log(self) -> list[LogLine]:
        """The log up to this position."""
        lines = log(self.table, self.seat if self.seat in self.mine else None, self.language)
        return lines if self.past is None else [line for line in lines if line.n <= self.past]

    @cached_property
    def read_until(self) -> int:
        """The last move of the viewer's own; 0: it has made none."""
        done = self.table.playing.deciders()
        return next((n for n in range(len(done), 0, -1) if done[n - 1] in self.mine), 0)

    @cached_property
    def news(self) -> News | None:
        """What the others did since the seat whose eyes these are decided last; None: nobody's, or not now."""
        if self.seat is None or self.seat not in self.mine or self.past is not None or self.over:
            return None
        return news(self.table, self.seat, self.log, self.is_asked)

    @cached_property
    def turned_up(self) -> list[TurnedUp]:
        """The cards that came to light since the viewer's last move, or by the last move of all."""
        if self.over and self.past is None:
            return []
        last = self.table.moves if self.past is None else self.past
        watching = self.past is not None or not self.mine
        return turned_up(self.log, last if watching else min(self.read_until or last, last))

    # -- scores ---------------------------------------------------------------------------------------------------

    @cached_property
    def points(self) -> list[VisibleScore]:
        """The scores as the viewer can tell them."""
        return visible_state.points(self.table, self._match, self.seat)

    def score_lines(self) -> list[ScoreLine]:
        """The score sheet, line by line."""
        return score_lines(self.points, line_names(self.game, self.points, self.reader))

    def final_lines(self, total: str) -> list[ScoreLine]:
        """The same with its total, who was ahead in each line and by how much; when the match is over."""
        return final_lines(self.game, self.points, self.reader, total)

    def reasons(self) -> list[str]:
        """Why each seat has its rank, where no points tell; when the match is over."""
        try:
            found = [self.game.reason(self._state, seat) for seat in range(self._state.seats)]
            return ["" if one is None else self.reader.read(one) for one in found]
        except Exception as error:
            plugin_errors.note(self.game.id, "reasons", error)
            return [""] * self._state.seats

    def contests(self) -> list[ScoreLine]:
        """What seats competed for; when the match is over."""
        try:
            return contests(self.game, self._state, self.reader)
        except Exception as error:
            plugin_errors.note(self.game.id, "contests", error)
            return []
