"""Sequence of play: turns, coups, finishing, playing on and resigning (LM-2, LM-9)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.arrive import Arrive, record_card_taken, visit_here
from triclinium.games.missionnaires.rules.actions.bons import BonWindow
from triclinium.games.missionnaires.rules.actions.cards import draw_card
from triclinium.games.missionnaires.rules.actions.displacement import OnPass, StormPort, make_storm_step
from triclinium.games.missionnaires.rules.actions.effects import set_down
from triclinium.games.missionnaires.rules.actions.move import Main, apply_fair_wind, make_bonus_move
from triclinium.games.missionnaires.rules.components import GREEN, NO, OFF, RESIGN, TERRITORY, YES
from triclinium.games.missionnaires.rules.events import AGAIN, ENDED, FINISHED, GAVE_UP, LIMIT, MISSED, RESIGNED, TURN
from triclinium.games.missionnaires.rules.ranks import count_home, is_decided, make_rank_key
from triclinium.games.missionnaires.rules.state import LAST_TURN, RESIGNED_HAND, STOPPED, THIS_TURN, Flow, Missionnaires
from triclinium.games.missionnaires.rules.table_rules import EACH, NEVER, VOTE


class NextTurn(Step[Missionnaires]):
    """LM-1.10, LM-2.1, LM-R16  The start of the next player's turn. A round ends when all have had their turn."""

    id: ClassVar[str] = "NextTurn"

    def run(self, s: Missionnaires) -> None:
        who = s.get_next_seat(s.turn)
        if (who - s.first) % s.seats <= (s.turn - s.first) % s.seats:
            if s.round == s.v.round_limit:
                s.emit(LIMIT, NOBODY, (s.round,), "LM-R16")
                end_match(s)
                return
            s.round += 1
        s.turn = who
        s.territories = 0
        if s.missed[who] > 0:
            s.missed[who] -= 1
            s.emit(MISSED, who, (s.missed[who],), "LM-2.1")
            s.push(self)
            return
        s.turns[who] += 1
        s.passed[who] = LAST_TURN if s.passed[who] & THIS_TURN else 0
        if s.events is not None:  # Build the event only if someone reads it, because turns are frequent.
            s.emit(TURN, who, (s.round,))
        s.push(self)
        begin_coup(s, who, 1)


def begin_coup(s: Missionnaires, who: Seat, number: int) -> None:
    """LM-2.2  Queue a BON window, the main action, a second BON window, and the finish check."""
    window = BonWindow(who)
    stack = s.stack
    stack.append(EndCoup(NOBODY, number))
    stack.append(window)
    stack.append(Main(who, s.at[who]))
    if s.bons[who]:
        stack.append(window)


class Coup(Step[Missionnaires]):
    """LM-2.5  The second coup in the same turn, unless the player has finished."""

    id: ClassVar[str] = "Coup"

    def __init__(self, who: Seat, number: int) -> None:
        super().__init__(who)
        self.number: Final = number

    def fields(self) -> tuple[int, ...]:
        return (self.number,)

    def run(self, s: Missionnaires) -> None:
        if s.is_playing(s.turn):
            s.emit(AGAIN, s.turn, (), "LM-2.5")
            begin_coup(s, s.turn, self.number)


class EndCoup(Step[Missionnaires]):
    """LM-8.6, LM-9.2  The end of a coup: refill at the Bethel (LM-R10), and the finish unless a voucher is left."""

    id: ClassVar[str] = "EndCoup"

    def __init__(self, who: Seat, number: int) -> None:
        super().__init__(who)
        self.number: Final = number

    def fields(self) -> tuple[int, ...]:
        return (self.number,)

    def run(self, s: Missionnaires) -> None:
        who = s.turn
        s.newly_joined = 0
        if s.at[who] == s.c.bethel:
            s.refill_periodicals(who)
            if not s.hand[who] and not s.bons[who]:
                finish_tour(s, who)


def play_again(s: Missionnaires) -> None:
    """LM-2.5, LM-R19  Queue a second coup after the first; do nothing in the last coup of a turn."""
    i = len(s.stack) - 1
    while i >= 0:
        end = s.stack[i]
        if isinstance(end, EndCoup):
            if end.number < s.c.coups and not isinstance(s.stack[i - 1], Coup):
                s.stack.insert(i, Coup(NOBODY, end.number + 1))
            return
        i -= 1


def finish_tour(s: Missionnaires, who: Seat) -> None:
    """LM-9.2 to LM-9.4  Give the player the next rank, then let the others decide whether to play on (LM-R15)."""
    s.rank[who] = count_home(s) + 1
    leave_board(s, who)
    s.emit(FINISHED, who, (s.rank[who], s.round), "LM-9.2")
    if is_decided(s) or (s.rank[who] == 1 and s.v.play_on == NEVER):
        end_match(s)
    elif s.v.play_on == EACH:
        s.push_all([PlayOn(seat) for seat in s.list_seats_after(who)])
    elif s.rank[who] == 1 and s.v.play_on == VOTE:
        s.push_all([PlayOn(seat) for seat in s.list_unfinished_seats()])


def leave_board(s: Missionnaires, who: Seat) -> None:
    """Take the pawn off the board; an overseer with it stays at the Bethel, unattached."""
    overseer = s.find_overseer(who)
    if overseer != OFF:
        set_down(s, overseer, s.c.bethel)
    s.at[who] = OFF
    s.ended_round = replace_item(s.ended_round, who, s.round)


def return_holdings(s: Missionnaires, who: Seat) -> None:
    """Return the periodicals of a player who stops or resigns to the stock, and the BONS to the discards."""
    s.periodicals[who] = 0
    for card in s.bons[who]:
        s.discard_card(card)
    s.bons = replace_item(s.bons, who, ())


def stop_playing(s: Missionnaires, who: Seat) -> None:
    """LM-R15  Stop a player, who decides nothing more.

    The player is ranked by the current position, behind all who come home.
    """
    s.rank_key_at_stop = replace_item(s.rank_key_at_stop, who, make_rank_key(s, who))
    s.rank[who] = STOPPED
    leave_board(s, who)
    return_holdings(s, who)
    s.emit(GAVE_UP, who, (), "LM-R15")
    if is_decided(s):
        end_match(s)


class PlayOn(Step[Missionnaires]):
    """LM-R15  The choice to play on, each player for themselves; by variant a vote that must be unanimous."""

    id: ClassVar[str] = "PlayOn"
    action: ClassVar[Action | None] = stages.FINISH
    question: ClassVar[str] = "The first player is home. Does the match go on for the other places?"
    own_question: ClassVar[str] = msgid("{0:seat} is home. Do you play on for the next place?")

    def question_template(self, s: Missionnaires) -> str:
        return self.own_question if s.v.play_on == EACH else self.question

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (s.rank.index(count_home(s)),) if s.v.play_on == EACH else ()

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [YES, NO]

    def apply(self, s: Missionnaires, o: Option) -> None:
        if o == YES:
            return
        if s.v.play_on == EACH:
            stop_playing(s, self.who)
        else:
            s.emit(ENDED, self.who, (), "LM-R15")
            end_match(s)


class CardFlow(Flow):
    """The implementation of `Flow`, for effects of cards that start moves, arrivals or coups."""

    def begin_bonus_move(self, s: Missionnaires, who: Seat, spaces: int) -> Step[Missionnaires]:
        return make_bonus_move(s, who, spaces)

    def arrive_on_space(self, s: Missionnaires, who: Seat, territory: int) -> None:
        if who == s.turn:
            s.push(Arrive(NOBODY, OFF, territory))
        else:
            visit_here(s, who)

    def draw_on_pass(self, s: Missionnaires, who: Seat) -> None:
        if s.c.kind[s.at[who]] == GREEN and s.territories < s.c.territories_a_turn:
            record_card_taken(s, s.at[who])
            s.push(OnPass(NOBODY))
            draw_card(s, who, TERRITORY)

    def stop_playing(self, s: Missionnaires, who: Seat) -> None:
        skip_to_next_turn(s)
        stop_playing(s, who)

    def play_again(self, s: Missionnaires) -> None:
        play_again(s)

    def apply_fair_wind(self, s: Missionnaires, spaces: int) -> None:
        apply_fair_wind(s, spaces)


def end_match(s: Missionnaires) -> None:
    """Remove everything pending, which ends the match."""
    s.stack.clear()


def skip_to_next_turn(s: Missionnaires) -> None:
    """Remove everything pending of this turn."""
    s.newly_joined = 0
    while not isinstance(s.stack[-1], NextTurn):
        s.stack.pop()


class Resign(Step[Missionnaires]):
    """LM-R24  Resignation, open at any moment to each player who has not finished."""

    id: ClassVar[str] = "Resign"

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [RESIGN + s.colour[self.who]] if s.rank[self.who] == 0 else []

    def apply(self, s: Missionnaires, o: Option) -> None:
        resign_seat(s, self.who)


def resign_seat(s: Missionnaires, who: Seat) -> None:
    """LM-R24  Give the player the last free rank, and return cards, BONS, periodicals and overseer."""
    s.rank[who] = s.seats - s.resigned.bit_count()
    s.resigned |= 1 << who
    leave_board(s, who)
    return_holdings(s, who)
    bury_hand(s, who)
    s.emit(RESIGNED, who, (s.rank[who],), "LM-R24")
    if is_decided(s):
        end_match(s)
    elif who == s.turn and s.round > 0:
        skip_to_next_turn(s)
    else:
        drop_decisions(s, who)


def bury_hand(s: Missionnaires, who: Seat) -> None:
    """Put the player's unvisited cards under the reserve in random order, with the other players' knowledge of them."""
    cards = list(s.hand[who])
    if not cards:
        return
    s.rng.order(RESIGNED_HAND, who, cards)
    s.undo_barrier += 1
    out = s.hand_ruled_out[who][0]
    for other in s.hand_ruled_out[who]:
        out &= other
    if s.v.open_hands:  # All players saw the cards, so they know that these slots and no others hold them.
        buried = sum([1 << card for card in cards])
        out = (1 << len(s.c.congregations)) - 1 - buried
        s.reserve_ruled_out = tuple([known | buried for known in s.reserve_ruled_out])
    s.reserve = (*cards, *s.reserve)
    s.reserve_seen = (0,) * len(cards) + s.reserve_seen
    s.reserve_ruled_out = (out,) * len(cards) + s.reserve_ruled_out
    s.hand = replace_item(s.hand, who, ())
    s.hand_seen = replace_item(s.hand_seen, who, ())
    s.hand_ruled_out = replace_item(s.hand_ruled_out, who, ())


def drop_decisions(s: Missionnaires, who: Seat) -> None:
    """Remove pending decisions of a player who left; the next player chooses the port of a storm instead."""
    i = len(s.stack) - 1
    while i >= 0:
        step = s.stack[i]
        if step.who == who:
            if isinstance(step, StormPort):
                s.stack[i] = make_storm_step(s)
            else:
                del s.stack[i]
        i -= 1
