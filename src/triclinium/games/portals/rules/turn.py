"""Sequence of play: turns, rounds, the capsule, and the end of the game (PP-2, PP-3, PP-10)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import FREE, NO_PRICE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import ASK, NOBODY, Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.portals.rules import stages
from triclinium.games.portals.rules.actions.discard import Discard, RemoveBlindly, forbids_discard
from triclinium.games.portals.rules.actions.draw import draw_card, forbids_draw, forbids_take, list_draws, take_card
from triclinium.games.portals.rules.actions.fuel import burn_card, can_burn_any, forbids_burn, list_burns
from triclinium.games.portals.rules.actions.move import forbids_move, list_moves, move_pawn
from triclinium.games.portals.rules.actions.play import forbids_play, list_plays, play_card
from triclinium.games.portals.rules.components import BURN, DISCARD, DRAW, END, LOW, MOVE, NONE, OLD, PLAY, TAKE
from triclinium.games.portals.rules.events import (
    CAPSULE_MOVED,
    DRAINED,
    OVER,
    REFILLED,
    REVEALED,
    ROUND_BEGUN,
    SWEPT,
)
from triclinium.games.portals.rules.refusals import (
    DECK_EMPTY,
    HAND_FULL,
    NEW_TOO_EARLY,
    NO_ACTION_LEFT,
    NO_ROAD,
    OCCUPIED,
    OUT_OF_RANGE,
    SAME_COLOUR,
    WRONG_PLACE,
)
from triclinium.games.portals.rules.state import (
    BY_EXHAUSTION,
    BY_LAST_SPACE,
    BY_LIMIT,
    BY_STALL,
    BY_THIRD_CARD,
    RUNNING,
    Portals,
)

ACTION_PRICE: Final[Price] = (msgid("{0} {0:action|actions}"), (1,))
SWEEP_DISTANCE: Final = 3  # maximum number of spaces behind the capsule for an event to stay in the row


class Turn(Step[Portals]):
    """PP-3.1 to PP-3.3  A turn: up to four actions in any order, free steps between them, and the end of the turn."""

    id: ClassVar[str] = "Turn"
    action: ClassVar[Action | None] = stages.TURN
    chained_verbs: ClassVar[tuple[str, ...]] = ("move", "discard")
    question: ClassVar[str] = "Your turn: {0} {0:action|actions} left."

    def question_template(self, s: Portals) -> str:
        if s.actions == 0:
            return msgid("No actions left: burn or discard a card, or end your turn.")
        return self.question

    def question_parameters(self, s: Portals) -> tuple[int, ...]:
        return (s.actions,)

    def option_price(self, s: Portals, o: Option) -> Price:
        return NO_PRICE if o == END else ACTION_PRICE if o < BURN else FREE

    def display_rank(self, s: Portals, o: Option) -> int:
        """Return the rank of an option: plays, moves towards events in hand, other moves, fuel, decks, row, others."""
        if PLAY <= o < BURN:
            return 0
        if MOVE <= o < PLAY:
            return 2 - int(o - MOVE in [s.c.place[card] for card in s.hands[self.who]])
        if BURN <= o < DISCARD:
            return 3
        return 5 if o < DRAW else 4 if o < MOVE else 6

    def candidates(self, s: Portals) -> list[Option]:
        hand = s.hands[self.who]
        options = [TAKE + card for card in s.row if card != NONE]
        options += [DRAW, DRAW + 1]
        options += [MOVE + place for place in range(s.c.places)]
        options += [PLAY + card for card in hand]
        options += [BURN + card for card in hand]
        options += [DISCARD, END]
        options.sort()
        return options

    def forbids(self, s: Portals, o: Option) -> Rule | None:
        if o < DRAW:
            return forbids_take(s, self.who)
        if o < MOVE:
            return forbids_draw(s, self.who, OLD + o - DRAW)
        if o < PLAY:
            return forbids_move(s, self.who, o - MOVE)
        if o < BURN:
            return forbids_play(s, self.who, o - PLAY)
        if o < DISCARD:
            return forbids_burn(s, o - BURN)
        if o == DISCARD:
            return forbids_discard(s, self.who)
        return None

    def rule_parameters(self, s: Portals, o: Option, rule: Rule) -> tuple[int, ...]:
        c = s.c
        here = s.pawns[self.who]
        if rule is NO_ACTION_LEFT:
            return (c.actions,)
        if rule is HAND_FULL:
            return (len(s.hands[self.who]),)
        if rule is DECK_EMPTY:
            return (OLD + o - DRAW,)
        if rule is NEW_TOO_EARLY:
            return (s.v.new_from, s.capsule)
        if rule is NO_ROAD:
            return (here,)
        if rule is OCCUPIED:
            return (s.find_pawn(o - MOVE),)
        if rule is WRONG_PLACE:
            return (c.place[o - PLAY], here)
        if rule is OUT_OF_RANGE:
            return (c.period[o - PLAY], s.capsule, s.gauge)
        if rule is SAME_COLOUR:
            return (c.colour[o - BURN],)
        return ()

    def options(self, s: Portals) -> list[Option]:
        """Return the legal options without calling `forbids`, because the game calls this function most often."""
        who = self.who
        hand = s.hands[who]
        legal: list[Option] = []
        if s.actions > 0:
            if len(hand) < s.c.hand_limit:
                list_draws(s, legal)
            list_moves(s, who, legal)
            list_plays(s, who, legal)
        if can_burn_any(s):
            list_burns(s, who, legal)
        if hand:
            legal.append(DISCARD)
        legal.append(END)
        return legal

    def forced_option(self, s: Portals, legal: list[Option]) -> Option:
        """PP-R24  Return END if public facts show that the player has nothing left to do."""
        if s.actions == 0 and (not s.hands[self.who] or not can_burn_any(s)):
            return END
        return ASK

    def apply(self, s: Portals, o: Option) -> None:
        if o == END:
            end_turn(s, self.who)
            return
        s.stack.append(self)
        if o < DRAW:
            take_card(s, self.who, o - TAKE)
        elif o < MOVE:
            draw_card(s, self.who, OLD + o - DRAW)
        elif o < PLAY:
            move_pawn(s, self.who, o - MOVE)
        elif o < BURN:
            play_card(s, self.who, o - PLAY)
        elif o < DISCARD:
            burn_card(s, self.who, o - BURN)
        else:
            s.stack.append(Discard(self.who))


def begin_turn(s: Portals, who: Seat) -> None:
    """PP-3.1, PP-R11  Begin a turn with four actions.

    Hands that are too large are reduced first; this cannot happen in play.
    """
    s.actions = s.c.actions
    s.burnt = 0
    s.stack.append(Turn(who))
    for owner in range(s.seats):
        if len(s.hands[owner]) > s.c.hand_limit:
            s.stack.append(RemoveBlindly(owner))


def end_turn(s: Portals, who: Seat) -> None:
    """PP-2.1, PP-8.9  Reset a full gauge to Low, and continue with the left neighbour or the end of the round."""
    if s.gauge == s.c.full:
        s.gauge = LOW
        s.emit(DRAINED, who, (), "PP-8.9")
    s.burnt = 0
    s.actions = 0
    s.undo_barrier += 1  # PP-R34: the end of a turn cannot be undone.
    after = who + 1 if who + 1 < s.seats else 0
    if after == s.first:
        end_round(s)
    if s.ending == RUNNING:
        begin_turn(s, after)


def end_round(s: Portals) -> None:
    """PP-2.3, PP-10.2  End the game, or move the capsule, which stays on the last space."""
    last = s.c.spaces - 1
    if s.capsule == last:
        s.idle_rounds = 0 if s.event_played else s.idle_rounds + 1
    s.ending = find_ending(s)
    if s.ending != RUNNING:
        reveal_hands(s)
        return
    s.event_played = 0
    s.round += 1
    if s.capsule < last:
        s.capsule += 1
        s.emit(CAPSULE_MOVED, NOBODY, (s.round, s.capsule), "PP-2.3")
        if s.v.sweep_row:
            sweep_row(s)
    else:
        s.emit(ROUND_BEGUN, NOBODY, (s.round,), "PP-2.5")


def sweep_row(s: Portals) -> None:
    """PP-R36  Replace events far behind the capsule with the next cards of the Old Testament deck.

    A new card stays until the capsule moves again, even if its period is old. If the deck is empty, no card leaves the
    row.
    """
    for space in range(len(s.row)):
        card = s.row[space]
        if not s.old:
            return
        if card != NONE and card < s.c.events and s.c.period[card] < s.capsule - SWEEP_DISTANCE:
            s.gone.append(card)
            s.row[space] = s.draw_top(OLD)
            s.emit(SWEPT, NOBODY, (card,), "PP-R36")
            s.emit(REFILLED, NOBODY, (s.row[space],), "PP-R36")


def find_ending(s: Portals) -> int:
    """PP-10.1, PP-10.4, PP-12.3, PP-R19, PP-R27  Return the reason why the game ends with this round, or RUNNING."""
    if s.last_round:
        return BY_THIRD_CARD
    if s.v.simplified:
        return BY_LAST_SPACE if s.capsule == s.c.spaces - 1 else RUNNING
    if is_exhausted(s):
        return BY_EXHAUSTION
    if s.v.stall_rounds > 0 and s.idle_rounds >= s.v.stall_rounds:
        return BY_STALL
    if s.round >= s.v.round_limit:
        return BY_LIMIT
    return RUNNING


def is_surely_last_round(s: Portals) -> bool:
    """PP-10.1, PP-12.3, PP-R19  Return whether the game certainly ends with this round, as all players can see."""
    if s.last_round:
        return True
    if s.v.simplified:
        return s.capsule == s.c.spaces - 1
    return s.round >= s.v.round_limit


def is_exhausted(s: Portals) -> bool:
    """PP-R19  Return whether no event card is left in a hand, in the row or in a deck."""
    if s.new:
        return False
    for pile in (s.old, s.row):
        for card in pile:
            if card != NONE and card < s.c.events:
                return False
    for hand in s.hands:
        for card in hand:
            if card < s.c.events:
                return False
    return True


def reveal_hands(s: Portals) -> None:
    """PP-11.2  Reveal the Region and Symbol cards in the hands."""
    s.undo_barrier += 1
    rule = "PP-10.2" if s.ending == BY_THIRD_CARD else "PP-12.3" if s.ending == BY_LAST_SPACE else "PP-10.4"
    s.emit(OVER[s.ending], NOBODY, (), rule)
    for who in range(s.seats):
        hand = s.hands[who]
        for i in range(len(hand)):
            if hand[i] >= s.c.events:
                s.known_in_hand[who] |= 1 << i
                s.emit(REVEALED, who, (hand[i],), "PP-11.2")
    s.settle_all()
