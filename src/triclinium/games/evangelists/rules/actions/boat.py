"""Boat rides (AE-5), which are free, are allowed once a turn, and cannot be followed by opponents (AE-3.6)."""

from typing import ClassVar

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.evangelists.rules import stages
from triclinium.games.evangelists.rules.events import DISPLACED, SAILED
from triclinium.games.evangelists.rules.refusals import BOAT_REACH, BOAT_STAYS, BOAT_STRANDED, BOAT_THERE, NOT_NEAREST
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.verbs import DISPLACE, SAIL


def sail_boat(s: Evangelists, who: Seat) -> None:
    """AE-5.1  Ask for a city at most two spaces away, to which the player sails with the boat."""
    s.sailed = True
    s.stack.append(SailTo(who))


class SailTo(Step[Evangelists]):
    """AE-5.1, AE-R5  The choice of another city, one or two spaces away along any lines (AE-R4)."""

    id: ClassVar[str] = "SailTo"
    action: ClassVar[Action | None] = stages.BOAT
    chained_verbs: ClassVar[tuple[str, ...]] = ("sail",)
    question: ClassVar[str] = "Where does your boat sail?"

    def candidates(self, s: Evangelists) -> list[Option]:
        return [SAIL + place for place in range(len(s.c.place_ids))]

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        distance = s.c.distance[s.pawn[self.who]][o - SAIL]
        if distance == 0:
            return BOAT_STAYS
        if distance > s.c.reach_boat:
            return BOAT_REACH
        return None if o - SAIL < s.c.cities else BOAT_STRANDED

    def rule_parameters(self, s: Evangelists, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - SAIL, s.c.distance[s.pawn[self.who]][o - SAIL])

    def options(self, s: Evangelists) -> list[Option]:
        return [SAIL + city for city in s.c.sail_targets[s.pawn[self.who]]]

    def apply(self, s: Evangelists, o: Option) -> None:
        city = o - SAIL
        s.emit(SAILED, self.who, (s.pawn[self.who], city), "AE-5.1")
        s.boats &= ~(1 << s.pawn[self.who])
        s.pawn[self.who] = city  # Only the pawn of the moving player sails with the boat (AE-R5).
        if (s.boats >> city) & 1:
            s.stack.append(Displace(self.who, city))
        s.boats |= 1 << city


class Displace(Step[Evangelists]):
    """AE-5.3, AE-5.4, AE-R6  The choice of the displaced boat's city, among the nearest cities without a boat."""

    id: ClassVar[str] = "Displace"
    action: ClassVar[Action | None] = stages.BOAT
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Where does the boat that was in {0:place} go?"

    def __init__(self, who: Seat, city: int) -> None:
        super().__init__(who)
        self.city = city

    def fields(self) -> tuple[int, ...]:
        return (self.city,)

    def candidates(self, s: Evangelists) -> list[Option]:
        return [DISPLACE + city for city in range(s.c.cities)]

    def question_parameters(self, s: Evangelists) -> tuple[int, ...]:
        return (self.city,)

    def forbids(self, s: Evangelists, o: Option) -> Rule | None:
        if (s.boats >> (o - DISPLACE)) & 1:
            return BOAT_THERE
        return None if o - DISPLACE in s.c.find_nearest_free(self.city, s.boats) else NOT_NEAREST

    def rule_parameters(self, s: Evangelists, o: Option, rule: Rule) -> tuple[int, ...]:
        distance = s.c.distance[self.city]
        nearest = distance[s.c.find_nearest_free(self.city, s.boats)[0]]
        return (o - DISPLACE, distance[o - DISPLACE], nearest)

    def options(self, s: Evangelists) -> list[Option]:
        return [DISPLACE + city for city in s.c.find_nearest_free(self.city, s.boats)]

    def apply(self, s: Evangelists, o: Option) -> None:
        s.boats |= 1 << (o - DISPLACE)
        s.emit(DISPLACED, self.who, (self.city, o - DISPLACE), "AE-5.3")
