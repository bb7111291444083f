"""The division of the defenders: the owner chooses which attackers they meet (TT-12.2, TT-R10, TT-14.4)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.components import FOLLOWERS
from triclinium.games.testoftime.rules.events import MEETS
from triclinium.games.testoftime.rules.option_lists import ALL_OPTIONS
from triclinium.games.testoftime.rules.refusals import TOO_FEW_MET, TOO_MANY_MET
from triclinium.games.testoftime.rules.state import Force, Slot, TestOfTime, count_followers


def ask_owners_to_divide(s: TestOfTime) -> None:
    """Ask the owners after all have passed, in turn order, space by space; the stack takes the last question first."""
    if s.defenders_choose:
        spaces = s.c.spaces
        for i in range(s.seats - 1, -1, -1):
            owner = (s.starter + i) % s.seats
            for slot in range((owner + 1) * spaces - 1, owner * spaces - 1, -1):
                if needs_division(s, slot):
                    s.stack.append(Meet(owner, slot, find_next_rival(s, slot, owner), s.compute_defence_strength(slot)))


def needs_division(s: TestOfTime, slot: Slot) -> bool:
    """TT-12.2  Return whether several players' followers attack a standing Testament and only some are met."""
    if len(s.attackers[slot]) < 2 or s.visible[slot] == 0:
        return False
    defence = s.compute_defence_strength(slot)
    if defence == 0:
        return False
    followers = 0
    players = 0  # one bit for each player
    for force in s.attackers[slot]:
        if count_followers(force) > 0:
            followers += count_followers(force)
            players |= 1 << (force >> 16)
    several = players & (players - 1) != 0
    return several and defence < followers


def count_followers_against(s: TestOfTime, slot: Slot, seat: Seat) -> int:
    """Return the number of followers with which a player attacks a Testament, over all moves."""
    followers = 0
    for force in s.attackers[slot]:
        if force >> 16 == seat:
            followers += count_followers(force)
    return followers


def find_next_rival(s: TestOfTime, slot: Slot, seat: Seat) -> Seat:
    """Return the next player clockwise whose followers attack, or the owner if there is none before."""
    owner = slot // s.c.spaces
    while True:
        seat = (seat + 1) % s.seats
        if seat == owner or count_followers_against(s, slot, seat) > 0:
            return seat


class Meet(Step[TestOfTime]):
    """TT-12.2  The choice of how many followers of one attacking player the defenders meet. Those followers die.

    The owner is asked about the attackers clockwise, and the remaining defenders meet the last attacker.
    """

    id: ClassVar[str] = "Meet"
    action: ClassVar[Action | None] = stages.MEET
    question: ClassVar[str] = (
        "{0:kind} on space {3}: your defenders meet {2} attacking {2:follower|followers}. "
        "How many of them belong to {1:seat}?"
    )

    def __init__(self, who: Seat, slot: Slot, rival: Seat, left: int) -> None:
        super().__init__(who)
        self.slot: Final = slot
        self.rival: Final = rival
        self.left: Final = left  # number of followers still to be met

    def fields(self) -> tuple[int, ...]:
        return (self.slot, self.rival, self.left)

    def question_parameters(self, s: TestOfTime) -> tuple[int, ...]:
        return (s.kind[self.slot], self.rival, self.left, s.get_space_number(self.slot))

    def count_least_met(self, s: TestOfTime) -> int:
        """Return the number of followers that must be met now, because the rivals asked about later have too few."""
        others = 0
        seat = self.rival
        while (seat := find_next_rival(s, self.slot, seat)) != self.who:
            others += count_followers_against(s, self.slot, seat)
        return max(0, self.left - others)

    def count_most_met(self, s: TestOfTime) -> int:
        return min(self.left, count_followers_against(s, self.slot, self.rival))

    def candidates(self, s: TestOfTime) -> list[Option]:
        return list(range(FOLLOWERS, FOLLOWERS + s.c.max_followers + 1))

    def forbids(self, s: TestOfTime, o: Option) -> Rule | None:
        if o - FOLLOWERS > self.count_most_met(s):
            return TOO_MANY_MET
        return TOO_FEW_MET if o - FOLLOWERS < self.count_least_met(s) else None

    def rule_parameters(self, s: TestOfTime, o: Option, rule: Rule) -> tuple[int, ...]:
        return (self.count_most_met(s) if rule is TOO_MANY_MET else self.count_least_met(s),)

    def options(self, s: TestOfTime) -> list[Option]:
        return ALL_OPTIONS[FOLLOWERS + self.count_least_met(s) : FOLLOWERS + self.count_most_met(s) + 1]

    def apply(self, s: TestOfTime, o: Option) -> None:
        met = o - FOLLOWERS
        after = find_next_rival(s, self.slot, self.rival)
        s.attackers = copy_with_item(s.attackers, self.slot, move_met_to_front(s.attackers[self.slot], self.rival, met))
        s.emit(MEETS, self.who, (s.kind[self.slot], self.rival, met, s.get_space_number(self.slot)), "TT-12.2")
        if after != self.who and self.left > met:
            s.push(Meet(self.who, self.slot, after, self.left - met))


def move_met_to_front(forces: tuple[Force, ...], rival: Seat, met: int) -> tuple[Force, ...]:
    """Return the attackers with the met followers of one player at the front, because those at the front die first."""
    if met == 0:
        return forces
    front = (rival << 16) + (met << 8)
    rest: list[Force] = []
    for force in forces:
        if force >> 16 == rival:
            taken = min(met, count_followers(force))
            met -= taken
            force -= taken << 8
        if force & 0xFFFF:
            rest.append(force)
    return (front, *rest)
