"""View of a table for one viewer: the seat it is seen from, and all data that pages show, computed on demand."""

from functools import cached_property

from triclinium.boardkit.counted_options import CountedOptions, find_counted_options
from triclinium.boardkit.move_chains import combine_options, find_move_chains
from triclinium.boardkit.preview import Preview, make_preview_seed, preview_option
from triclinium.engine.auto_replies import PLAN_PREFIX
from triclinium.engine.core.errors import BadNotation
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.engine.match import OPTION_SEPARATOR, split_options
from triclinium.engine.view import View, to_json
from triclinium.engine.visible_scores import VisibleScore
from triclinium.server import plugin_errors
from triclinium.server.errors import NotFound
from triclinium.server.presenter.auto_replies import AutoReplyView, build_auto_replies
from triclinium.server.presenter.combined_question import (
    add_plans,
    combine_questions,
    complete_options,
    make_plan_offer,
)
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
    """Return the seat from which the API shows a table: the viewer's seat that has to decide, or their first.

    None means a spectator.
    """
    return table.who if table.who in own_seats else own_seats[0] if own_seats else None


def choose_viewing_seat(table: Table, own_seats: Seats, chosen: int | None, past: int | None) -> Seat | None:
    """Return the seat from which a page shows a table, or None for a spectator.

    ``chosen`` is the seat that the viewer has asked for: -1 means a spectator, None means no choice. At a shared
    device, a game with secrets shows no hand until a player has chosen their seat.
    """
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
    """Return whether the next player at a shared device must first confirm that they are there.

    Secrets stay hidden until then.
    """
    shared = len(own_seats) > 1 and table.who in own_seats and table.game.has_secrets and table.status != "over"
    return shared and choose_viewing_seat(table, own_seats, chosen, past) is None


def find_asked_step(table: Table, seat: Seat) -> str:
    """Return the id of the step that this seat has to answer now, or "" if it has none."""
    asked = table.match is not None and table.status == "playing" and table.who == seat
    return table.current_match.state.asked.id if asked else ""


class TableView:
    """A table as one viewer sees it, now or after an earlier move."""

    def __init__(
        self, table: Table, own_seats: Seats, seat: Seat | None, language: str, past: int | None = None
    ) -> None:
        self.table = table
        self.game = table.game
        self.own_seats = own_seats  # the seats that belong to the viewer
        self.seat = seat  # the seat from which the viewer sees the table; None: a spectator
        self.language = language
        self.past = past
        self.reader = make_reader(table, language)
        self.over = table.status == "over"
        self._match = table.position(table.moves if past is None else past)
        self._state = self._match.state
        self.ended = self._state.over  # the match is over at this position
        self.who = None if self.over else nobody_to_none(self._state.who)

    @cached_property
    def view(self) -> View:
        past = not self.over and self.past is not None and self.past < self.table.moves
        return visible_state.get_view_or_base(self.game, self._state, self.seat, self.over and self.ended, past)

    def view_json(self) -> dict[str, object]:
        """Return the view as JSON, with ids in place of numbers."""
        return to_json(self.view, self.game.ids)

    # -- decisions ------------------------------------------------------------------------------------------------

    @property
    def is_asked(self) -> bool:
        """True if the viewer has to decide now."""
        return self.past is None and self.who is not None and self.who == self.seat and self.seat in self.own_seats

    @cached_property
    def decision(self) -> DecisionView | None:
        """The decision that the viewer has to make now, or None."""
        return build_decision(self.game, self._state, self.reader) if self.is_asked else None

    @cached_property
    def offers(self) -> dict[str, DecisionOffer]:
        """All options of the current decision, allowed or refused, by notation."""
        asked = self.decision
        return {} if asked is None else {offer.option: offer for offer in asked.allowed + asked.refused}

    @cached_property
    def combined_decision(self) -> DecisionView | None:
        """The decision as pages ask it: combined with the next question if the step allows that."""
        asked, seat, table, s = self.decision, self.seat, self.table, self._state
        if asked is None or seat is None:
            return asked
        try:
            seed = make_preview_seed(table.id, table.version, seat, "beside")
            combined = combine_questions(self.game, s, seat, self.reader, seed) if s.asked.combined_verbs else asked
            return add_plans(s, self.reader, complete_options(self.game, s, seat, self.reader, seed, combined))
        except Exception as error:  # pages can ask the questions one after the other
            plugin_errors.log_once(self.game.id, "rules", error)
            return asked

    @cached_property
    def combined_offers(self) -> dict[str, DecisionOffer]:
        """All options of the combined decision, allowed or refused, by notation.

        The notation of an option that is completed by a safe answer leads to the completed option.
        """
        asked = self.combined_decision
        if asked is None:
            return {}
        offers = {offer.option: offer for offer in asked.allowed + asked.refused}
        completed = self._state.asked.completed_verbs
        return offers | {
            split_options(option)[0]: offer
            for option, offer in offers.items()
            if offer.verb in completed and OPTION_SEPARATOR in option
        }

    @cached_property
    def counted_options(self) -> CountedOptions | None:
        """The options of a question that is asked several times in a row, or None. Pages show a counter for each."""
        if not self.is_asked or self.seat is None:
            return None
        try:
            seed = make_preview_seed(self.table.id, self.table.version, self.seat, "counted")
            return find_counted_options(self.game, self._state, self.seat, seed)
        except Exception as error:  # pages can ask for one option after the other
            plugin_errors.log_once(self.game.id, "rules", error)
            return None

    @cached_property
    def auto_replies(self) -> AutoReplyView | None:
        """The auto-replies of the viewer's seat. None for spectators, for earlier positions and after the match."""
        if self.seat is None or self.seat not in self.own_seats or self.past is not None or self.over:
            return None
        return build_auto_replies(self.table, self.seat, self.reader)

    @cached_property
    def chain_offers(self) -> dict[str, DecisionOffer]:
        """Chains of options that one click can choose, by the notation of the whole chain."""
        if not self.is_asked or self.seat is None:
            return {}
        game, table = self.game, self.table
        try:
            chains = find_move_chains(
                game, self._state, self.seat, make_preview_seed(table.id, table.version, self.seat, "ways")
            )
            return {offer.option: offer for offer in (make_chain_offer(game, way, self.reader) for way in chains)}
        except Exception as error:  # without chains, the player can still choose the options one by one
            plugin_errors.log_once(game.id, "rules", error)
            return {}

    def offer(self, option: str) -> DecisionOffer | None:
        """Return the allowed option, chain or plan with this notation, or None."""
        if self.is_asked and option.startswith(PLAN_PREFIX):
            plan = option.removeprefix(PLAN_PREFIX)
            known = plan in self._state.asked.list_plans(self._state)
            return make_plan_offer(self._state, self.reader, plan) if known else None
        offer = self.offers.get(option) or (self.find_chain_offer(option) if OPTION_SEPARATOR in option else None)
        return offer if offer is not None and offer.allowed else None

    def find_chain_offer(self, option: str) -> DecisionOffer | None:
        """Return a chain of options with this notation, or None.

        The options may reveal nothing until the last is chosen.
        """
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
        """Return the effects of an option or chain, or None if the rules fail.

        Raise `NotFound` if it is not allowed.
        """
        table, s = self.table, self._state
        if option.startswith(PLAN_PREFIX) and self.offer(option) is not None:
            return None  # the moves of others decide what the later options of a plan do
        try:
            o, *more = [self.game.read(item) for item in split_options(option)]
        except BadNotation:
            raise NotFound("This option is not available now.") from None
        notation = OPTION_SEPARATOR.join(self.game.format_option(item) for item in (o, *more))
        if (
            not self.is_asked
            or self.seat is None
            or o not in s.legal
            or (more and self.find_chain_offer(notation) is None)
        ):
            raise NotFound("This option is not available now.")
        seed = make_preview_seed(table.id, table.version, self.seat, notation)
        try:
            return preview_option(self.game, s, self.seat, o, seed, self.reader, more)
        except Exception as error:
            plugin_errors.log_once(self.game.id, "preview", error)
            return None

    def can_undo(self, seat: Seat) -> bool:
        """Return whether this seat can undo its last decision without asking the other players."""
        return self.past is None and not self.over and self.table.options.undo and undo_steps(self.table, seat) > 0

    # -- log ------------------------------------------------------------------------------------------------------

    @cached_property
    def log(self) -> list[LogLine]:
        """The game log up to this position."""
        lines = build_log(self.table, self.seat if self.seat in self.own_seats else None, self.language)
        return lines if self.past is None else [line for line in lines if line.n <= self.past]

    @cached_property
    def last_own_move(self) -> int:
        """The last move of one of the viewer's seats, or 0 if they have made none."""
        done = self.table.current_match.list_deciders()
        return next((n for n in range(len(done), 0, -1) if done[n - 1] in self.own_seats), 0)

    @cached_property
    def news(self) -> News | None:
        """The recap of moves since the seat last decided.

        None for spectators, for earlier positions and after the match.
        """
        if self.seat is None or self.seat not in self.own_seats or self.past is not None or self.over:
            return None
        return collect_news(self.table, self.seat, self.log, self.is_asked)

    @cached_property
    def revealed_cards(self) -> list[RevealedCard]:
        """The cards revealed since the viewer's last move. Spectators see those of the last move."""
        if self.over and self.past is None:
            return []
        last = self.table.moves if self.past is None else self.past
        watching = self.past is not None or not self.own_seats
        return find_revealed_cards(self.log, last if watching else min(self.last_own_move or last, last))

    # -- scores ---------------------------------------------------------------------------------------------------

    @cached_property
    def points(self) -> list[VisibleScore]:
        """The scores as far as the viewer knows them."""
        return visible_state.compute_visible_scores(self.table, self._match, self.seat)

    def score_lines(self) -> list[ScoreLine]:
        """Return the score sheet, line by line."""
        return build_score_lines(self.points, list_line_names(self.game, self.points, self.reader))

    def final_lines(self, total: str) -> list[ScoreLine]:
        """Return the score sheet of a finished match, with totals and with the leaders of each line."""
        return build_final_lines(self.game, self.points, self.reader, total)

    def reasons(self) -> list[str]:
        """Return the reason for the rank of each seat, for finished matches of games without points."""
        try:
            messages = [self.game.rank_reason(self._state, seat) for seat in range(self._state.seats)]
            return ["" if message is None else self.reader.read(message) for message in messages]
        except Exception as error:
            plugin_errors.log_once(self.game.id, "reasons", error)
            return [""] * self._state.seats

    def contests(self) -> list[ScoreLine]:
        """Return the contests of a finished match."""
        try:
            return build_contests(self.game, self._state, self.reader)
        except Exception as error:
            plugin_errors.log_once(self.game.id, "contests", error)
            return []
