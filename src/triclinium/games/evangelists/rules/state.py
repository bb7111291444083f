"""The state of a match of The Acts of the Evangelists."""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.evangelists.rules.components import (
    CHIASM,
    CHRONOLOGY,
    EMPHASIS,
    INCLUSIO,
    TRACKS,
    Components,
)
from triclinium.games.evangelists.rules.devices import (
    count_chiasm,
    count_chronology,
    count_emphasis,
    count_inclusio,
    list_placed_cards,
)

EMPTY: Final = -1  # a slot or a place of a box without a card; a pawn not yet on the map
PUBLIC: Final = 63  # seen by all five seats and, bit 5, by spectators
SEATS_MOST: Final = 5

# By how many play and whose turn it is: the opponents against the clock, from the turn's right.
OPPONENTS: Final = [
    [[(turn + i) % seats for i in range(seats - 1, 0, -1)] for turn in range(seats)] for seats in range(SEATS_MOST + 1)
]


class Evangelists(State):
    """Cards, places and witnesses are ints; sets of them are bitmasks. What a seat has looked at is a mask.

    Lists that seldom change are replaced, never changed, so that clones share them; `clone` copies the others.
    """

    c: Components

    # variants
    emphasis_once: bool
    theme_needs_match: bool
    memory_aid: bool
    pick_colour: bool
    boat_after_last_octagon: bool  # the boat may sail after the last octagon

    # the table
    stenographer: Seat
    marker: int  # on the time track
    pawn: list[int]
    boats: int  # the cities with a boat
    witness_at: list[int]  # by city
    alive: int  # witnesses with a white cube
    dead: int  # witnesses with a black cube
    bag_white: int
    bag_black: int
    supply: int
    piles: list[int]  # interview cards left, by witness
    box: list[int]  # by city, box_size places each: a card or EMPTY
    seen: list[int]  # by place of a box: the seats that know its card; PUBLIC: everybody
    face_up: list[int]  # by city: the place that lies face up, or EMPTY

    # the players
    slots: list[tuple[int, ...]]  # the gospels, from the left
    theme: list[int]
    colour: list[int]
    interviews: list[int]  # the witnesses whose card each seat holds
    tokens: list[int]
    tally: list[int]
    levels: list[int]  # four tracks a seat; a function of slots and interviews

    # the turn
    turn: Seat
    octagons: int
    travelled: bool
    rearranged: bool
    sailed: bool
    opened_boxes: int  # the cities whose box was opened this turn
    kept_cards: tuple[int, ...]  # cards kept in this Tradition; then those that may still be copied

    # -- facts and commands that several chapters use ---------------------------------------------------------------

    def get_level(self, seat: Seat, track: int) -> int:
        return self.levels[seat * TRACKS + track]

    def adjust_tracks(self, seat: Seat) -> None:
        """AE-6.8, AE-8.5, AE-R24  The four levels after any change of slots or interview cards; they can fall."""
        c = self.c
        cards = list_placed_cards(self.slots[seat])
        levels = self.levels
        first = seat * TRACKS
        levels[first + INCLUSIO] = count_inclusio(c, cards, self.interviews[seat])
        levels[first + EMPHASIS] = count_emphasis(c, cards, self.emphasis_once)
        levels[first + CHIASM] = count_chiasm(c, cards)
        levels[first + CHRONOLOGY] = count_chronology(c, cards)

    def adjust_inclusio(self, seat: Seat) -> None:
        """AE-R20  The one level that hangs on interview cards."""
        self.levels[seat * TRACKS + INCLUSIO] = count_inclusio(
            self.c, list_placed_cards(self.slots[seat]), self.interviews[seat]
        )

    def count_circles(self, seat: Seat, witness: int) -> int:
        """AE-7.5  How many cards of the gospel carry this witness's circle."""
        count = 0
        for card in self.slots[seat]:
            if card >= 0:
                count += (self.c.circles[card] >> witness) & 1
        return count

    def has_cards(self, seat: Seat) -> bool:
        for card in self.slots[seat]:
            if card >= 0:
                return True
        return False

    def count_empty_slots(self, seat: Seat) -> int:
        return self.slots[seat].count(EMPTY)

    def is_in_city(self, seat: Seat) -> bool:
        return self.pawn[seat] < self.c.cities

    def list_occupied_places(self, city: int) -> int:
        """The places of the box that still hold a card."""
        box = self.box
        size = self.c.box_size
        first = city * size
        places = 0
        for at in range(size):
            if box[first + at] != EMPTY:
                places |= 1 << at
        return places

    def list_opponents_last_first(self) -> list[Seat]:
        """AE-R10  The opponents of the seat whose turn it is, against the clock: what is pushed last is asked first."""
        return OPPONENTS[self.seats][self.turn]

    def get_round(self) -> int:
        """The number of the present round, from 1; after the end, of the last one."""
        return min(self.marker, self.c.track_end - 1) - self.c.track_start[self.seats] + 1

    # -- what the engine asks for -----------------------------------------------------------------------------------

    def clone(self) -> "Evangelists":
        t = self.copy_base(Evangelists())
        t.c = self.c
        t.emphasis_once = self.emphasis_once
        t.theme_needs_match = self.theme_needs_match
        t.memory_aid = self.memory_aid
        t.pick_colour = self.pick_colour
        t.boat_after_last_octagon = self.boat_after_last_octagon
        t.stenographer = self.stenographer
        t.marker = self.marker
        t.pawn = self.pawn[:]
        t.boats = self.boats
        t.witness_at = self.witness_at  # never changes after the deal
        t.alive = self.alive
        t.dead = self.dead
        t.bag_white = self.bag_white
        t.bag_black = self.bag_black
        t.supply = self.supply
        t.piles = self.piles
        t.box = self.box
        t.seen = self.seen
        t.face_up = self.face_up
        t.slots = self.slots[:]
        t.theme = self.theme  # never changes after the deal
        t.colour = self.colour
        t.interviews = self.interviews
        t.tokens = self.tokens
        t.tally = self.tally
        t.levels = self.levels[:]
        t.turn = self.turn
        t.octagons = self.octagons
        t.travelled = self.travelled
        t.rearranged = self.rearranged
        t.sailed = self.sailed
        t.opened_boxes = self.opened_boxes
        t.kept_cards = self.kept_cards
        return t

    def state_key(self) -> list[int]:
        facts = [
            int(self.emphasis_once),
            int(self.theme_needs_match),
            int(self.memory_aid),
            int(self.pick_colour),
            self.stenographer,
            self.marker,
            self.boats,
            self.alive,
            self.dead,
            self.bag_white,
            self.bag_black,
            self.supply,
            self.turn,
            self.octagons,
            int(self.travelled),
            int(self.rearranged),
            int(self.sailed),
            self.opened_boxes,
        ]
        facts += self.pawn
        facts += self.witness_at
        facts += self.piles
        facts += self.box
        facts += self.seen
        facts += self.face_up
        for slots in self.slots:
            facts.append(len(slots))
            facts += slots
        facts += self.theme
        facts += self.colour
        facts += self.interviews
        facts += self.tokens
        facts += self.tally
        facts += self.levels
        facts.append(len(self.kept_cards))
        facts += self.kept_cards
        facts.append(int(self.boat_after_last_octagon))
        return facts

    def period(self) -> tuple[int, int]:
        return (self.get_round(), self.turn)

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """AE-R39, AE-R42  Cards this seat has not seen change places with others of the same back.

        The masks stay where they are: an opponent knows as many cards as before, and perhaps others.
        """
        viewer = 1 << (seat if seat != NOBODY else 5)
        box = self.box[:]
        seen = self.seen
        back = self.c.back
        backs = self.c.cards_by_back
        places: list[list[int]] = [[] for _ in backs]
        unseen = 0
        for at in range(len(box)):
            card = box[at]
            if card != EMPTY and not seen[at] & viewer:
                places[back[card]].append(at)
                unseen |= 1 << card
        for theme in range(len(backs)):
            # Ascending, so that the deal depends on what the seat knows and on the generator alone.
            if len(places[theme]) == len(backs[theme]):
                cards = backs[theme][:]
            else:
                cards = [card for card in backs[theme] if (unseen >> card) & 1]
            rng.shuffle(cards)
            alike = places[theme]
            for i in range(len(alike)):
                box[alike[i]] = cards[i]
        self.box = box
