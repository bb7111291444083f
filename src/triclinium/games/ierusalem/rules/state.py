"""State of a match: possessions, positions of Followers, cards and Apostles, and each seat's knowledge of them."""

from typing import Final

from mypy_extensions import i64

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.state import EVERYBODY, Seat, State
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    CARD_MASK,
    FIRST_MAHANE,
    FIRST_XXXIII,
    MAHANE_MASK,
    OWN_MASK,
    list_cards,
    make_card_mask,
)
from triclinium.games.ierusalem.rules.events import OBTAINED, OVERFILLED, RECEIVED, SCORED

# Sources of the VP on the track. `Ierusalem.earned` has one number for each.
FROM_START: Final = 0
FROM_ACTIONS: Final = 1
FROM_PLACES: Final = 2
FROM_PARABLES: Final = 3
FROM_FAVORS: Final = 4
FROM_VISITS: Final = 5
FROM_ORANGE: Final = 6
FROM_JUDGMENTS: Final = 7
SOURCES: Final = ("start", "actions", "places", "parable_tiles", "favors", "visits", "orange", "judgments")
ALL_SOURCES: Final = 8


class Ierusalem(State):
    """The state of a match. Lists and tuples are by seat; goods, Locations and columns have three entries a seat.

    Long or constant sequences of small numbers are bytes, because a tuple takes eight times as much memory. Values that
    change only a few times in a match are tuples, which clones share; `replace_item` makes a new one.
    """

    c: Components
    # Variants
    jesus_vp: int
    orange_scores_all: bool
    stall_round: int
    # Fixed by the set-up
    start: Seat
    colours: tuple[int, ...]
    symbols: bytes  # nine symbols, Apostle column by Apostle column
    tiles: bytes  # the Judgment on each of the six tile spaces
    # The table
    active: Seat
    turns: int  # number of turns begun so far
    owed_turns: int  # turns that each seat skips, four bits each; used only in bots' plans, never by the rules
    turn_card: int  # the card played in this turn, or -1; used only in texts, never by the rules
    marker: int
    has_judgments: bool  # whether the Judgment tiles are still on the track
    waiting: tuple[int, ...]  # for each Apostle column, a bitmask of the waiting Apostles
    seated: tuple[int, ...]  # for each seat at the table, its Apostle or -1
    # for each player, a bitmask of the spaces of the player's Followers; last, those of the unused colour
    supper: tuple[int, ...]
    free_spaces: int  # bitmask of the empty spaces at the Supper
    empty_squares: list[int]  # empty squares of Desert, Mountain and Lake
    # The players
    at_location: list[int]
    camp: list[int]
    goods: list[int]
    offerings: tuple[int, ...]
    denarii: list[int]
    illumination: tuple[int, ...]
    parables: tuple[int, ...]
    favors: tuple[int, ...]  # Favors done, which is the space of the disk
    markers: tuple[int, ...]  # for each player, a bitmask of the Favor markers left
    received: list[int]  # Favor symbols received and not used, five entries a player
    earned: list[int]  # VP by source, eight entries a player
    # Cards. Masks of a player's cards have the bits of `get_card_bit`.
    hand: list[tuple[int, ...]]  # hand cards in ascending order
    known_cards: list[int]  # for each player, a card mask of the hand cards known to all
    deck: list[tuple[int, ...]]  # The last card is on top.
    discard: list[int]  # for each player, a card mask of the discard pile
    columns: list[bytes]
    display: tuple[int, ...]
    mahane: tuple[int, ...]  # The first card is on top.
    xxxiii: tuple[int, ...]
    mahane_hidden: int  # number of top cards that no player has seen; the others went under the deck in public (IE-R32)
    xxxiii_hidden: int
    shuffles: tuple[int, ...]  # number of shuffles of each player's deck so far

    def clone(self) -> "Ierusalem":
        t = self.copy_base(Ierusalem())
        t.c = self.c
        t.jesus_vp = self.jesus_vp
        t.orange_scores_all = self.orange_scores_all
        t.stall_round = self.stall_round
        t.start = self.start
        t.colours = self.colours
        t.symbols = self.symbols
        t.tiles = self.tiles
        t.active = self.active
        t.turns = self.turns
        t.owed_turns = self.owed_turns
        t.turn_card = self.turn_card
        t.marker = self.marker
        t.has_judgments = self.has_judgments
        t.waiting = self.waiting
        t.seated = self.seated
        t.supper = self.supper
        t.free_spaces = self.free_spaces
        t.empty_squares = self.empty_squares[:]
        t.at_location = self.at_location[:]
        t.camp = self.camp[:]
        t.goods = self.goods[:]
        t.offerings = self.offerings
        t.denarii = self.denarii[:]
        t.illumination = self.illumination
        t.parables = self.parables
        t.favors = self.favors
        t.markers = self.markers
        t.received = self.received[:]
        t.earned = self.earned[:]
        t.hand = self.hand[:]
        t.known_cards = self.known_cards[:]
        t.deck = self.deck[:]
        t.discard = self.discard[:]
        t.columns = self.columns[:]
        t.display = self.display
        t.mahane = self.mahane
        t.xxxiii = self.xxxiii
        t.mahane_hidden = self.mahane_hidden
        t.xxxiii_hidden = self.xxxiii_hidden
        t.shuffles = self.shuffles
        return t

    def state_key(self) -> list[int]:
        parts = [
            self.jesus_vp,
            int(self.orange_scores_all),
            self.stall_round,
            self.start,
            self.active,
            self.turns,
            self.marker,
            int(self.has_judgments),
            self.free_spaces,
            self.mahane_hidden,
            self.xxxiii_hidden,
        ]
        parts.extend(self.colours)
        parts.extend(self.symbols)
        parts.extend(self.tiles)
        parts.extend(self.waiting)
        parts.extend(self.seated)
        parts.extend(self.supper)
        parts.extend(self.empty_squares)
        parts.extend(self.at_location)
        parts.extend(self.camp)
        parts.extend(self.goods)
        parts.extend(self.offerings)
        parts.extend(self.denarii)
        parts.extend(self.illumination)
        parts.extend(self.parables)
        parts.extend(self.favors)
        parts.extend(self.markers)
        parts.extend(self.received)
        parts.extend(self.earned)
        parts.extend(self.known_cards)
        parts.extend(self.discard)
        parts.extend(self.shuffles)
        for cards in self.hand:
            parts.append(len(cards))
            parts.extend(cards)
        for cards in self.deck:
            parts.append(len(cards))
            parts.extend(cards)
        for column in self.columns:
            parts.append(len(column))
            parts.extend(column)
        for cards in [self.display, self.mahane, self.xxxiii]:
            parts.append(len(cards))
            parts.extend(cards)
        return parts

    # -- queries and changes that many rules use -------------------------------------------------------------------

    def count_at_supper(self, who: Seat) -> int:
        """IE-0.3  Return the number of a player's Followers at the Supper."""
        three = who * 3
        at = self.at_location
        return self.c.followers - self.camp[who] - at[three] - at[three + 1] - at[three + 2]

    def count_goods(self, who: Seat) -> int:
        three = who * 3
        goods = self.goods
        return goods[three] + goods[three + 1] + goods[three + 2]

    def count_camp_spaces(self, who: Seat) -> int:
        """IE-R16  Return the number of spaces of the Camp."""
        c = self.c
        return c.open_spaces + (c.blocked_spaces if self.favors[who] >= c.warehouse_space else 0)

    def count_filled_spaces(self, who: Seat) -> int:
        """IE-2.18  Return the number of Followers, goods and Offerings in the Camp, each of which needs a space."""
        return self.camp[who] + self.count_goods(who) + self.offerings[who]

    def are_all_seated(self) -> bool:
        """Return whether all twelve Apostles sit at the table."""
        waiting = self.waiting
        return waiting[0] == 0 and waiting[1] == 0 and waiting[2] == 0

    def get_vp(self, who: Seat) -> int:
        """Return a player's VP on the track."""
        first = who * ALL_SOURCES
        total = 0
        for source in range(first, first + ALL_SOURCES):
            total += self.earned[source]
        return total

    def get_next_seat(self, who: Seat) -> Seat:
        """Return the seat whose turn is next."""
        seat = (who + 1) % self.seats
        while self.owed_turns:
            owes = 1 << (seat * 4)
            if not self.owed_turns & (owes * 15):
                break
            self.owed_turns -= owes
            seat = (seat + 1) % self.seats
        return seat

    def score_points(self, who: Seat, points: int, source: int, rule: str) -> None:
        """Score VP at once."""
        self.earned[who * ALL_SOURCES + source] += points
        if self.events is not None:
            self.emit(SCORED, who, (points, source), rule)

    def receive_denarii(self, who: Seat, amount: int, rule: str) -> None:
        """Pay Denarii from the bank to a player."""
        self.denarii[who] += amount
        if self.events is not None:
            self.emit(RECEIVED, who, (amount,), rule)

    def obtain_goods(self, who: Seat, good: int, amount: int, rule: str) -> None:
        """Give goods from the supply, which is unlimited (IE-R15)."""
        self.goods[who * 3 + good] += amount
        if self.events is not None:
            self.emit(OBTAINED, who, (amount, good), rule)
            over = self.count_filled_spaces(who) - self.count_camp_spaces(who)
            if over > 0:
                self.emit(OVERFILLED, who, (over,), "IE-2.18")

    # -- knowledge of other seats -----------------------------------------------------------------------------------

    def period(self) -> tuple[int, int]:
        return ((self.turns - 1) // self.seats, self.turns)

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """IE-R32  Deal the unseen cards again.

        A player's own cards are dealt among hand and deck, common cards among decks and hands.
        """
        common = make_card_mask(self.mahane[: self.mahane_hidden]) | make_card_mask(self.xxxiii[: self.xxxiii_hidden])
        hands: list[int] = []
        for who in range(self.seats):
            deck = self.deck[who]
            hand = make_card_mask(self.hand[who])
            hidden: i64 = 0 if who == seat or seat == EVERYBODY else hand & ~self.known_cards[who]
            common |= hidden & ~OWN_MASK
            pool = list(list_cards(make_card_mask(deck) | (hidden & OWN_MASK), self.colours[who]))
            rng.shuffle(pool)  # Ascending order makes the deal depend only on the seat's knowledge and the generator.
            hand &= ~hidden
            for _ in range(len(pool) - len(deck)):
                hand |= CARD_MASK[pool.pop()]
            self.deck[who] = tuple(pool)
            hands.append(hand)
        mahane = list(list_cards(common & MAHANE_MASK, 0))
        xxxiii = list(list_cards(common & ~MAHANE_MASK, 0))
        rng.shuffle(mahane)
        rng.shuffle(xxxiii)
        for who in range(self.seats):
            if who == seat or seat == EVERYBODY:
                continue
            hand = hands[who]
            known = self.known_cards[who]
            for card in self.hand[who]:
                if card >= FIRST_MAHANE and not known & CARD_MASK[card]:
                    hand |= CARD_MASK[mahane.pop() if card < FIRST_XXXIII else xxxiii.pop()]
            self.hand[who] = list_cards(hand, self.colours[who])
        self.mahane = tuple(mahane) + self.mahane[self.mahane_hidden :]
        self.xxxiii = tuple(xxxiii) + self.xxxiii[self.xxxiii_hidden :]
