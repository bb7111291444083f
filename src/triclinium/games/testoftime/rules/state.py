"""State of a match of Test of Time, all of it public.

A *slot* is one Testament space of one seat: ``seat * spaces + space``. *Pieces* are followers and shamans that stand
together, packed into one integer so that they add up. A *force* is pieces with the seat to which they belong.
"""

from typing import Final, TypeAlias

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import Seat, State
from triclinium.games.testoftime.rules.components import BURIAL, KIND_COUNT, MONUMENT, Components

Slot: TypeAlias = int
Kind: TypeAlias = int
Pieces: TypeAlias = int  # followers * 256 + shamans
Force: TypeAlias = int  # seat * 65536 + pieces
Record: TypeAlias = int  # bit 0: preserved; bits 1 to 7: strips by attack; from bit 8: mask of the seats that attacked

NONE: Final = -1  # no Testament on the slot, or none being created


class TestOfTime(State):
    """State of a match: pieces in play and waiting, Testaments with their past, and all pieces placed this round."""

    c: Components
    rounds: int  # number of the last round
    hostile_reverse: bool
    mercy: bool
    defenders_choose: bool  # False: attackers are met in the order of their placement
    attacks_per_round: int  # Attack moves allowed to a player in a round; 0: unlimited
    one_payment: bool  # True: a rival pays once for a reversal; False: for each spoiled record

    round: int  # number of the present round, from 1
    starter: Seat
    passes: int  # number of passes in a row
    moves_begun: int  # moves begun so far by all seats, for statistics only and so not part of the digest

    followers: list[int]  # followers in play, by seat
    shamans: list[int]
    waiting: list[int]  # followers in the home zone, by seat
    waiting_shamans: list[int]

    # Clones share every list from here on. It is replaced (`copy_with_item`), never modified.

    kind: list[Kind]  # kind of the Testament, or NONE, by slot
    since: list[int]  # round of creation, by slot
    visible: list[int]  # number of visible sections, by slot
    past: list[tuple[Record, ...]]  # one record for each round, oldest first, by slot
    standing_counts: list[int]  # number of standing Testaments, by seat * KIND_COUNT + kind

    making: list[Kind]  # kind being created, or NONE, by slot
    makers: list[Pieces]  # pieces that create a Testament, by slot
    keepers: list[Pieces]  # pieces that preserve the Testament this round, by slot; 0: it is not preserved
    attackers: list[tuple[Force, ...]]  # attacking forces in the order of their placement, by slot
    defenders: list[Pieces]  # defending pieces, by slot
    sires: list[tuple[Pieces, ...]]  # parents in each used zone, who have a child with them, by seat
    shaman_sires: list[tuple[Pieces, ...]]  # parents in each used zone, who have a new shaman with them, by seat
    # Payers for each convert, with the rival from whom it came as the seat of the force, by seat
    converts: list[tuple[Force, ...]]
    reversers: list[Pieces]  # pieces used up in the past, who go home at the end of the round, by seat

    # -- Testaments ----------------------------------------------------------------------------------------------------

    def get_space_number(self, slot: Slot) -> int:
        """Return the number of a slot on its owner's board, from 1, as sentences name it."""
        return slot % self.c.spaces + 1

    def get_shaman_power(self, seat: Seat) -> int:
        """TT-3.2  Return the number of followers that a shaman counts for."""
        return 1 + self.standing_counts[seat * KIND_COUNT + MONUMENT] * self.c.power_gained

    def count_deaths_saved(self, seat: Seat) -> int:
        """TT-4.4  Return the number of deaths that Burial Sites prevent in each action."""
        return self.standing_counts[seat * KIND_COUNT + BURIAL] * self.c.deaths_saved

    def compute_waiting_worth(self, seat: Seat) -> int:
        """Return the cost that the waiting pieces can pay together."""
        return self.waiting[seat] + self.waiting_shamans[seat] * self.get_shaman_power(seat)

    def compute_attack_strength(self, slot: Slot) -> int:
        """TT-10.2  Return the strength of all attackers of a Testament, with their owners' present power (TT-R26)."""
        strength = 0
        for force in self.attackers[slot]:
            strength += count_followers(force) + count_shamans(force) * self.get_shaman_power(force >> 16)
        return strength

    def compute_defence_strength(self, slot: Slot) -> int:
        """TT-10.2  Return the strength of a Testament's defenders."""
        guard = self.defenders[slot]
        return (
            count_followers(guard) + count_shamans(guard) * self.get_shaman_power(slot // self.c.spaces) if guard else 0
        )

    def compute_uncovered_attack(self, slot: Slot) -> int:
        """Return the excess of attack over defence at a standing Testament, negative if the defence is stronger."""
        if not self.attackers[slot] or self.visible[slot] == 0:
            return 0
        return self.compute_attack_strength(slot) - self.compute_defence_strength(slot)

    def count_attacks(self, seat: Seat) -> int:
        """TT-14.5  Return the number of the seat's Attack moves this round; each has placed one force."""
        return sum([1 for forces in self.attackers for force in forces if force >> 16 == seat])

    def has_attack_left(self, seat: Seat) -> bool:
        """TT-14.5  Return whether the seat may make another Attack move this round."""
        return self.attacks_per_round == 0 or self.count_attacks(seat) < self.attacks_per_round

    def recount_standing(self) -> None:
        """TT-3.4, TT-R6  Count the standing Testaments, which alone have effects, after any of them changed."""
        kind = self.kind
        seen = self.visible
        spaces = self.c.spaces
        standing = [0] * (self.seats * KIND_COUNT)
        for slot in range(len(seen)):
            if seen[slot] > 0:
                i = slot // spaces * KIND_COUNT + kind[slot]
                standing[i] = standing[i] + 1
        self.standing_counts = standing

    # -- pieces --------------------------------------------------------------------------------------------------------

    def take_waiting(self, seat: Seat, followers: int, shamans: int) -> Pieces:
        """TT-2.5  Take waiting pieces out of the home zone and return them; the caller places them."""
        self.waiting[seat] = self.waiting[seat] - followers  # `-=` on an item is slow when compiled.
        if shamans > 0:
            self.waiting_shamans[seat] = self.waiting_shamans[seat] - shamans
        return (followers << 8) + shamans

    def empty_zones(self) -> None:
        """Remove all pieces from the board and the zones."""
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
        """Do nothing, because no information is hidden."""


def count_followers(pieces: Pieces) -> int:
    """Return the number of followers in pieces or a force."""
    return (pieces >> 8) & 255


def count_shamans(pieces: Pieces) -> int:
    """Return the number of shamans in pieces or a force."""
    return pieces & 255


def append_to_part(parts: list[tuple[int, ...]], place: int, item: int) -> list[tuple[int, ...]]:
    """Return a copy of nested tuples in which one inner tuple has a further item."""
    parts = parts[:]
    parts[place] += (item,)
    return parts


def is_preserved(record: Record) -> bool:
    """Return whether the record has the mark of a preserved round."""
    return record & 1 == 1


def count_strips_by_attack(record: Record) -> int:
    """Return the number of sections that attackers took in a past round."""
    return (record >> 1) & 127


def count_visible(sections: int, past: tuple[Record, ...]) -> int:
    """TT-12.4  Return the visible sections.

    They are all sections minus the strips by attack, minus one for every unpreserved round, and at least 0.
    """
    for record in past:
        sections -= count_sections_lost(record)
    return max(0, sections)


def count_sections_lost(record: Record) -> int:
    """Return the sections lost in a round: the strips by attack, and one unless it was preserved."""
    return ((record >> 1) & 127) + 1 - (record & 1)


def _flatten_parts(parts: list[tuple[int, ...]]) -> list[int]:
    facts: list[int] = []
    for part in parts:
        facts.append(len(part))
        facts += part
    return facts
