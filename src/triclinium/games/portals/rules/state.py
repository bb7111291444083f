"""State of a match: the board, the decks, the hands, and each seat's knowledge of the cards."""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.shared_rows import copy_with_item
from triclinium.engine.core.state import EVERYBODY, NOBODY, Seat, State
from triclinium.games.portals.rules.components import GENESIS, NEW, NONE, OLD, Card, Components
from triclinium.games.portals.rules.face_down import CARD_BITS, CARD_MASK, assign_doubtful
from triclinium.games.portals.rules.table_rules import TableRules

# Purposes of chance after the set-up, with the number of the draw
BLIND_REMOVAL: Final = 1  # round times seats, plus the owner
SECRET_POSITION: Final = 2  # card times seats, plus the owner

# The reasons for the end of a match
RUNNING: Final = 0
BY_THIRD_CARD: Final = 1
BY_EXHAUSTION: Final = 2
BY_STALL: Final = 3
BY_LIMIT: Final = 4
BY_LAST_SPACE: Final = 5  # The capsule reached the last space in the simplified variant.


class Portals(State):
    """The state of a match of Portals and Prophets."""

    c: Components
    v: TableRules
    first: Seat  # the seat that is placed first and begins every round
    round: int  # 0 until all pawns are placed
    capsule: int  # the capsule's space on the timeline
    gauge: int
    actions: int  # actions left in this turn
    burnt: int  # bitmask of the colours burnt this turn
    last_round: int  # 1 if a player has played a third New Testament card
    event_played: int  # 1 if an event was played this round
    idle_rounds: int  # completed rounds without an event while the capsule is on the last space
    ending: int
    portals: int  # bitmask of the places with a portal
    pawns: list[int]
    hands: list[tuple[int, ...]]  # cards in the order in which they came, or in a secret order (PP-R12)
    known_in_hand: list[int]  # for each hand, a bitmask of the places whose card all players saw taken from the row
    # For each seat, the cards that it took from the row and may have discarded face down since then. The entries ascend
    # and are packed as in `face_down.py`; the list is replaced, never changed in place.
    doubtful: list[tuple[int, ...]]
    # These lists change when an event is played. Clones share them until then; see `copy_played`.
    played: list[tuple[int, ...]]
    points: list[int]
    regions: list[int]  # for each seat, counts of played events by region, packed
    symbols: list[int]  # for each seat, counts of played symbols by kind, packed
    new_played: list[int]
    row: list[int]
    old: list[int]  # The last card is the top one.
    new: list[int]
    unused: list[int]  # Genesis cards left over; the list is replaced, never changed in place
    gone: list[int]  # cards burnt or discarded face up
    buried: list[int]  # cards removed face down; the list is replaced, never changed in place
    # for each face-down card, a bitmask of the seats that know it; replaced, never changed in place
    buried_seen: list[int]
    # for each face-down card, its blanks (see `face_down.py`); replaced, never changed in place
    buried_blanks: list[int]

    def clone(self) -> "Portals":
        t = self.copy_base(Portals())
        t.c = self.c
        t.v = self.v
        t.first = self.first
        t.round = self.round
        t.capsule = self.capsule
        t.gauge = self.gauge
        t.actions = self.actions
        t.burnt = self.burnt
        t.last_round = self.last_round
        t.event_played = self.event_played
        t.idle_rounds = self.idle_rounds
        t.ending = self.ending
        t.portals = self.portals
        t.pawns = self.pawns[:]
        t.hands = self.hands[:]
        t.known_in_hand = self.known_in_hand[:]
        t.doubtful = self.doubtful
        t.played = self.played
        t.points = self.points
        t.regions = self.regions
        t.symbols = self.symbols
        t.new_played = self.new_played
        t.row = self.row[:]
        t.old = self.old[:]
        t.new = self.new[:]
        t.unused = self.unused
        t.gone = self.gone[:]
        t.buried = self.buried
        t.buried_seen = self.buried_seen
        t.buried_blanks = self.buried_blanks
        return t

    def state_key(self) -> list[int]:
        v = self.v
        flags = [v.two_burns, v.hidden_discards, v.one_wild_per_set, v.break_ties, v.team, v.simplified, v.sweep_row]
        parts = [int(flag) for flag in flags]
        parts += [int(v.third_card_ends), v.new_from, v.stall_rounds, v.round_limit, v.range_masks[1]]
        parts += [self.first, self.round, self.capsule, self.gauge, self.actions, self.burnt]
        parts += [self.last_round, self.event_played, self.idle_rounds, self.ending, self.portals]
        parts += self.pawns
        for hand in self.hands:
            parts.append(len(hand))
            parts += hand
        parts += self.known_in_hand
        for cards in self.played:
            parts.append(len(cards))
            parts += cards
        parts += self.points
        parts += self.regions
        parts += self.symbols
        parts += self.new_played
        for pile in (self.row, self.old, self.new, self.unused, self.gone, self.buried):
            parts.append(len(pile))
            parts += pile
        parts += self.buried_seen
        if v.hidden_discards:
            parts += self.buried_blanks
            for entries in self.doubtful:
                parts.append(len(entries))
                parts += entries
        return parts

    # -- queries ------------------------------------------------------------------------------------------------

    def compute_occupied_mask(self) -> int:
        """Return a bitmask of the places with a pawn."""
        mask = 0
        for place in self.pawns:
            if place >= 0:
                mask |= 1 << place
        return mask

    def find_pawn(self, place: int) -> Seat:
        """Return the seat whose pawn is on a place, or NOBODY."""
        for who in range(self.seats):
            if self.pawns[who] == place:
                return who
        return NOBODY

    def compute_range_mask(self) -> int:
        """PP-8.2 to PP-8.4  Return a bitmask of the periods in range; in the simplified variant, of all (PP-12.2)."""
        if self.v.simplified:
            return (1 << self.c.spaces) - 1
        return self.v.range_masks[self.capsule * (self.c.full + 1) + self.gauge]

    def find_partner(self, who: Seat) -> Seat:
        """PP-R26  Return the partner, who sits two seats away, or the seat itself without teams."""
        return (who + 2) % self.seats if self.v.team else who

    def knows_buried(self, seat: Seat, buried: int) -> bool:
        """Return whether this seat knows a card that was removed face down. NOBODY means a spectator."""
        seen = self.buried_seen[buried]
        return seen == (1 << self.seats) - 1 or (seat >= 0 and (seen >> seat) & 1 == 1)

    # -- commands -----------------------------------------------------------------------------------------------

    def add_card(self, who: Seat, card: Card, is_open: bool) -> None:
        """Put a card into a hand. ``is_open`` means that all players have seen it."""
        hand = self.hands[who]
        place = len(hand)
        if self.v.hidden_discards and place > 0:
            place = self.choose_secret_position(who, card)
        if is_open:
            self.known_in_hand[who] |= 1 << place
        if place == len(hand):
            self.hands[who] = hand + (card,)  # (*hand, card) would make a list first.
        else:
            self.hands[who] = hand[:place] + (card,) + hand[place:]

    def choose_secret_position(self, who: Seat, card: Card) -> int:
        """PP-R12  Return a random place in the hand for a new card.

        Because the place is random, a discard that names it reveals nothing.
        """
        place = self.rng.derive(SECRET_POSITION, card * self.seats + who).below(len(self.hands[who]) + 1)
        self.undo_barrier += 1
        known = self.known_in_hand[who]
        self.known_in_hand[who] = (known & ((1 << place) - 1)) | (known >> place << (place + 1))
        return place

    def remove_card(self, who: Seat, card: Card) -> None:
        """Take this card out of a hand in public."""
        i = 0
        for held in self.hands[who]:
            if held == card:
                break
            i += 1
        seen = (self.known_in_hand[who] >> i) & 1 == 1
        self.remove_card_at(who, i)
        if self.v.hidden_discards and not seen:
            self.settle_shown_card(who, card)

    def remove_card_at(self, who: Seat, i: int) -> Card:
        """Take the card at this place out of a hand."""
        hand = self.hands[who]
        known = self.known_in_hand[who]
        self.hands[who] = hand[:i] + hand[i + 1 :]
        self.known_in_hand[who] = (known & ((1 << i) - 1)) | (known >> (i + 1) << i)
        return hand[i]

    def bury_card(self, who: Seat, i: int) -> Card:
        """PP-R12  Remove a card from this place in a hand face down, so that the others see only its back.

        If they saw it taken and it is the only card of its back in the hand, they still know it.
        """
        back = self.c.deck[self.hands[who][i]]
        everybody = (1 << self.seats) - 1
        seen = 1 << who
        blanks = 0
        if (self.known_in_hand[who] >> i) & 1 and (not self.v.hidden_discards or self.count_back(who, back) == 1):
            seen = everybody
        elif self.v.hidden_discards:
            self.put_in_doubt(who, back)
            blanks = self.count_unseen(who, back)
        card = self.remove_card_at(who, i)
        self.buried = [*self.buried, card]
        self.buried_seen = [*self.buried_seen, seen]
        self.buried_blanks = [*self.buried_blanks, blanks]
        return card

    # -- knowledge of the others about face-down discards (PP-R12) ------------------------------------------------

    def count_back(self, who: Seat, back: int) -> int:
        """Return the number of cards of this back in a hand."""
        deck = self.c.deck
        return sum([1 for card in self.hands[who] if deck[card] == back])

    def is_doubtful(self, who: Seat, card: Card) -> bool:
        """Return whether all players saw this seat take the card and cannot know whether it is discarded."""
        for entry in self.doubtful[who]:
            if entry & CARD_MASK == card:
                return True
        return False

    def list_own_discards(self, who: Seat, back: int) -> list[int]:
        """Return the places in the pile of the cards of this back that only this seat knows."""
        deck = self.c.deck
        return [i for i in range(len(self.buried)) if self.buried_seen[i] == 1 << who and deck[self.buried[i]] == back]

    def list_doubtful_entries(self, who: Seat, back: int) -> list[int]:
        """Return the doubtful entries of this seat and back, ascending."""
        deck = self.c.deck
        return [entry for entry in self.doubtful[who] if deck[entry & CARD_MASK] == back]

    def count_unseen(self, who: Seat, back: int) -> int:
        """Return the number of cards of this back, held or discarded face down, that only this seat has seen."""
        deck = self.c.deck
        number = len(self.list_own_discards(who, back)) - len(self.list_doubtful_entries(who, back))
        known = self.known_in_hand[who]
        for card in self.hands[who]:
            if deck[card] == back and known & 1 == 0:
                number += 1
            known >>= 1
        return number

    def put_in_doubt(self, who: Seat, back: int) -> None:
        """Make the publicly known cards of this back doubtful, because one of them may be the next discard."""
        deck = self.c.deck
        hand = self.hands[who]
        entries = list(self.doubtful[who])
        for i in range(len(hand)):
            if (self.known_in_hand[who] >> i) & 1 and deck[hand[i]] == back:
                self.known_in_hand[who] &= ~(1 << i)
                entries.append((len(self.buried) << CARD_BITS) + hand[i])
        entries.sort()
        self.doubtful = copy_with_item(self.doubtful, who, tuple(entries))

    def settle_shown_card(self, who: Seat, card: Card) -> None:
        """Update the doubtful cards after a card has left the hand in public.

        The card is neither a discard nor a blank among the discards.
        """
        if self.is_doubtful(who, card):
            rest = tuple([entry for entry in self.doubtful[who] if entry & CARD_MASK != card])
            self.doubtful = copy_with_item(self.doubtful, who, rest)
            return
        back = self.c.deck[card]
        left = self.count_unseen(who, back)
        for i in self.list_own_discards(who, back):
            if self.buried_blanks[i] > left:
                self.buried_blanks = copy_with_item(self.buried_blanks, i, left)

    def settle_all(self) -> None:
        """PP-11.2  Make all doubtful cards publicly known at the end of the match, in hands and in discards."""
        for who in range(self.seats):
            hand = self.hands[who]
            for entry in self.doubtful[who]:
                for i in range(len(hand)):
                    if hand[i] == entry & CARD_MASK:
                        self.known_in_hand[who] |= 1 << i
                for i in range(len(self.buried)):
                    if self.buried[i] == entry & CARD_MASK:
                        self.buried_seen = copy_with_item(self.buried_seen, i, (1 << self.seats) - 1)
        self.doubtful = [()] * self.seats

    def copy_played(self) -> None:
        """Copy the lists that playing an event changes. Clones share them, because most clones play no event."""
        self.played = self.played[:]
        self.points = self.points[:]
        self.regions = self.regions[:]
        self.symbols = self.symbols[:]
        self.new_played = self.new_played[:]

    # -- possible worlds ----------------------------------------------------------------------------------------

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """PP-R32  Deal again the cards that this seat has not seen, those of each back among their unseen places."""
        if seat == EVERYBODY:
            self.unused, self.old, self.new = sorted(self.unused), sorted(self.old), sorted(self.new)
            for pile in (self.unused, self.old, self.new):
                rng.shuffle(pile)
            return
        pools: list[list[int]] = [self.unused[:], self.old, self.new]
        deck = self.c.deck
        doubtful = 0  # bitmask of the doubtful cards
        for who in range(self.seats):
            if who != seat:
                for entry in self.doubtful[who]:
                    doubtful |= 1 << (entry & CARD_MASK)
                known = self.known_in_hand[who]
                for card in self.hands[who]:
                    if known & 1 == 0 and (doubtful >> card) & 1 == 0:
                        pools[deck[card]].append(card)
                    known >>= 1
        for i in range(len(self.buried)):
            if not self.knows_buried(seat, i) and (doubtful >> self.buried[i]) & 1 == 0:
                pools[deck[self.buried[i]]].append(self.buried[i])
        for pool in pools:
            pool.sort()  # Sorting first makes the deal depend only on the seat's knowledge and the generator.
            rng.shuffle(pool)
        if self.ending != RUNNING:  # PP-11.2: cards still hidden in a hand are not Region or Symbol cards.
            events = self.c.events
            pools[OLD] = [card for card in pools[OLD] if card >= events] + [
                card for card in pools[OLD] if card < events
            ]
        laid = [NONE] * len(self.buried)  # the doubtful cards among the face-down discards
        for who in range(self.seats):
            if who != seat:
                if self.v.hidden_discards:
                    self.redeal_secret(who, pools, laid, rng)
                    continue
                known = self.known_in_hand[who]
                hand: list[int] = []
                for card in self.hands[who]:
                    hand.append(card if known & 1 else pools[deck[card]].pop())
                    known >>= 1
                self.hands[who] = tuple(hand)
        if self.ending != RUNNING:
            rng.shuffle(pools[OLD])
        if self.buried:
            buried = self.buried[:]
            for i in range(len(buried)):
                if not self.knows_buried(seat, i):
                    buried[i] = laid[i] if laid[i] != NONE else pools[deck[buried[i]]].pop()
            self.buried = buried
        self.unused = pools[GENESIS]
        self.old = pools[OLD]
        self.new = pools[NEW]

    def redeal_secret(self, who: Seat, pools: list[list[int]], laid: list[Card], rng: Rng) -> None:
        """PP-R12  Deal another hand with secret places. The doubtful cards in its discards are written to ``laid``."""
        sure = 0
        hand: list[int] = []
        for i, card in enumerate(self.hands[who]):
            if (self.known_in_hand[who] >> i) & 1:
                sure |= 1 << card
                hand.append(card)
        hand.sort()
        for back in range(len(pools)):
            hidden = self.count_back(who, back) - sum([1 for card in hand if self.c.deck[card] == back])
            doubtful = self.list_doubtful_entries(who, back)
            if doubtful:
                discards = self.list_own_discards(who, back)
                cards = assign_doubtful(doubtful, discards, [self.buried_blanks[i] for i in discards], rng)
                for i in range(len(discards)):
                    laid[discards[i]] = cards[i]
                still = [entry & CARD_MASK for entry in doubtful if entry & CARD_MASK not in cards]
                hand += still
                hidden -= len(still)
            for _ in range(hidden):
                hand.append(pools[back].pop())
        rng.shuffle(hand)
        self.known_in_hand[who] = sum([1 << i for i in range(len(hand)) if (sure >> hand[i]) & 1])
        self.hands[who] = tuple(hand)

    def draw_top(self, deck: int) -> Card:
        """Remove and return the top card of a deck, or NONE if it is empty."""
        pile = self.old if deck == OLD else self.new
        return pile.pop() if pile else NONE
