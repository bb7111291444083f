"""The action Tradition (AE-6)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import NO_PRICE, Action, Price
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item, options_by_mask
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.engine.core.text import msgid
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.actions.follow import Follow, compute_follow_price, pay_tokens
from triclinium.games.evangelists.rules.events import COPIED, KEPT, KEPT_NONE, LEFT_FACE_UP, LOOKED, PLACED
from triclinium.games.evangelists.rules.refusals import NO_ROOM, SECOND_COSTS, SECOND_ROOM, SLOT_TAKEN
from triclinium.games.evangelists.rules.state import EMPTY, PUBLIC, Evangelists
from triclinium.games.evangelists.rules.verbs import BOX_MOST, COPY, DECLINE, FACE, KEEP, NONE, SLOT


def take_tradition(s: Evangelists, who: Seat, city: int) -> None:
    """AE-6.1  Look at the city's cards; keep one or two and place them; leave one face up; let opponents copy."""
    s.opened_boxes |= 1 << city
    s.kept_cards = ()
    look_at_box(s, who, city)
    s.push(
        Keep(who, city),
        KeepSecond(who, city),
        PlaceKept(who, 0),
        PlaceKept(who, 1),
        LeaveFaceUp(who, city),
        OFFER_COPIES,
        CLOSE_TRADITION,
    )


def look_at_box(s: Evangelists, who: Seat, city: int) -> None:
    """AE-6.1, AE-R39  Show the box to the player, who knows its cards from now on."""
    first = city * s.c.box_size
    places = [at for at in range(first, first + s.c.box_size) if s.box[at] != EMPTY]
    learnt = [at for at in places if not (s.seen[at] >> who) & 1]
    if learnt:
        seen = s.seen[:]
        for at in learnt:
            seen[at] |= 1 << who
        s.seen = seen
        s.undo_barrier += 1
    if s.events is not None:
        secrets = tuple([s.box[at] for at in places]) if s.memory_aid else ()
        s.emit(LOOKED, who, (len(places), city), "AE-6.1", secrets, 1 << who)


def take_card(s: Evangelists, who: Seat, city: int, at: int) -> None:
    """AE-6.4  Take a card out of the box, in public."""
    place = city * s.c.box_size + at
    card = s.box[place]
    if s.seen[place] != PUBLIC:
        s.undo_barrier += 1
    if s.face_up[city] == at:
        s.face_up = copy_with_item(s.face_up, city, EMPTY)
    s.box = copy_with_item(s.box, place, EMPTY)
    s.seen = copy_with_item(s.seen, place, 0)
    s.kept_cards += (card,)
    s.emit(KEPT, who, (card, city), "AE-6.3" if len(s.kept_cards) > 1 else "AE-6.4")


# AE-R42: options name the occupied places in a box, never the cards. These lists are indexed by a bitmask of the
# places.
KEEP_OPTIONS: Final = options_by_mask([KEEP + at for at in range(BOX_MOST)], [NONE])
FACE_UP_OPTIONS: Final = options_by_mask([FACE + at for at in range(BOX_MOST)], [])


class Keep(Step[Evangelists]):
    """AE-6.2  The choice of one card to keep, or none. With a full gospel none is the only option (AE-R15)."""

    id: ClassVar[str] = "Keep"
    action: ClassVar[Action | None] = stages.TRADITION
    question: ClassVar[str] = "Choose the card of {0:place} to keep, or none."

    def __init__(self, who: Seat, city: int) -> None:
        super().__init__(who)
        self.city = city

    def fields(self) -> tuple[int, ...]:
        return (self.city,)

    def candidates(self, s: Evangelists) -> list[Option]:
        return KEEP_OPTIONS[s.list_occupied_places(self.city)][:]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.city,)

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        return None if o == NONE or s.count_empty_slots(self.who) else NO_ROOM

    def options(self, s: Evangelists) -> list[Option]:
        return KEEP_OPTIONS[s.list_occupied_places(self.city) if s.count_empty_slots(self.who) else 0]

    def apply(self, s: Evangelists, o: Option) -> None:
        if o == NONE:
            s.emit(KEPT_NONE, self.who, (self.city,), "AE-6.2")
        else:
            take_card(s, self.who, self.city, o - KEEP)


class KeepSecond(Keep):
    """AE-6.3, AE-R16  The choice of a second card for one octagon more, which makes the Tradition strong."""

    id: ClassVar[str] = "KeepSecond"
    action: ClassVar[Action | None] = stages.TRADITION
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Keep a second card of {0:place} for one more octagon?"

    def option_price(self, s: Evangelists, o: Option) -> Price:
        return NO_PRICE if o == NONE else (stages.OCTAGONS, (s.c.cost_strong - s.c.cost_weak,))

    def applies(self, s: Evangelists) -> bool:
        return len(s.kept_cards) == 1

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        if o == NONE:
            return None
        if s.octagons < s.c.cost_strong - s.c.cost_weak:
            return SECOND_COSTS
        return None if s.count_empty_slots(self.who) >= 2 else SECOND_ROOM

    def options(self, s: Evangelists) -> list[Option]:
        allowed = s.octagons >= s.c.cost_strong - s.c.cost_weak and s.count_empty_slots(self.who) >= 2
        return KEEP_OPTIONS[s.list_occupied_places(self.city) if allowed else 0]

    def apply(self, s: Evangelists, o: Option) -> None:
        if o != NONE:
            s.octagons -= s.c.cost_strong - s.c.cost_weak
            take_card(s, self.who, self.city, o - KEEP)


class Place(Step[Evangelists]):
    """AE-6.4  The choice of an empty slot of the player's gospel for a card, which becomes public."""

    id: ClassVar[str] = "Place"
    action: ClassVar[Action | None] = stages.TRADITION
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "Choose the slot for {0:card}."

    def get_card(self, s: Evangelists) -> int:
        """Return the card to place."""
        raise NotImplementedError

    def candidates(self, s: Evangelists) -> list[Option]:
        return [SLOT + slot for slot in range(len(s.slots[self.who]))]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.get_card(s),)

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        return None if s.slots[self.who][o - SLOT] == EMPTY else SLOT_TAKEN

    def options(self, s: Evangelists) -> list[Option]:
        slots = s.slots[self.who]
        return [SLOT + slot for slot in range(len(slots)) if slots[slot] == EMPTY]

    def apply(self, s: Evangelists, o: Option) -> None:
        card = self.get_card(s)
        slot = o - SLOT
        slots = list(s.slots[self.who])
        slots[slot] = card
        s.slots[self.who] = tuple(slots)
        s.adjust_tracks(self.who)
        s.emit(PLACED, self.who, (card, slot + 1), "AE-6.4")


class PlaceKept(Place):
    """AE-6.4  The choice of a slot for the first or the second card that was just kept."""

    id: ClassVar[str] = "PlaceKept"

    def __init__(self, who: Seat, nth: int) -> None:
        super().__init__(who)
        self.nth = nth

    def fields(self) -> tuple[int, ...]:
        return (self.nth,)

    def applies(self, s: Evangelists) -> bool:
        return len(s.kept_cards) > self.nth

    def get_card(self, s: Evangelists) -> int:
        return s.kept_cards[self.nth]


class LeaveFaceUp(Step[Evangelists]):
    """AE-6.5, AE-R14  The choice of one returned card that is left face up. The other cards are turned face down."""

    id: ClassVar[str] = "LeaveFaceUp"
    action: ClassVar[Action | None] = stages.TRADITION
    stage: ClassVar[int] = 4
    question: ClassVar[str] = "Choose the card of {0:place} to leave face up."

    def __init__(self, who: Seat, city: int) -> None:
        super().__init__(who)
        self.city = city

    def fields(self) -> tuple[int, ...]:
        return (self.city,)

    def applies(self, s: Evangelists) -> bool:
        return s.list_occupied_places(self.city) != 0

    def candidates(self, s: Evangelists) -> list[Option]:
        return FACE_UP_OPTIONS[s.list_occupied_places(self.city)][:]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.city,)

    def options(self, s: Evangelists) -> list[Option]:
        return FACE_UP_OPTIONS[s.list_occupied_places(self.city)]

    def apply(self, s: Evangelists, o: Option) -> None:
        at = self.city * s.c.box_size + o - FACE
        if s.seen[at] != PUBLIC:
            s.undo_barrier += 1
            s.seen = copy_with_item(s.seen, at, PUBLIC)
        s.face_up = copy_with_item(s.face_up, self.city, o - FACE)
        s.emit(LEFT_FACE_UP, self.who, (s.box[at], self.city), "AE-6.5")


class OfferCopies(Step[Evangelists]):
    """AE-6.6, AE-6.7, AE-R11  Offers to copy a card.

    The opponent with the nearest pawn is asked first, and equally near ones in turn order.
    """

    id: ClassVar[str] = "OfferCopies"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: Evangelists) -> None:
        if not s.kept_cards:
            return
        cost = compute_follow_price(s, len(s.kept_cards) > 1)
        distance = s.c.distance[s.pawn[s.turn]]
        stack = s.stack
        below = len(stack)
        for seat in s.list_opponents_last_first():
            far = distance[s.pawn[seat]]
            # Insert above all opponents who are as far or farther: the top of the stack is asked first.
            at = len(stack)
            while at > below and distance[s.pawn[stack[at - 1].who]] < far:
                at -= 1
            stack.insert(at, FollowTradition(seat, cost))


class CloseTradition(Step[Evangelists]):
    """AE-3.1  The end of a Tradition, after which opponents can no longer copy the kept cards."""

    id: ClassVar[str] = "CloseTradition"

    def __init__(self) -> None:
        super().__init__(NOBODY)

    def run(self, s: Evangelists) -> None:
        s.kept_cards = ()


OFFER_COPIES: Final = OfferCopies()
CLOSE_TRADITION: Final = CloseTradition()


class FollowTradition(Follow):
    """AE-6.6  An offer to take the card with a number that was just kept from the secondary deck."""

    id: ClassVar[str] = "FollowTradition"
    action: ClassVar[Action | None] = stages.TRADITION
    stage: ClassVar[int] = 5
    question: ClassVar[str] = "{1:seat} took a card. You may take a copy for {0} follow {0:token|tokens}."
    free_question: ClassVar[str] = msgid("{1:seat} took two cards. You may take a copy of one for free.")
    auto_reply_text: ClassVar[str] = "Never copy a card that others keep"

    def applies(self, s: Evangelists) -> bool:
        return len(s.kept_cards) > 0 and s.tokens[self.who] >= self.price and s.count_empty_slots(self.who) > 0

    def candidates(self, s: Evangelists) -> list[Option]:
        return [*sorted([COPY + card for card in s.kept_cards]), DECLINE]

    def options(self, s: Evangelists) -> list[Option]:
        return self.candidates(s)

    def apply(self, s: Evangelists, o: Option) -> None:
        if o == DECLINE:
            return
        pay_tokens(s, self.who, self.price)
        card = o - COPY
        s.kept_cards = tuple([other for other in s.kept_cards if other != card])
        s.emit(COPIED, self.who, (card,), "AE-6.6")
        s.stack.append(PlaceCopy(self.who, card))


class PlaceCopy(Place):
    """AE-6.6  The choice of an empty slot of the follower's gospel for the copy."""

    id: ClassVar[str] = "PlaceCopy"
    action: ClassVar[Action | None] = stages.TRADITION
    stage: ClassVar[int] = 5

    def __init__(self, who: Seat, copy: int) -> None:
        super().__init__(who)
        self.copy = copy

    def fields(self) -> tuple[int, ...]:
        return (self.copy,)

    def get_card(self, s: Evangelists) -> int:
        return self.copy
