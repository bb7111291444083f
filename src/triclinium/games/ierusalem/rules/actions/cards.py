"""Cards: drawing, discarding, the Mahane display and the XXXIII A.D. deck (IE-2.13 to IE-2.17, IE-4.11)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.constants import CARD_MASK, FIRST_MAHANE, FIRST_XXXIII, OWN_CARDS, list_cards
from triclinium.games.ierusalem.rules.events import (
    DREW,
    DREW_KNOWN,
    DREW_MAHANE,
    DREW_XXXIII,
    PAID_MAHANE,
    RESHUFFLED,
    TOOK,
    TURNED_UP,
)
from triclinium.games.ierusalem.rules.impossible_actions import (
    NO_MAHANE,
    NO_OBSTACLE,
    NO_XXXIII,
    NOTHING_TO_DRAW,
    emit_obstacle,
)
from triclinium.games.ierusalem.rules.refusals import DECK_EMPTY
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.rules.verbs import DRAW, SKIP, TAKE


def add_to_hand(s: Ierusalem, who: Seat, card: int, known: bool) -> None:
    """Put a card into a hand. ``known`` means that all players have seen it."""
    s.hand[who] = append_card(s.hand[who], card)
    if known:
        s.known_cards[who] |= CARD_MASK[card]


def append_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the hand with one more card, ascending."""
    i = len(hand)
    while i > 0 and hand[i - 1] > card:
        i -= 1
    return hand[:i] + (card,) + hand[i:]


def remove_from_hand(s: Ierusalem, who: Seat, card: int) -> None:
    """Take a card out of a hand in public."""
    s.hand[who] = remove_card(s.hand[who], card)
    s.known_cards[who] &= ~CARD_MASK[card]


def remove_card(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards without one of them."""
    i = 0
    while cards[i] != card:
        i += 1
    return cards[:i] + cards[i + 1 :]


def discard_card(s: Ierusalem, who: Seat, card: int) -> None:
    """IE-R45  Put a player's own card on the discard pile, or any other card face down under its deck."""
    if card < FIRST_MAHANE:
        s.discard[who] |= CARD_MASK[card]
    elif card < FIRST_XXXIII:
        if not s.mahane and len(s.display) < s.c.display_size:
            s.display = (*s.display, card)  # IE-R14
            s.emit(TURNED_UP, who, (card,), "IE-R14")
        else:
            s.mahane = (*s.mahane, card)
    else:
        s.xxxiii = (*s.xxxiii, card)


def discard_column(s: Ierusalem, who: Seat, column: int) -> None:
    """IE-R33  Discard a whole column, first card first."""
    cards = s.columns[who * 3 + column]
    s.columns[who * 3 + column] = b""
    for card in cards:
        discard_card(s, who, card)


def emit_draw(s: Ierusalem, who: Seat, card: int, known: bool) -> None:
    """IE-R32  Report a card drawn from a deck: to all players if they know it, otherwise to the drawer alone."""
    if s.events is None:
        return
    if known:
        s.emit(DREW_KNOWN, who, (card,), "IE-4.11")
    else:
        s.emit(DREW_MAHANE if card < FIRST_XXXIII else DREW_XXXIII, who, (), "IE-4.11", (card,), 1 << who)


# -- Mahane cards ----------------------------------------------------------------------------------------------


def has_mahane(s: Ierusalem) -> bool:
    """IE-R14  Return whether a Mahane card is left in the display or the deck."""
    return len(s.display) > 0 or len(s.mahane) > 0


def pop_mahane(s: Ierusalem) -> tuple[int, bool]:
    """Remove the top card of the deck. Return the card, and whether all players know it."""
    card = s.mahane[0]
    s.mahane = s.mahane[1:]
    if s.mahane_hidden == 0:
        return card, True
    s.mahane_hidden -= 1
    s.undo_barrier += 1
    return card, False


class TakeMahane(Step[Ierusalem]):
    """IE-4.11  The choice of a face-up Mahane card or the top of the deck. The display is refilled at once."""

    id: ClassVar[str] = "TakeMahane"
    action: ClassVar[Action | None] = stages.MAHANE
    question: ClassVar[str] = "Which Mahane card do you take?"

    def __init__(self, who: Seat, price: int, may_skip: bool) -> None:
        super().__init__(who)
        self.price: Final = price
        self.may_skip: Final = may_skip

    def fields(self) -> tuple[int, ...]:
        return (self.price, int(self.may_skip))

    def candidates(self, s: Ierusalem) -> list[Option]:
        options = [SKIP, DRAW] if self.may_skip else [DRAW]
        for card in sorted(s.display):
            options.append(TAKE + card - FIRST_MAHANE)
        return options

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return DECK_EMPTY if o == DRAW and not s.mahane else None

    def options(self, s: Ierusalem) -> list[Option]:
        legal = [SKIP] if self.may_skip else []
        if s.mahane:
            legal.append(DRAW)
        for card in sorted(s.display):
            legal.append(TAKE + card - FIRST_MAHANE)
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        who = self.who
        if o == SKIP:
            return
        if self.price > 0:
            if s.events is not None:
                s.emit(PAID_MAHANE, who, (self.price,), "IE-2.15")
            s.denarii[who] -= self.price
        if o == DRAW:
            card, known = pop_mahane(s)
            add_to_hand(s, who, card, known)
            emit_draw(s, who, card, known)
            return
        card = o - TAKE + FIRST_MAHANE
        if s.events is not None:
            s.emit(TOOK, who, (card,), "IE-4.11")
        if s.mahane:
            replacement = pop_mahane(s)[0]
            s.display = replace_item(s.display, s.display.index(card), replacement)
            if s.events is not None:
                s.emit(TURNED_UP, who, (replacement,), "IE-4.11")
        else:
            s.display = remove_card(s.display, card)
        add_to_hand(s, who, card, True)


def find_mahane_obstacle(s: Ierusalem) -> int:
    """IE-R14  Return the reason why no Mahane card can be drawn, or NO_OBSTACLE."""
    return NO_OBSTACLE if has_mahane(s) else NO_MAHANE


def draw_mahane(s: Ierusalem, who: Seat) -> Step[Ierusalem] | None:
    """IE-4.11  Return the optional choice of a free Mahane card, or None without any card (IE-R14)."""
    return TakeMahane(who, 0, True) if has_mahane(s) else None


# -- XXXIII A.D. cards -----------------------------------------------------------------------------------------


def draw_xxxiii(s: Ierusalem, who: Seat) -> None:
    """IE-4.11  Draw the top XXXIII A.D. card into the hand; an empty deck gives nothing (IE-R14)."""
    if not s.xxxiii:
        emit_obstacle(s, who, NO_XXXIII)
        return
    card = s.xxxiii[0]
    s.xxxiii = s.xxxiii[1:]
    known = s.xxxiii_hidden == 0
    if not known:
        s.xxxiii_hidden -= 1
        s.undo_barrier += 1
    add_to_hand(s, who, card, known)
    emit_draw(s, who, card, known)


class DrawXxxiii(Step[Ierusalem]):
    """IE-4.11  The choice to draw a XXXIII A.D. card as a bottom action, or not."""

    id: ClassVar[str] = "DrawXxxiii"
    action: ClassVar[Action | None] = stages.XXXIII
    question: ClassVar[str] = "Draw a XXXIII A.D. card?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, DRAW]

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == DRAW:
            draw_xxxiii(s, self.who)


# -- players' decks -------------------------------------------------------------------------------------------------


def refill_hand(s: Ierusalem, who: Seat) -> None:
    """IE-2.17  Draw from the player's deck up to the hand size. If it is empty, the discards become a new deck."""
    hand = s.hand[who]
    lacking = s.c.hand_size - len(hand)
    if lacking <= 0:
        return
    deck = s.deck[who]
    drawn_cards: list[int] = []
    while lacking > 0:
        if not deck:
            if s.discard[who] == 0:
                break
            # If a player's deck is empty, all players can deduce which of the player's own cards are in this hand,
            # because those cards are neither on the board nor discarded. The shuffle does not change that.
            for card in hand:
                if card < FIRST_MAHANE:
                    s.known_cards[who] |= CARD_MASK[card]
            deck = reshuffle_discards(s, who)
        card = deck[-1]
        deck = deck[:-1]
        hand = append_card(hand, card)
        drawn_cards.append(card)
        lacking -= 1
    if drawn_cards:
        s.undo_barrier += 1
        s.hand[who] = hand
        s.deck[who] = deck
        if s.events is not None:
            s.emit(DREW, who, (len(drawn_cards),), "IE-2.17", tuple(drawn_cards), 1 << who)
    if lacking > 0:
        emit_obstacle(s, who, NOTHING_TO_DRAW)


def reshuffle_discards(s: Ierusalem, who: Seat) -> tuple[int, ...]:
    """IE-2.17  Shuffle the discard pile and return it as a new deck."""
    deck = list(list_cards(s.discard[who], s.colours[who]))
    s.discard[who] = 0
    if s.events is not None:
        s.emit(RESHUFFLED, who, (len(deck),), "IE-2.17")
    return shuffle_deck(s, who, deck)


def shuffle_deck(s: Ierusalem, who: Seat, cards: list[int]) -> tuple[int, ...]:
    """Return own cards in the order of the next shuffle of this player's deck. Each colour has the same ten places."""
    first = s.colours[who] * OWN_CARDS
    places = [card - first for card in cards]
    s.rng.order(who, s.shuffles[who], places)
    s.shuffles = replace_item(s.shuffles, who, s.shuffles[who] + 1)
    return tuple([first + place for place in places])


def list_own_deck(s: Ierusalem, who: Seat) -> list[int]:
    """Return the ten cards of a player's colour."""
    first = s.colours[who] * OWN_CARDS
    return list(range(first, first + OWN_CARDS))
