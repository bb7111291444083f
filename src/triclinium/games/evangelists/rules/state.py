"""State of a match of The Acts of the Evangelists."""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import EVERYBODY, NOBODY, Seat, State
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

EMPTY: Final = -1  # no card in a slot or at a place in a box, or a pawn that is not yet on the map
PUBLIC: Final = 63  # the bits of all seats (0 to 4) and of the spectators (5), for a card that all of them know
SEATS_MOST: Final = 5

# The opponents anticlockwise, last in turn order first, indexed by the number of seats and the active seat.
OPPONENTS: Final = [
    [[(turn + i) % seats for i in range(seats - 1, 0, -1)] for turn in range(seats)] for seats in range(SEATS_MOST + 1)
]


class Evangelists(State):
    """The state of a match. Cards, places and witnesses are ints, and sets of them are bitmasks.

    Lists that seldom change are replaced, never changed in place, so that clones can share them. `clone` copies the
    others.
    """

    c: Components

    # Variants
    emphasis_once: bool
    theme_needs_match: bool
    memory_aid: bool
    pick_colour: bool
    boat_after_last_octagon: bool  # The boat may sail after the last octagon.

    # The table
    stenographer: Seat
    marker: int  # the marker's space on the time track
    pawn: list[int]
    boats: int  # bitmask of the cities with a boat
    witness_at: list[int]  # the witness of each city
    alive: int  # bitmask of the witnesses with a white cube
    dead: int  # bitmask of the witnesses with a black cube
    bag_white: int
    bag_black: int
    supply: int
    piles: list[int]  # interview cards left of each witness
    box: list[int]  # box_size places for each city: a card or EMPTY
    seen: list[int]  # for each place in a box, a bitmask of the seats that know its card; PUBLIC if all do
    face_up: list[int]  # for each city, the place of its face-up card, or EMPTY

    # The players
    slots: list[tuple[int, ...]]  # the cards of each gospel from the left
    theme: list[int]
    colour: list[int]
    interviews: list[int]  # for each seat, a bitmask of the witnesses whose interview card it holds
    tokens: list[int]
    tally: list[int]
    levels: list[int]  # four tracks for each seat, computed from slots and interviews

    # The turn
    turn: Seat
    octagons: int
    travelled: bool
    rearranged: bool
    sailed: bool
    opened_boxes: int  # bitmask of the cities whose box was opened this turn
    kept_cards: tuple[int, ...]  # cards kept in this Tradition; while opponents follow, those that can still be copied

    # -- facts and commands that several chapters use ---------------------------------------------------------------

    def get_level(self, seat: Seat, track: int) -> int:
        return self.levels[seat * TRACKS + track]

    def adjust_tracks(self, seat: Seat) -> None:
        """AE-6.8, AE-8.5, AE-R24  Compute the four levels again after a change of slots or interview cards."""
        c = self.c
        cards = list_placed_cards(self.slots[seat])
        levels = self.levels
        first = seat * TRACKS
        levels[first + INCLUSIO] = count_inclusio(c, cards, self.interviews[seat])
        levels[first + EMPHASIS] = count_emphasis(c, cards, self.emphasis_once)
        levels[first + CHIASM] = count_chiasm(c, cards)
        levels[first + CHRONOLOGY] = count_chronology(c, cards)

    def adjust_inclusio(self, seat: Seat) -> None:
        """AE-R20  Compute the inclusio level again, the only one that depends on interview cards."""
        self.levels[seat * TRACKS + INCLUSIO] = count_inclusio(
            self.c, list_placed_cards(self.slots[seat]), self.interviews[seat]
        )

    def count_circles(self, seat: Seat, witness: int) -> int:
        """AE-7.5  Return the number of cards in the gospel with this witness's circle."""
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
        """Return a bitmask of the places in the city's box that hold a card."""
        box = self.box
        size = self.c.box_size
        first = city * size
        places = 0
        for at in range(size):
            if box[first + at] != EMPTY:
                places |= 1 << at
        return places

    def list_opponents_last_first(self) -> list[Seat]:
        """AE-R10  Return the opponents of the active seat, last in turn order first.

        A step pushed last is asked first.
        """
        return OPPONENTS[self.seats][self.turn]

    def get_round(self) -> int:
        """Return the number of the current round, from 1. After the match it is the last round."""
        return min(self.marker, self.c.track_end - 1) - self.c.track_start[self.seats] + 1

    # -- methods that the engine calls -------------------------------------------------------------------------------

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
        """AE-R39, AE-R42  Shuffle the cards that this seat has not seen, separately for each back.

        The masks of the seats that know a place do not change: each opponent knows as many cards as before, but perhaps
        other ones.
        """
        viewer = PUBLIC if seat == EVERYBODY else 1 << (seat if seat != NOBODY else 5)
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
            # Cards are in ascending order, so the deal depends only on the seat's knowledge and the generator.
            if len(places[theme]) == len(backs[theme]):
                cards = backs[theme][:]
            else:
                cards = [card for card in backs[theme] if (unseen >> card) & 1]
            rng.shuffle(cards)
            alike = places[theme]
            for i in range(len(alike)):
                box[alike[i]] = cards[i]
        self.box = box
