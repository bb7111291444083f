"""What one viewer is shown of a table that can be played: through whose eyes, and each part of it, made once."""

from functools import cached_property

from triclinium.boardkit.move_chains import combine_options, find_move_chains
from triclinium.boardkit.preview import Preview, make_preview_seed, preview_option
from triclinium.engine.core.errors import BadNotation
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import OPTION_SEPARATOR, split_options
from triclinium.engine.view import View, to_json
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import plugin_errors
from triclinium.server.errors import NotFound
from triclinium.server.presenter.auto_replies import AutoReplyView, build_auto_replies
from triclinium.server.presenter.combined_question import combine_questions
from triclinium.server.presenter.decision import (
    DecisionOffer,
    DecisionView,
    build_decision,
    make_chain_offer,
    make_reader,
)
from triclinium.server.presenter.log import build_log
from triclinium.server.presenter.recap import News, RevealedCard, collect_news, find_revealed_cards
from triclinium.server.presenter.scores import (
    ScoreLine,
    build_contests,
    build_final_lines,
    build_score_lines,
    list_line_names,
)
from triclinium.server.seat_ids import nobody_to_none
from triclinium.server.tables import visible_state
from triclinium.server.tables.table import LogLine, Table
from triclinium.server.tables.undo import undo_steps

Seats = tuple[Seat, ...]


def choose_own_seat(table: Table, own_seats: Seats) -> Seat | None:
    """The seat that a program looks from: the one of its own that is asked, or its first; None: a spectator."""
    return table.who if table.who in own_seats else own_seats[0] if own_seats else None


def choose_viewing_seat(table: Table, own_seats: Seats, chosen: int | None, past: int | None) -> Seat | None:
    """The seat whose eyes a person looks through. ``chosen`` is a wish: a seat, -1 for a spectator, None for none."""
    if table.status == "over":
        if chosen is not None and NOBODY <= chosen < len(table.occupants):
            return nobody_to_none(chosen)
        return own_seats[0] if own_seats else None
    if len(own_seats) < 2:
        return own_seats[0] if own_seats else None
    asked = table.who in own_seats
    if chosen in own_seats and (chosen == table.who or past is not None or not asked):
        return chosen
    if table.game.has_secrets:
        return None
    return table.who if asked else own_seats[0]


def needs_handover(table: Table, own_seats: Seats, chosen: int | None, past: int | None) -> bool:
    """Whether the next player at this device must first say that it is them: nothing is shown to whoever sits there."""
    shared = len(own_seats) > 1 and table.who in own_seats and table.game.has_secrets and table.status != "over"
    return shared and choose_viewing_seat(table, own_seats, chosen, past) is None


def find_asked_step(table: Table, seat: Seat) -> str:
    """The id of the step that this seat answers now; the empty text: none."""
    asked = table.match is not None and table.status == "playing" and table.who == seat
    return table.current_match.state.asked.id if asked else ""


class TableView:
    """A table as one viewer sees it, now or after an earlier move."""

    def __init__(
        self, table: Table, own_seats: Seats, seat: Seat | None, language: str, past: int | None = None
    ) -> None:
        self.table = table
        self.game = table.game
        self.own_seats = own_seats  # the seats that the viewer speaks for
        self.seat = seat  # the one whose eyes it looks through; None: a spectator's
        self.language = language
        self.past = past
        self.reader = make_reader(table, language)
        self.over = table.status == "over"
        self._match = table.position(table.moves if past is None else past)
        self._state = self._match.state
        self.ended = self._state.over  # at this position
        self.who = None if self.over else nobody_to_none(self._state.who)

    @cached_property
    def view(self) -> View:
        past = not self.over and self.past is not None and self.past < self.table.moves
        return visible_state.get_view_or_base(self.game, self._state, self.seat, self.over and self.ended, past)

    def view_json(self) -> dict[str, object]:
        """The view as JSON holds it: ids in place of numbers."""
        return to_json(self.view, self.game.ids)

    # -- deciding -------------------------------------------------------------------------------------------------

    @property
    def is_asked(self) -> bool:
        """Whether the viewer decides now."""
        return self.past is None and self.who is not None and self.who == self.seat and self.seat in self.own_seats

    @cached_property
    def decision(self) -> DecisionView | None:
        """What the viewer decides now; None: nothing."""
        return build_decision(self.game, self._state, self.reader) if self.is_asked else None

    @cached_property
    def offers(self) -> dict[str, DecisionOffer]:
        """All that the viewer might choose now, allowed or refused, by its notation."""
        asked = self.decision
        return {} if asked is None else {offer.option: offer for offer in asked.allowed + asked.refused}

    @cached_property
    def combined_decision(self) -> DecisionView | None:
        """The decision as a page asks it: together with the next question, where the step says so."""
        asked, seat, table = self.decision, self.seat, self.table
        if asked is None or seat is None or not self._state.asked.combined_verbs:
            return asked
        try:
            seed = make_preview_seed(table.id, table.version, seat, "beside")
            return combine_questions(self.game, self._state, seat, self.reader, seed)
        except Exception as error:  # one after the other they can still be asked
            plugin_errors.log_once(self.game.id, "rules", error)
            return asked

    @cached_property
    def combined_offers(self) -> dict[str, DecisionOffer]:
        """All that a page offers or refuses, by its notation."""
        asked = self.combined_decision
        return {} if asked is None else {offer.option: offer for offer in asked.allowed + asked.refused}

    @cached_property
    def auto_replies(self) -> AutoReplyView | None:
        """What is answered for the seat whose eyes these are, and may be; None: it is not the viewer's, or not now."""
        if self.seat is None or self.seat not in self.own_seats or self.past is not None or self.over:
            return None
        return build_auto_replies(self.table, self.seat, self.reader)

    @cached_property
    def chain_offers(self) -> dict[str, DecisionOffer]:
        """Several options of the viewer's that one click may choose, by the notation of all of them."""
        if not self.is_asked or self.seat is None:
            return {}
        game, table = self.game, self.table
        try:
            chains = find_move_chains(
                game, self._state, self.seat, make_preview_seed(table.id, table.version, self.seat, "ways")
            )
            return {offer.option: offer for offer in (make_chain_offer(game, way, self.reader) for way in chains)}
        except Exception as error:  # one by one they can still be chosen
            plugin_errors.log_once(game.id, "rules", error)
            return {}

    def offer(self, option: str) -> DecisionOffer | None:
        """What the viewer may choose now by this notation: one option, or several of a way."""
        offer = self.offers.get(option) or (self.find_chain_offer(option) if OPTION_SEPARATOR in option else None)
        return offer if offer is not None and offer.allowed else None

    def find_chain_offer(self, option: str) -> DecisionOffer | None:
        """Several options: one of the ways, or any that follow each other while nothing is learnt between them."""
        if option in self.chain_offers or not self.is_asked or self.seat is None:
            return self.chain_offers.get(option)
        game, table = self.game, self.table
        try:
            chosen = [game.read(text) for text in split_options(option)]
            chain = combine_options(
                game, self._state, self.seat, chosen, make_preview_seed(table.id, table.version, self.seat, "ways")
            )
        except BadNotation:
            return None
        return None if chain is None else make_chain_offer(game, chain, self.reader)

    def preview(self, option: str) -> Preview | None:
        """What an option of the viewer's would do; None: the rules fail over it. Raises NotFound if it has none."""
        table, s = self.table, self._state
        try:
            o, *more = [self.game.read(item) for item in split_options(option)]
        except BadNotation:
            raise NotFound("this option is not offered now") from None
        notation = OPTION_SEPARATOR.join(self.game.format_option(item) for item in (o, *more))
        if (
            not self.is_asked
            or self.seat is None
            or o not in s.legal
            or (more and self.find_chain_offer(notation) is None)
        ):
            raise NotFound("this option is not offered now")
        seed = make_preview_seed(table.id, table.version, self.seat, notation)
        try:
            return preview_option(self.game, s, self.seat, o, seed, self.reader, more)
        except Exception as error:
            plugin_errors.log_once(self.game.id, "preview", error)
            return None

    def can_undo(self, seat: Seat) -> bool:
        """Whether this seat may take back its last option without asking anybody."""
        return self.past is None and not self.over and self.table.options.undo and undo_steps(self.table, seat) > 0

    # -- what has happened ----------------------------------------------------------------------------------------

    @cached_property
    def log(self) -> list[LogLine]:
        """The log up to this position."""
        lines = build_log(self.table, self.seat if self.seat in self.own_seats else None, self.language)
        return lines if self.past is None else [line for line in lines if line.n <= self.past]

    @cached_property
    def last_own_move(self) -> int:
        """The last move of the viewer's own; 0: it has made none."""
        done = self.table.current_match.list_deciders()
        return next((n for n in range(len(done), 0, -1) if done[n - 1] in self.own_seats), 0)

    @cached_property
    def news(self) -> News | None:
        """What the others did since the seat whose eyes these are decided last; None: nobody's, or not now."""
        if self.seat is None or self.seat not in self.own_seats or self.past is not None or self.over:
            return None
        return collect_news(self.table, self.seat, self.log, self.is_asked)

    @cached_property
    def revealed_cards(self) -> list[RevealedCard]:
        """The cards that came to light since the viewer's last move, or by the last move of all."""
        if self.over and self.past is None:
            return []
        last = self.table.moves if self.past is None else self.past
        watching = self.past is not None or not self.own_seats
        return find_revealed_cards(self.log, last if watching else min(self.last_own_move or last, last))

    # -- scores ---------------------------------------------------------------------------------------------------

    @cached_property
    def points(self) -> list[VisibleScore]:
        """The scores as the viewer can tell them."""
        return visible_state.compute_visible_scores(self.table, self._match, self.seat)

    def score_lines(self) -> list[ScoreLine]:
        """The score sheet, line by line."""
        return build_score_lines(self.points, list_line_names(self.game, self.points, self.reader))

    def final_lines(self, total: str) -> list[ScoreLine]:
        """The same with its total, who was ahead in each line and by how much; when the match is over."""
        return build_final_lines(self.game, self.points, self.reader, total)

    def reasons(self) -> list[str]:
        """Why each seat has its rank, where no points tell; when the match is over."""
        try:
            messages = [self.game.rank_reason(self._state, seat) for seat in range(self._state.seats)]
            return ["" if message is None else self.reader.read(message) for message in messages]
        except Exception as error:
            plugin_errors.log_once(self.game.id, "reasons", error)
            return [""] * self._state.seats

    def contests(self) -> list[ScoreLine]:
        """What seats competed for; when the match is over."""
        try:
            return build_contests(self.game, self._state, self.reader)
        except Exception as error:
            plugin_errors.log_once(self.game.id, "contests", error)
            return []
