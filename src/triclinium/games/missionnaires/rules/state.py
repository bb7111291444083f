"""State of a match of Les Missionnaires."""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import EVERYBODY, NOBODY, Seat, State, Step
from triclinium.games.missionnaires.rules.components import OFF, TERRITORY, VOYAGE, Components
from triclinium.games.missionnaires.rules.determinization import collect_unseen, deal_unseen, fill_unseen_slots
from triclinium.games.missionnaires.rules.events import REFILLED, VISITED
from triclinium.games.missionnaires.rules.table_rules import TableRules

ALL: Final = 255  # mask of all seats and, as bit 7, the spectators
SPECTATOR: Final = 7

# Travel modes of a proclaimer (specification, section 3, vocabulary).
ON_HIS_OWN: Final = 0
NEWLY_JOINED: Final = 1  # pays like a proclaimer alone until the coup ends
ACCOMPANIED: Final = 2

# Turns that a player passed; a missed turn is not a played turn (LM-R12).
THIS_TURN: Final = 1
LAST_TURN: Final = 2

# Trail entry of each space as one byte; the board has 143 spaces (LM-C1).
ONE_SPACE: Final = tuple([bytes([space]) for space in range(256)])
# Purposes of chance after the set-up. A draw has a running number within its purpose; for RESIGNED_HAND it is the seat.
LAND_SHUFFLE: Final = TERRITORY
SEA_SHUFFLE: Final = VOYAGE
ASHORE: Final = 2
COUNTED_PURPOSES: Final = 3
RESIGNED_HAND: Final = 3

STOPPED: Final = -1  # special rank of a player who has stopped, who is ranked by the position at that moment (LM-R15)


def remove_at(row: tuple[int, ...], i: int) -> tuple[int, ...]:
    return row[:i] + row[i + 1 :]


class Flow:
    """An interface for effects of cards that start moves, arrivals or coups, which in turn may draw cards (LM-8).

    `CardFlow` in `turn.py`, which imports all of these modules, implements it.
    """

    def begin_bonus_move(self, s: "Missionnaires", who: Seat, spaces: int) -> "Step[Missionnaires]":
        """LM-8.1  Return the first step of a bonus move."""
        raise NotImplementedError

    def arrive_on_space(self, s: "Missionnaires", who: Seat, territory: int) -> None:
        """LM-4.6  Handle the arrival of a pawn moved by a card; `territory` is 1 if a green town gives its card."""
        raise NotImplementedError

    def draw_on_pass(self, s: "Missionnaires", who: Seat) -> None:
        """LM-R4  Draw a territory card, by variant, in a green town from which the move may continue."""
        raise NotImplementedError

    def stop_playing(self, s: "Missionnaires", who: Seat) -> None:
        """LM-R15  Let a player stop playing instead of the main action."""
        raise NotImplementedError

    def play_again(self, s: "Missionnaires") -> None:
        """LM-2.5  Add a second coup to the turn."""
        raise NotImplementedError

    def apply_fair_wind(self, s: "Missionnaires", spaces: int) -> None:
        """LM-8.1  Extend the move at sea."""
        raise NotImplementedError


class Missionnaires(State):
    """The state of a match.

    A congregation card is in a slot of a hand or of the reserve. Each slot remembers who has looked at its card (a mask
    of seats) and which cards it is known not to hold (a mask of cards).
    """

    c: Components
    v: TableRules
    flow: Flow  # shared by clones, not part of the digest
    # The turn
    first: Seat
    turn: Seat
    round: int
    territories: int  # territory cards taken this turn
    newly_joined: int  # mask of overseers who joined during this coup
    # By seat
    at: list[int]  # space, or OFF for a player who is home or has left
    # All past spaces of the pawn, with one byte for each. Only drawings and moves of four or more spaces use the trail,
    # so digests leave it out. The trail is immutable, so clones share it.
    trail: list[bytes]
    periodicals: list[int]
    missed: list[int]  # number of turns that each player must still miss
    turns: list[int]  # turns played, including the current one
    passed: list[int]  # mask of THIS_TURN and LAST_TURN, the turns in which the player passed (LM-R12)
    sailed_from: tuple[int, ...]  # last port that the pawn sailed from, or OFF
    rank: list[int]  # 0 while the player has not finished; STOPPED once the player no longer plays on
    ended_round: tuple[int, ...]  # round in which the player came home, stopped or left, including missed turns
    rank_key_at_stop: tuple[int, ...]  # rank key when the player stopped (LM-R16), smaller is better; 0 before
    colour: tuple[int, ...]  # colour of the pawn (LM-1.3), which names the player in notation
    resigned: int  # mask of seats that resigned
    bons: tuple[tuple[int, ...], ...]  # vouchers that each player holds, ascending
    visited: list[int]  # for each player, a mask of the visited congregation cards
    hand: tuple[tuple[int, ...], ...]  # unvisited congregation cards, slot by slot
    hand_seen: tuple[tuple[int, ...], ...]
    hand_ruled_out: tuple[tuple[int, ...], ...]
    # Pawns without an owner
    gendarmes: list[int]
    overseer_space: list[int]  # space of an unattached overseer on the board, or OFF
    escort: list[int]  # seat that the overseer accompanies, or NOBODY
    # Piles, the top last
    deck: list[int]
    discard: list[int]
    sea_deck: list[int]
    sea_discard: list[int]
    reserve: tuple[int, ...]
    reserve_seen: tuple[int, ...]
    reserve_ruled_out: tuple[int, ...]
    draws: tuple[int, ...]  # number of draws so far for each of the first purposes of chance

    def clone(self) -> "Missionnaires":
        t = self.copy_base(Missionnaires())
        t.c = self.c
        t.v = self.v
        t.flow = self.flow
        t.first = self.first
        t.turn = self.turn
        t.round = self.round
        t.territories = self.territories
        t.newly_joined = self.newly_joined
        t.at = self.at[:]
        t.trail = self.trail[:]
        t.periodicals = self.periodicals[:]
        t.missed = self.missed[:]
        t.turns = self.turns[:]
        t.passed = self.passed[:]
        t.sailed_from = self.sailed_from
        t.rank = self.rank[:]
        t.ended_round = self.ended_round
        t.rank_key_at_stop = self.rank_key_at_stop
        t.colour = self.colour
        t.resigned = self.resigned
        t.bons = self.bons
        t.visited = self.visited[:]
        t.hand = self.hand
        t.hand_seen = self.hand_seen
        t.hand_ruled_out = self.hand_ruled_out
        t.gendarmes = self.gendarmes[:]
        t.overseer_space = self.overseer_space[:]
        t.escort = self.escort[:]
        t.deck = self.deck[:]
        t.discard = self.discard[:]
        t.sea_deck = self.sea_deck[:]
        t.sea_discard = self.sea_discard[:]
        t.reserve = self.reserve
        t.reserve_seen = self.reserve_seen
        t.reserve_ruled_out = self.reserve_ruled_out
        t.draws = self.draws
        return t

    def state_key(self) -> list[int]:
        parts = self.v.key()
        parts += [self.first, self.turn, self.round, self.territories, self.newly_joined]
        parts += self.at
        parts += self.periodicals
        parts += self.missed
        parts += self.turns
        parts += self.passed
        parts += self.sailed_from
        parts += self.rank
        parts.append(self.resigned)
        for seat in range(self.seats):
            parts.append(len(self.bons[seat]))
            parts.extend(self.bons[seat])
            parts.append(self.visited[seat])
            parts.append(len(self.hand[seat]))
            parts.extend(self.hand[seat])
            parts.extend(self.hand_seen[seat])
            parts.extend(self.hand_ruled_out[seat])
        parts += self.gendarmes
        parts += self.overseer_space
        parts += self.escort
        for pile in (self.deck, self.discard, self.sea_deck, self.sea_discard, self.reserve):
            parts.append(len(pile))
            parts += pile
        parts += self.reserve_seen
        parts += self.reserve_ruled_out
        parts += self.ended_round
        parts += self.rank_key_at_stop
        parts += self.colour
        parts += self.draws
        return parts

    # -- positions of pawns --------------------------------------------------------------------------------------------

    def place_pawn(self, who: Seat, space: int) -> None:
        """Move the pawn to a space and extend its trail."""
        self.at[who] = space
        self.trail[who] += ONE_SPACE[space]

    def list_route(self, who: Seat) -> list[int]:
        """Return all past spaces of the pawn, from the Bethel on."""
        return list(self.trail[who])

    def is_playing(self, seat: Seat) -> bool:
        """Return whether the player has neither finished nor stopped nor left."""
        return self.rank[seat] == 0

    def list_unfinished_seats(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if self.rank[seat] == 0]

    def find_overseer(self, who: Seat) -> int:
        """Return the overseer who accompanies this proclaimer, or OFF."""
        escort = self.escort
        if escort[0] == who:
            return 0
        return 1 if escort[1] == who else OFF

    def get_travel_mode(self, who: Seat) -> int:
        """Return ON_HIS_OWN, NEWLY_JOINED or ACCOMPANIED (LM-7.3)."""
        escort = self.escort
        if escort[0] == who:
            return NEWLY_JOINED if self.newly_joined & 1 else ACCOMPANIED
        if escort[1] == who:
            return NEWLY_JOINED if self.newly_joined & 2 else ACCOMPANIED
        return ON_HIS_OWN

    # These loops run for every offered step. Compiled, they are four times as fast as ``in``, which compares in the
    # interpreter.

    def has_proclaimer(self, space: int) -> bool:
        for place in self.at:
            if place == space:
                return True
        return False

    def has_gendarme(self, space: int) -> bool:
        for place in self.gendarmes:
            if place == space:
                return True
        return False

    def has_lone_overseer(self, space: int) -> bool:
        """Return whether an unattached overseer is on a space."""
        return self.overseer_space[0] == space or self.overseer_space[1] == space

    def is_barred_by_proclaimer(self, space: int) -> bool:
        """Return whether a proclaimer bars a space for others (LM-3.9), which never happens on the Bethel (LM-3.7)."""
        return self.has_proclaimer(space) and space != self.c.bethel and not self.v.share_spaces

    def find_proclaimer(self, space: int) -> Seat:
        """Return the first proclaimer on a space, or NOBODY."""
        return self.at.index(space) if self.has_proclaimer(space) else NOBODY

    def is_empty(self, space: int) -> bool:
        """Return whether a space has no pawn of any kind."""
        return not (self.has_gendarme(space) or self.has_proclaimer(space) or self.has_lone_overseer(space))

    def find_bon(self, who: Seat, effect: int) -> int:
        """Return the first voucher with this effect in the player's hand, or OFF."""
        for card in self.bons[who]:
            if self.c.effect[card] == effect:
                return card
        return OFF

    def get_next_seat(self, seat: Seat) -> Seat:
        """Return the next unfinished seat in seat order, or the seat itself if there is no other."""
        following = (seat + 1) % self.seats
        while self.rank[following] != 0 and following != seat:
            following = (following + 1) % self.seats
        return following

    def list_seats_after(self, seat: Seat) -> list[Seat]:
        """Return the unfinished seats in seat order, starting after this seat."""
        following = [(seat + i) % self.seats for i in range(1, self.seats + 1)]
        return [other for other in following if self.rank[other] == 0]

    # -- periodicals and vouchers -------------------------------------------------------------------------------

    def count_stock(self) -> int:
        """Return the number of periodicals at the Bethel, which are all that no player holds (LM-9.6)."""
        return self.c.periodicals_total - sum(self.periodicals)

    def take_periodicals(self, who: Seat, number: int) -> int:
        """Give the player periodicals up to the limit, and return how many were taken (LM-9.6)."""
        taken = min(number, self.c.periodicals_max - self.periodicals[who])
        self.periodicals[who] += taken
        return taken

    def refill_periodicals(self, who: Seat) -> None:
        """LM-4.4  Refill the player's periodicals up to 8 at the Bethel."""
        taken = self.take_periodicals(who, self.c.periodicals_max)
        if taken:
            self.emit(REFILLED, who, (taken,), "LM-4.4")

    def discard_card(self, card: int) -> None:
        """Put a card on the discard pile of its deck (LM-8.3)."""
        if self.c.get_deck(card) == TERRITORY:
            self.discard.append(card)
        else:
            self.sea_discard.append(card)

    def give_up_bon(self, who: Seat, card: int) -> None:
        """Discard a voucher that was played or burnt."""
        self.bons = replace_item(self.bons, who, tuple([held for held in self.bons[who] if held != card]))
        self.discard_card(card)

    # -- congregation cards -------------------------------------------------------------------------------------

    def add_slot(self, who: Seat, card: int, seen: int, ruled_out: int) -> None:
        """Add a congregation card to a hand. Its slot keeps the knowledge that others have of it."""
        seen = ALL if self.v.open_hands else seen | (1 << who)
        self.hand = replace_item(self.hand, who, (*self.hand[who], card))
        self.hand_seen = replace_item(self.hand_seen, who, (*self.hand_seen[who], seen))
        self.hand_ruled_out = replace_item(self.hand_ruled_out, who, (*self.hand_ruled_out[who], ruled_out))

    def drop_slot(self, who: Seat, slot: int) -> None:
        """Remove a congregation card from a hand."""
        self.hand = replace_item(self.hand, who, remove_at(self.hand[who], slot))
        self.hand_seen = replace_item(self.hand_seen, who, remove_at(self.hand_seen[who], slot))
        self.hand_ruled_out = replace_item(self.hand_ruled_out, who, remove_at(self.hand_ruled_out[who], slot))

    def visit_congregation(self, who: Seat, slot: int) -> None:
        """Turn a congregation card face up, so that it counts as visited (LM-4.2)."""
        self.visited[who] |= 1 << self.hand[who][slot]
        self.drop_slot(who, slot)

    def try_visit(self, who: Seat, space: int) -> bool:
        """LM-4.2  Visit the congregation of a space if its card is in hand; otherwise rule the card out."""
        card = self.c.card_of[space]
        if card == OFF:
            return False
        hand = self.hand[who]
        if card not in hand:
            self.rule_out_card(who, card)
            return False
        self.visit_congregation(who, hand.index(card))
        self.emit(VISITED, who, (space,), "LM-4.2")
        return True

    def rule_out_card(self, who: Seat, card: int) -> None:
        """Rule out a card for every slot of a hand, because the player stopped there without showing it (LM-R17)."""
        bit = 1 << card
        for known in self.hand_ruled_out[who]:
            if not known & bit:
                self.hand_ruled_out = replace_item(
                    self.hand_ruled_out, who, tuple([out | bit for out in self.hand_ruled_out[who]])
                )
                return

    def has_seen(self, seen: int, seat: Seat) -> bool:
        """Return whether a seat, or the spectators, has looked at a card."""
        return (seen >> (seat if seat >= 0 else SPECTATOR)) & 1 == 1

    # -- methods that the engine calls ---------------------------------------------------------------------------------

    def shuffle_again(self, purpose: int, cards: list[int]) -> None:
        """Put a discard pile, or the ports for a castaway, into the random order of the next draw for this purpose."""
        self.rng.order(purpose, self.draws[purpose], cards)
        self.draws = replace_item(self.draws, purpose, self.draws[purpose] + 1)

    def period(self) -> tuple[int, int]:
        return (self.round, self.turn)

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """Shuffle both decks, and deal the unknown congregation cards again to the unknown slots.

        The lists are sorted first, so that the deal depends only on what the seat knows and on the generator.
        """
        self.deck.sort()
        self.sea_deck.sort()
        rng.shuffle(self.deck)
        rng.shuffle(self.sea_deck)
        bit = ALL if seat == EVERYBODY else 1 << (seat if seat >= 0 else SPECTATOR)
        cards: list[int] = []
        ruled_out: list[int] = []
        upto = [0]  # end of each hand in the list of unseen cards
        for other in range(self.seats):
            if other != seat:
                collect_unseen(
                    self.hand[other], self.hand_seen[other], self.hand_ruled_out[other], bit, cards, ruled_out
                )
            upto.append(len(cards))
        collect_unseen(self.reserve, self.reserve_seen, self.reserve_ruled_out, bit, cards, ruled_out)
        cards = deal_unseen(cards, ruled_out, rng)
        hands = list(self.hand)
        for other in range(self.seats):
            dealt = cards[upto[other] : upto[other + 1]]
            hands[other] = fill_unseen_slots(hands[other], self.hand_seen[other], bit, dealt)
        self.hand = tuple(hands)
        self.reserve = fill_unseen_slots(self.reserve, self.reserve_seen, bit, cards[upto[self.seats] :])
