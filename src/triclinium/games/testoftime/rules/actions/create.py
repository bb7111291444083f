"""The move Create: followers build a Testament that stands from the end of the round (TT-4.1 to TT-4.6)."""

from typing import ClassVar, Final

from mypy_extensions import i64

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.components import ART, BUILD, KIND_COUNT, MAX_SEATS, ON
from triclinium.games.testoftime.rules.events import CREATES
from triclinium.games.testoftime.rules.option_lists import KIND_OPTIONS, SPACE_OPTIONS
from triclinium.games.testoftime.rules.refusals import CREATE_COST, NO_SPACE, SPACE_STANDS, SPACE_TAKEN
from triclinium.games.testoftime.rules.state import NONE, Kind, Slot, TestOfTime


def forbids_create(s: TestOfTime, who: Seat, worth: int) -> Rule | None:
    """TT-4.1, TT-4.2  Return why the player cannot create, or None.

    Creating needs a free space and the cost of the cheapest kind.
    """
    spaces = s.c.spaces
    seen = s.visible
    making = s.making
    for slot in range(who * spaces, (who + 1) * spaces):
        if seen[slot] == 0 and making[slot] == NONE:
            return None if worth >= find_cheapest_create_cost(s, who) else CREATE_COST
    return NO_SPACE


def begin_create(s: TestOfTime, who: Seat) -> None:
    """TT-4.1 to TT-4.3, TT-4.5  Ask for a space, a kind and the payment; the pieces stay there until the round ends."""
    s.stack.append(CHOOSE_SPACE[who])


def find_cheapest_create_cost(s: TestOfTime, who: Seat) -> int:
    """Return the current cost of the cheapest kind."""
    return s.c.cheapest_create_cost[s.standing_counts[who * KIND_COUNT + ART]]


def compute_create_cost(s: TestOfTime, who: Seat, kind: Kind) -> int:
    """TT-4.2  Return the cost of creating a kind; Art makes it cheaper."""
    return s.c.create_cost[kind][s.standing_counts[who * KIND_COUNT + ART]]


class ChooseSpace(Step[TestOfTime]):
    """TT-4.1  The choice of a space that is vacant or holds a buried Testament."""

    id: ClassVar[str] = "ChooseSpace"
    action: ClassVar[Action | None] = stages.CREATE
    chained_verbs: ClassVar[tuple[str, ...]] = ("on",)
    question: ClassVar[str] = "On which space do you create?"

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(ON, ON + s.c.spaces))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        slot = self.who * s.c.spaces + o - ON
        if s.visible[slot] > 0:
            return SPACE_STANDS
        if s.making[slot] != NONE:
            return SPACE_TAKEN
        return None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - ON + 1,)

    def options(self, s: TestOfTime) -> list[Option]:
        first = self.who * s.c.spaces
        seen = s.visible
        making = s.making
        space_mask: i64 = 0  # one bit for each space
        for space in range(s.c.spaces):
            if seen[first + space] == 0 and making[first + space] == NONE:
                space_mask |= 1 << space
        return SPACE_OPTIONS[space_mask]

    def apply(self, s: TestOfTime, o: Option) -> None:
        s.stack.append(ChooseKind(self.who, self.who * s.c.spaces + o - ON))


CHOOSE_SPACE: Final = [ChooseSpace(seat) for seat in range(MAX_SEATS)]


class ChooseKind(Step[TestOfTime]):
    """TT-4.2  The choice of the kind to create, among those that can be paid."""

    id: ClassVar[str] = "ChooseKind"
    action: ClassVar[Action | None] = stages.CREATE
    stage: ClassVar[int] = 2
    completed_verbs: ClassVar[tuple[str, ...]] = ("build",)
    completed_text: ClassVar[str] = "Choose who pays …"
    question: ClassVar[str] = "What do you create on space {0}?"

    def __init__(self, who: Seat, slot: Slot) -> None:
        super().__init__(who)
        self.slot: Final = slot

    def fields(self) -> tuple[int, ...]:
        return (self.slot,)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.get_space_number(self.slot),)

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(BUILD, BUILD + KIND_COUNT))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        return CREATE_COST if compute_create_cost(s, self.who, o - BUILD) > s.compute_waiting_worth(self.who) else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (compute_create_cost(s, self.who, o - BUILD), s.compute_waiting_worth(self.who))

    def options(self, s: TestOfTime) -> list[Option]:
        worth = s.compute_waiting_worth(self.who)
        art = s.standing_counts[self.who * KIND_COUNT + ART]
        costs = s.c.create_cost
        kind_mask: i64 = 0  # one bit for each kind
        for kind in range(KIND_COUNT):
            if costs[kind][art] <= worth:
                kind_mask |= 1 << kind
        return KIND_OPTIONS[kind_mask]

    def apply(self, s: TestOfTime, o: Option) -> None:
        kind = o - BUILD
        s.stack.append(
            PayForCreate(
                self.who, compute_create_cost(s, self.who, kind), s.get_shaman_power(self.who), self.slot, kind
            )
        )


class PayForCreate(Payment):
    """TT-4.3, TT-R22  The payment for a Testament; all payers stay on the space until the round ends."""

    id: ClassVar[str] = "PayForCreate"
    action: ClassVar[Action | None] = stages.CREATE
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "How many shamans help to create {0:kind}? It takes {1}, and a shaman counts {2}."

    def __init__(self, who: Seat, cost: int, power: int, slot: Slot, kind: Kind) -> None:
        super().__init__(who, cost, power)
        self.slot: Final = slot
        self.kind: Final = kind

    def fields(self) -> tuple[int, ...]:
        return (self.cost, self.power, self.slot, self.kind)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (self.kind, self.cost, self.power)

    def apply_payment(self, s: TestOfTime, followers: int, shamans: int) -> None:
        placed = s.take_waiting(self.who, followers, shamans)
        s.making = copy_with_item(s.making, self.slot, self.kind)
        s.makers = copy_with_item(s.makers, self.slot, placed)
        s.emit(CREATES, self.who, (self.kind, s.get_space_number(self.slot), placed), "TT-4.3")
