"""Everything about a match of Test of Time at one moment. All of it is public.

A *slot* is one Testament space of one seat: ``seat * spaces + space``. *Pieces* are followers and shamans standing
together, packed into one int so that they add up; a *force* is pieces with the seat they belong to.
"""

from typing import Final, TypeAlias

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.games.testoftime.rules.components import BURIAL, KIND_COUNT, MONUMENT, Components

Slot: TypeAlias = int
Kind: TypeAlias = int
Pieces: TypeAlias = int  # followers * 256 + shamans
Force: TypeAlias = int  # seat * 65536 + pieces
Record: TypeAlias = int  # bit 0: preserved; bits 1 to 7: strips by attack; from bit 8: the seats that attacked, a mask

NONE: Final = -1  # no Testament on the slot, or none being created


class TestOfTime(State):
    """The table: pieces in play and waiting, Testaments with their past, and what stands where in the present round."""

    c: Components
    rounds: int  # the last round
    hostile_reverse: bool
    mercy: bool
    defenders_choose: bool  # False: attackers are met in the order of their placement
    attacks_per_round: int  # Attack moves of a player; 0: as many as he likes
    one_payment: bool  # True: a rival pays once in a reversal; False: for each record that is spoiled

    round: int  # the present round, from 1
    starter: Seat
    passes: int  # in a row
    moves_begun: int  # begun so far, by all: for those who study matches, so in no digest

    followers: list[int]  # by seat: in play
    shamans: list[int]
    waiting: list[int]  # by seat: followers in the home zone
    waiting_shamans: list[int]

    # Every list from here on is shared with clones: it is replaced (`changed`), never written to.

    kind: list[Kind]  # by slot: the card, or NONE
    since: list[int]  # by slot: the round of creation
    visible: list[int]  # by slot: visible sections
    past: list[tuple[Record, ...]]  # by slot: one record per round, oldest first
    standing_counts: list[int]  # seat * KIND_COUNT + kind: how many stand

    making: list[Kind]  # by slot: the kind being created, or NONE
    makers: list[Pieces]  # by slot
    keepers: list[Pieces]  # by slot: who preserves it; nobody: it is not preserved this round
    attackers: list[tuple[Force, ...]]  # by slot, in the order in which they were placed
    defenders: list[Pieces]  # by slot
    sires: list[tuple[Pieces, ...]]  # by seat: the parents in each used zone; a child stands with them
    shaman_sires: list[tuple[Pieces, ...]]  # by seat: the parents in each used zone; a new shaman stands with them
    converts: list[tuple[Force, ...]]  # by seat: who paid, and as seat of the force the rival the convert came from
    reversers: list[Pieces]  # by seat: used up in the past, home at the end of the round

    # -- what stands --------------------------------------------------------------------------------------------

    def get_space_number(self, slot: Slot) -> int:
        """The number of a slot on its owner's board, as sentences name it: from 1."""
        return slot % self.c.spaces + 1

    def get_shaman_power(self, seat: Seat) -> int:
        """TT-3.2  How many followers a shaman counts."""
        return 1 + self.standing_counts[seat * KIND_COUNT + MONUMENT] * self.c.power_gained

    def count_deaths_saved(self, seat: Seat) -> int:
        """TT-4.4  How many deaths of each action Burial Sites prevent."""
        return self.standing_counts[seat * KIND_COUNT + BURIAL] * self.c.deaths_saved

    def compute_waiting_worth(self, seat: Seat) -> int:
        """What the waiting pieces can pay together."""
        return self.waiting[seat] + self.waiting_shamans[seat] * self.get_shaman_power(seat)

    def compute_attack_strength(self, slot: Slot) -> int:
        """TT-10.2  The strength of all attackers of a Testament, by their owners' present power (TT-R26)."""
        strength = 0
        for force in self.attackers[slot]:
            strength += count_followers(force) + count_shamans(force) * self.get_shaman_power(force >> 16)
        return strength

    def compute_defence_strength(self, slot: Slot) -> int:
        """TT-10.2  The strength of a Testament's defenders."""
        guard = self.defenders[slot]
        return (
            count_followers(guard) + count_shamans(guard) * self.get_shaman_power(slot // self.c.spaces) if guard else 0
        )

    def compute_uncovered_attack(self, slot: Slot) -> int:
        """By how much the attack on a standing Testament exceeds its defence."""
        if not self.attackers[slot] or self.visible[slot] == 0:
            return 0
        return self.compute_attack_strength(slot) - self.compute_defence_strength(slot)

    def count_attacks(self, seat: Seat) -> int:
        """TT-14.5  How many Attack moves the seat has made this round: each has placed a force of its own."""
        return sum([1 for forces in self.attackers for force in forces if force >> 16 == seat])

    def has_attack_left(self, seat: Seat) -> bool:
        """TT-14.5  Where the table limits Attack moves, whether the seat may make another."""
        return self.attacks_per_round == 0 or self.count_attacks(seat) < self.attacks_per_round

    def recount_standing(self) -> None:
        """TT-3.4, TT-R6  Only standing Testaments give effects: count them anew after any of them changed."""
        kind = self.kind
        seen = self.visible
        spaces = self.c.spaces
        standing = [0] * (self.seats * KIND_COUNT)
        for slot in range(len(seen)):
            if seen[slot] > 0:
                i = slot // spaces * KIND_COUNT + kind[slot]
                standing[i] = standing[i] + 1
        self.standing_counts = standing

    # -- what pieces do -----------------------------------------------------------------------------------------

    def take_waiting(self, seat: Seat, followers: int, shamans: int) -> Pieces:
        """TT-2.5  Take waiting pieces out of the home zone; the caller puts them somewhere."""
        self.waiting[seat] = self.waiting[seat] - followers  # `-=` on an item is slow when compiled
        if shamans > 0:
            self.waiting_shamans[seat] = self.waiting_shamans[seat] - shamans
        return (followers << 8) + shamans

    def empty_zones(self) -> None:
        """Nobody stands anywhere but at home."""
        slots = len(self.kind)
        nobody = [0] * slots
        unused: list[tuple[int, ...]] = [()] * self.seats
        self.making = [NONE] * slots
        self.makers = nobody
        self.keepers = nobody
        self.attackers = [()] * slots
        self.defenders = nobody
        self.sires = unused
        self.shaman_sires = unused
        self.converts = unused
        self.reversers = [0] * self.seats

    # -- for the engine -----------------------------------------------------------------------------------------

    def clone(self) -> "TestOfTime":
        t = self.copy_base(TestOfTime())
        t.c = self.c
        t.rounds = self.rounds
        t.hostile_reverse = self.hostile_reverse
        t.mercy = self.mercy
        t.defenders_choose = self.defenders_choose
        t.attacks_per_round = self.attacks_per_round
        t.one_payment = self.one_payment
        t.round = self.round
        t.starter = self.starter
        t.passes = self.passes
        t.moves_begun = self.moves_begun
        t.followers = self.followers[:]
        t.shamans = self.shamans[:]
        t.waiting = self.waiting[:]
        t.waiting_shamans = self.waiting_shamans[:]
        t.kind = self.kind
        t.since = self.since
        t.visible = self.visible
        t.past = self.past
        t.standing_counts = self.standing_counts
        t.making = self.making
        t.makers = self.makers
        t.keepers = self.keepers
        t.attackers = self.attackers
        t.defenders = self.defenders
        t.sires = self.sires
        t.shaman_sires = self.shaman_sires
        t.converts = self.converts
        t.reversers = self.reversers
        return t

    def state_key(self) -> list[int]:
        facts = [self.rounds, int(self.hostile_reverse), int(self.mercy), self.round, self.starter, self.passes]
        facts += [int(self.defenders_choose), self.attacks_per_round, int(self.one_payment)]
        facts += self.followers
        facts += self.shamans
        facts += self.waiting
        facts += self.waiting_shamans
        facts += self.kind
        facts += self.since
        facts += self.visible
        facts += _flatten_parts(self.past)
        facts += self.standing_counts
        facts += self.making
        facts += self.makers
        facts += self.keepers
        facts += _flatten_parts(self.attackers)
        facts += self.defenders
        facts += _flatten_parts(self.sires)
        facts += _flatten_parts(self.shaman_sires)
        facts += _flatten_parts(self.converts)
        facts += self.reversers
        return facts

    def period(self) -> tuple[int, int]:
        return (self.round, 0)

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """Nothing is hidden."""


def count_followers(pieces: Pieces) -> int:
    """The followers among pieces, or in a force."""
    return (pieces >> 8) & 255


def count_shamans(pieces: Pieces) -> int:
    """The shamans among pieces, or in a force."""
    return pieces & 255


def append_to_part(parts: list[tuple[int, ...]], place: int, item: int) -> list[tuple[int, ...]]:
    """A copy in which one part has an item more."""
    parts = parts[:]
    parts[place] += (item,)
    return parts


def is_preserved(record: Record) -> bool:
    """The mark of a past round."""
    return record & 1 == 1


def count_strips_by_attack(record: Record) -> int:
    """What attackers took in a past round."""
    return (record >> 1) & 127


def count_visible(sections: int, past: tuple[Record, ...]) -> int:
    """TT-12.4  All sections, less the strips by attack, less one for every round not preserved; never below 0."""
    for record in past:
        sections -= count_sections_lost(record)
    return max(0, sections)


def count_sections_lost(record: Record) -> int:
    """The sections that a round took: the strips by attack, and one unless it was preserved."""
    return ((record >> 1) & 127) + 1 - (record & 1)


def _flatten_parts(parts: list[tuple[int, ...]]) -> list[int]:
    facts: list[int] = []
    for part in parts:
        facts.append(len(part))
        facts += part
    return facts
