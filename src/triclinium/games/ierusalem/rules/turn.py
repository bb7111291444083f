"""Sequence of play: the steps A to G of a turn (IE-2.1 to IE-2.19)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import MATCH, NOBODY, Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import (
    TakeMahane,
    discard_card,
    discard_column,
    refill_hand,
    remove_from_hand,
)
from triclinium.games.ierusalem.rules.actions.perform import perform_from
from triclinium.games.ierusalem.rules.actions.sanhedrin import hold_meeting
from triclinium.games.ierusalem.rules.actions.visit import Appreciation, Visit
from triclinium.games.ierusalem.rules.constants import FIRST_MAHANE, MOST_SEATS, ONE_CARD
from triclinium.games.ierusalem.rules.events import (
    CLEARED,
    DISCARDED,
    END_FOLLOWERS,
    END_MARKER,
    ILLUMINATED,
    LAID,
    LOST_OFFERINGS,
    PLAYED,
    TURN,
    WASTED,
)
from triclinium.games.ierusalem.rules.refusals import ALL_SEATED, GOOD_LACKS, ILLUMINATION_SPENT, NO_OWN_CARD, OVERFULL
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import CLEAR, COLUMN, DISCARD, DONE, ILLUMINATE, PLAY, SKIP, WASTE


class Turn(Step[Ierusalem]):
    """IE-2.1  A turn: step A at once, then B to G in this order."""

    id: ClassVar[str] = "Turn"

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.seat: Final = seat

    def fields(self) -> tuple[int, ...]:
        return (self.seat,)

    def run(self, s: Ierusalem) -> None:
        who = self.seat
        s.active = who
        s.turns += 1
        s.turn_card = -1
        if s.events is not None:
            s.emit(TURN, who, (s.turns,), "IE-2.1")
        run_bureaucracy(s, who)
        s.stack.extend(_E_TO_G[who])
        s.stack.append(BuyMahane(who, s.c.buy_price))
        s.stack.extend(_B_AND_C[who])


def run_bureaucracy(s: Ierusalem, who: Seat) -> None:
    """IE-2.2  Move the marker in step A if all Apostles are seated or the match is very long (IE-R25)."""
    if s.are_all_seated() or (s.turns - 1) // s.seats >= s.stall_round:
        hold_meeting(s, who)


def has_illumination(s: Ierusalem, who: Seat) -> bool:
    """IE-2.5, IE-2.6  Return whether the Illumination tile can still be used."""
    return s.illumination[who] != 0 and not s.are_all_seated()


class Play(Step[Ierusalem]):
    """IE-2.3  The choice in step B of a card in the hand, or of the Illumination tile."""

    id: ClassVar[str] = "Play"
    action: ClassVar[Action | None] = stages.CARD
    question: ClassVar[str] = "Your turn: play a card, or use the Illumination tile."
    card_alone: ClassVar[str] = msgid("Your turn: play a card.")

    def question_template(self, s: Ierusalem) -> str:
        return self.question if has_illumination(s, self.who) else self.card_alone

    def display_rank(self, s: Ierusalem, o: Option) -> int:
        return int(o == ILLUMINATE)

    def candidates(self, s: Ierusalem) -> list[Option]:
        options = [ILLUMINATE]
        for card in s.hand[self.who]:
            options.append(PLAY + card)
        return options

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o != ILLUMINATE:
            return None
        if not s.illumination[self.who]:
            return ILLUMINATION_SPENT
        return ALL_SEATED if s.are_all_seated() else None

    def options(self, s: Ierusalem) -> list[Option]:
        cards = [PLAY + card for card in s.hand[self.who]]
        return [ILLUMINATE, *cards] if has_illumination(s, self.who) else cards

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == ILLUMINATE:
            s.emit(ILLUMINATED, self.who, (), "IE-2.5")
            s.stack.append(Appreciation(self.who))
            return
        if s.events is not None:
            s.emit(PLAYED, self.who, (o - PLAY,), "IE-2.3")
        if len(s.hand[self.who]) == 1 and not has_illumination(s, self.who):
            s.undo_barrier += (
                # IE-D2: the player is not asked about a single card, so the previous answer already revealed this card
                # to its player.
                1
            )
        # IE-D3: the choice of the card is public, so the card leaves the hand before its column is chosen.
        remove_from_hand(s, self.who, o - PLAY)
        s.stack.append(Column(self.who, o - PLAY))


class Column(Step[Ierusalem]):
    """IE-2.3  The choice of the card's column. Its Location and its actions follow, from left to right (IE-2.4)."""

    id: ClassVar[str] = "Column"
    action: ClassVar[Action | None] = stages.CARD
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Which column for {0:card}?"

    def __init__(self, who: Seat, card: int) -> None:
        super().__init__(who)
        self.card: Final = card

    def fields(self) -> tuple[int, ...]:
        return (self.card,)

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (self.card,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [COLUMN, COLUMN + 1, COLUMN + 2]

    def options(self, s: Ierusalem) -> list[Option]:
        return _COLUMNS

    def apply(self, s: Ierusalem, o: Option) -> None:
        if s.events is not None:
            s.emit(LAID, self.who, (o - COLUMN + 1,), "IE-2.3")
        column = self.who * 3 + o - COLUMN
        s.columns[column] += ONE_CARD[self.card]
        s.turn_card = self.card
        perform_from(s, self.who, self.card, 0)


class BuyMahane(TakeMahane):
    """IE-2.15  The choice in step D to pay 2 Denarii for a Mahane card, face up or from the deck, or not to buy one."""

    id: ClassVar[str] = "BuyMahane"
    action: ClassVar[Action | None] = stages.TURN
    stage: ClassVar[int] = 4
    question: ClassVar[str] = "Buy one Mahane card for {0} Denarii?"
    auto_reply_text: ClassVar[str] = "Buy no Mahane card at the end of my turn"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (MATCH,)

    def __init__(self, who: Seat, price: int) -> None:
        super().__init__(who, price, True)

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (self.price,)

    def applies(self, s: Ierusalem) -> bool:
        return s.denarii[self.who] >= self.price

    def auto_reply_option(self, s: Ierusalem) -> Option:
        return SKIP


class DiscardHand(Step[Ierusalem]):
    """IE-2.16  The choice in step E of a card to discard, repeated until five are left."""

    id: ClassVar[str] = "DiscardHand"
    action: ClassVar[Action | None] = stages.TURN
    stage: ClassVar[int] = 5
    question: ClassVar[str] = "You hold {0} cards: discard {1}."

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (len(s.hand[self.who]), self.repetitions(s))

    def repetitions(self, s: Ierusalem) -> int:
        return len(s.hand[self.who]) - s.c.hand_size

    def applies(self, s: Ierusalem) -> bool:
        return len(s.hand[self.who]) > s.c.hand_size

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [DISCARD + card for card in s.hand[self.who]]

    def options(self, s: Ierusalem) -> list[Option]:
        return self.candidates(s)

    def apply(self, s: Ierusalem, o: Option) -> None:
        if s.events is not None:
            s.emit(DISCARDED, self.who, (o - DISCARD,), "IE-2.16")
        remove_from_hand(s, self.who, o - DISCARD)
        discard_card(s, self.who, o - DISCARD)
        s.stack.append(self)


class Refill(Step[Ierusalem]):
    """IE-2.17  Step E: a hand with fewer than five cards is refilled.

    An empty hand must discard a column first (IE-R13).
    """

    id: ClassVar[str] = "Refill"

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.seat: Final = seat

    def fields(self) -> tuple[int, ...]:
        return (self.seat,)

    def run(self, s: Ierusalem) -> None:
        refill_hand(s, self.seat)
        if not s.hand[self.seat]:
            s.push(Relief(self.seat), Refill(self.seat))


class Relief(Step[Ierusalem]):
    """IE-R13, IE-2.16  Step E with an empty hand: choice of a column to discard without VP.

    The column needs a card of the player's colour.
    """

    id: ClassVar[str] = "Relief"
    action: ClassVar[Action | None] = stages.TURN
    stage: ClassVar[int] = 5
    question: ClassVar[str] = "Your hand is empty: which column do you discard?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [CLEAR, CLEAR + 1, CLEAR + 2]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        for card in s.columns[self.who * 3 + o - CLEAR]:
            if card < FIRST_MAHANE:
                return None
        return NO_OWN_CARD

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.emit(CLEARED, self.who, (o - CLEAR + 1,), "IE-R13")
        discard_column(s, self.who, o - CLEAR)


class Warehouse(Step[Ierusalem]):
    """IE-2.18  Step F: choice of goods to discard if the Camp is too full.

    Then Offerings are discarded, but never Followers (IE-R16).
    """

    id: ClassVar[str] = "Warehouse"
    action: ClassVar[Action | None] = stages.TURN
    stage: ClassVar[int] = 6
    question: ClassVar[str] = "Your Camp holds {0} pieces for {1} spaces: discard {2} {2:good|goods}."

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (s.count_filled_spaces(self.who), s.count_camp_spaces(self.who), self.repetitions(s))

    def repetitions(self, s: Ierusalem) -> int:
        return min(s.count_filled_spaces(self.who) - s.count_camp_spaces(self.who), s.count_goods(self.who))

    def applies(self, s: Ierusalem) -> bool:
        return s.count_filled_spaces(self.who) > s.count_camp_spaces(self.who)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [DONE, WASTE, WASTE + 1, WASTE + 2]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == DONE:
            return OVERFULL if s.count_goods(self.who) > 0 else None
        return GOOD_LACKS if s.goods[self.who * 3 + o - WASTE] == 0 else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        if rule is OVERFULL:
            return (s.count_filled_spaces(self.who), s.count_camp_spaces(self.who))
        return (o - WASTE,)

    def options(self, s: Ierusalem) -> list[Option]:
        legal: list[Option] = []
        for good in range(3):
            if s.goods[self.who * 3 + good] > 0:
                legal.append(WASTE + good)
        return legal or [DONE]

    def apply(self, s: Ierusalem, o: Option) -> None:
        who = self.who
        if o != DONE:
            if s.events is not None:
                s.emit(WASTED, who, (o - WASTE,), "IE-2.18")
            s.goods[who * 3 + o - WASTE] -= 1
            s.stack.append(self)
            return
        lost = min(s.count_filled_spaces(who) - s.count_camp_spaces(who), s.offerings[who])
        s.offerings = replace_item(s.offerings, who, s.offerings[who] - lost)
        s.emit(LOST_OFFERINGS, who, (lost,), "IE-R16")


class EndCheck(Step[Ierusalem]):
    """IE-2.19  Step G: end of the game, with the marker on its last space or 15 Followers of a player at the Supper."""

    id: ClassVar[str] = "EndCheck"

    def __init__(self, seat: Seat) -> None:
        super().__init__(NOBODY)
        self.seat: Final = seat

    def fields(self) -> tuple[int, ...]:
        return (self.seat,)

    def run(self, s: Ierusalem) -> None:
        who = self.seat
        if s.marker >= s.c.last:
            s.emit(END_MARKER, who, (), "IE-2.19")
            return
        for seat in range(s.seats):
            if s.camp[seat] == 0 and s.count_at_supper(seat) == s.c.followers:
                s.emit(END_FOLLOWERS, seat, (), "IE-2.19")
                return
        s.stack.append(_TURNS[s.get_next_seat(who)])


# Steps are immutable, so those of every turn are made once.
_TURNS: Final = [Turn(who) for who in range(MOST_SEATS)]
_B_AND_C: Final = [(Visit(who), Play(who)) for who in range(MOST_SEATS)]
_E_TO_G: Final = [(EndCheck(who), Warehouse(who), Refill(who), DiscardHand(who)) for who in range(MOST_SEATS)]
_COLUMNS: Final = [COLUMN, COLUMN + 1, COLUMN + 2]
