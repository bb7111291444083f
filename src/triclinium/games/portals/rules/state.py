"""The state of a match: the board, the decks, the hands, and who knows which card."""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import NOBODY, Seat, State
from triclinium.games.portals.rules.components import GENESIS, NEW, NONE, OLD, Card, Components

# Why the match ended.
RUNNING: Final = 0
BY_THIRD_CARD: Final = 1
BY_EXHAUSTION: Final = 2
BY_STALL: Final = 3
BY_LIMIT: Final = 4
BY_LAST_SPACE: Final = 5  # the simplified variant's end


class TableRules:
    """What the table agreed on before the match; shared by all clones, never changed."""

    def __init__(
        self,
        reach: list[int],
        new_from: int,
        two_burns: bool,
        hidden_discards: bool,
        one_wild_per_set: bool,
        break_ties: bool,
        stall_rounds: int,
        round_limit: int,
        team: bool,
        simplified: bool,
        third_card_ends: bool,
        sweep_row: bool,
    ) -> None:
        self.reach: Final = reach  # the components' table for spaces or for centuries
        self.new_from: Final = new_from  # the first space from which the New Testament deck is open
        self.two_burns: Final = two_burns
        self.hidden_discards: Final = hidden_discards
        self.one_wild_per_set: Final = one_wild_per_set
        self.break_ties: Final = break_ties
        self.stall_rounds: Final = stall_rounds
        self.round_limit: Final = round_limit
        self.team: Final = team
        self.simplified: Final = simplified
        self.third_card_ends: Final = third_card_ends
        self.sweep_row: Final = sweep_row


class Portals(State):
    """Everything about a match of Portals and Prophets."""

    c: Components
    v: TableRules
    first: Seat  # placed first and begins every round
    round: int  # 0 until the pawns stand
    capsule: int  # the space of the timeline
    gauge: int
    actions: int  # left in this turn
    burnt: int  # mask of the colours burnt this turn
    last_round: int  # 1: somebody has played a third New Testament card
    busy: int  # 1: an event was played this round
    idle: int  # completed rounds without an event, counted since the capsule stands on the last space
    ending: int
    portals: int  # mask of places
    pawns: list[int]
    hands: list[tuple[int, ...]]  # in the order in which the cards came
    known: list[int]  # per hand, mask of its places whose card everybody knows: it was taken from the row
    # what an event card changes when it is played: shared by clones until then, see `own_played`
    played: list[tuple[int, ...]]
    points: list[int]
    regions: list[int]  # per seat, played events by region, packed
    symbols: list[int]  # per seat, played symbols by kind, packed
    new_played: list[int]
    row: list[int]
    old: list[int]  # the top is the last
    new: list[int]
    unused: list[int]  # Genesis cards left over; replaced, never changed
    gone: list[int]  # burnt and openly discarded
    buried: list[int]  # removed face down; replaced, never changed
    buried_seen: list[int]  # mask of the seats that know each of them; the same

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
        t.busy = self.busy
        t.idle = self.idle
        t.ending = self.ending
        t.portals = self.portals
        t.pawns = self.pawns[:]
        t.hands = self.hands[:]
        t.known = self.known[:]
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
        return t

    def state_key(self) -> list[int]:
        v = self.v
        flags = [v.two_burns, v.hidden_discards, v.one_wild_per_set, v.break_ties, v.team, v.simplified]
        parts = [int(flag) for flag in flags]
        parts += [int(v.third_card_ends), v.new_from, v.stall_rounds, v.round_limit, v.reach[1]]
        if self.version >= 2:
            parts.append(int(v.sweep_row))
        parts += [self.first, self.round, self.capsule, self.gauge, self.actions, self.burnt]
        parts += [self.last_round, self.busy, self.idle, self.ending, self.portals]
        parts += self.pawns
        for hand in self.hands:
            parts.append(len(hand))
            parts += hand
        parts += self.known
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
        return parts

    # -- questions ----------------------------------------------------------------------------------------------

    def occupied(self) -> int:
        """The places where a pawn stands, as a mask."""
        mask = 0
        for place in self.pawns:
            if place >= 0:
                mask |= 1 << place
        return mask

    def pawn_on(self, place: int) -> Seat:
        """Whose pawn stands there; NOBODY if none."""
        for who in range(self.seats):
            if self.pawns[who] == place:
                return who
        return NOBODY

    def in_reach(self) -> int:
        """PP-8.2 to PP-8.4  The periods in range now, as a mask; in the simplified variant all (PP-12.2)."""
        if self.v.simplified:
            return (1 << self.c.spaces) - 1
        return self.v.reach[self.capsule * (self.c.full + 1) + self.gauge]

    def partner(self, who: Seat) -> Seat:
        """PP-R26  Partners sit alternately."""
        return (who + 2) % self.seats if self.v.team else who

    def knows(self, seat: Seat, buried: int) -> bool:
        """Whether this seat (NOBODY: a spectator) knows a card that was removed face down."""
        seen = self.buried_seen[buried]
        return seen == (1 << self.seats) - 1 or (seat >= 0 and (seen >> seat) & 1 == 1)

    # -- commands -----------------------------------------------------------------------------------------------

    def give(self, who: Seat, card: Card, open_: bool) -> None:
        """Put a card into a hand; ``open_``: everybody has seen it."""
        hand = self.hands[who]
        if open_:
            self.known[who] |= 1 << len(hand)
        self.hands[who] = hand + (card,)  # (*hand, card) makes a list first

    def lose_card(self, who: Seat, card: Card) -> None:
        """Take this card out of a hand."""
        i = 0
        for held in self.hands[who]:
            if held == card:
                break
            i += 1
        self.lose(who, i)

    def lose(self, who: Seat, i: int) -> Card:
        """Take the card at this place out of a hand."""
        hand = self.hands[who]
        known = self.known[who]
        self.hands[who] = hand[:i] + hand[i + 1 :]
        self.known[who] = (known & ((1 << i) - 1)) | (known >> (i + 1) << i)
        return hand[i]

    def bury(self, who: Seat, i: int) -> Card:
        """Remove the card at this place of a hand face down: its owner knows it, and all if it came from the row."""
        seen = (1 << self.seats) - 1 if (self.known[who] >> i) & 1 else 1 << who
        card = self.lose(who, i)
        self.buried = [*self.buried, card]
        self.buried_seen = [*self.buried_seen, seen]
        return card

    def own_played(self) -> None:
        """Before an event card is played: what lies open was shared with clones, which are many more than plays."""
        self.played = self.played[:]
        self.points = self.points[:]
        self.regions = self.regions[:]
        self.symbols = self.symbols[:]
        self.new_played = self.new_played[:]

    # -- other worlds -------------------------------------------------------------------------------------------

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """PP-R32  What this seat has not seen is dealt anew, back by back, among the places it has not seen."""
        pools: list[list[int]] = [self.unused[:], self.old, self.new]
        deck = self.c.deck
        for who in range(self.seats):
            if who != seat:
                known = self.known[who]
                for card in self.hands[who]:
                    if known & 1 == 0:
                        pools[deck[card]].append(card)
                    known >>= 1
        for i in range(len(self.buried)):
            if not self.knows(seat, i):
                pools[deck[self.buried[i]]].append(self.buried[i])
        for pool in pools:
            pool.sort()  # so that the deal depends on what the seat knows and on the generator alone
            rng.shuffle(pool)
        if self.ending != RUNNING:  # PP-11.2: what is still hidden in a hand is no Region or Symbol card
            events = self.c.events
            pools[OLD] = [card for card in pools[OLD] if card >= events] + [
                card for card in pools[OLD] if card < events
            ]
        for who in range(self.seats):
            if who != seat:
                known = self.known[who]
                hand: list[int] = []
                for card in self.hands[who]:
                    hand.append(card if known & 1 else pools[deck[card]].pop())
                    known >>= 1
                self.hands[who] = tuple(hand)
        if self.ending != RUNNING:
            rng.shuffle(pools[OLD])
        if self.buried:
            self.buried = [
                card if self.knows(seat, i) else pools[deck[card]].pop() for i, card in enumerate(self.buried)
            ]
        self.unused = pools[GENESIS]
        self.old = pools[OLD]
        self.new = pools[NEW]

    def draw_top(self, deck: int) -> Card:
        """The top card of a deck; NONE if it is empty."""
        pile = self.old if deck == OLD else self.new
        return pile.pop() if pile else NONE
