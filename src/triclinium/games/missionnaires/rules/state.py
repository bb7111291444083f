"""Everything about a match of Les Missionnaires at one moment."""

from typing import Final

from triclinium.engine.core.rng import Rng
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import NOBODY, Seat, State, Step
from triclinium.games.missionnaires.rules.components import OFF, TERRITORY, Components
from triclinium.games.missionnaires.rules.determinization import collect_unseen, deal_unseen, fill_unseen_slots
from triclinium.games.missionnaires.rules.events import REFILLED, VISITED
from triclinium.games.missionnaires.rules.table_rules import TableRules

ALL: Final = 255  # every seat and, as bit 7, the spectators have looked at a card
SPECTATOR: Final = 7

# How a proclaimer travels (specification, section 3, vocabulary)
ON_HIS_OWN: Final = 0
NEWLY_JOINED: Final = 1  # pays like one alone until the coup ends
ACCOMPANIED: Final = 2

# When a proclaimer passed; a missed turn is no turn played (LM-R12)
THIS_TURN: Final = 1
LAST_TURN: Final = 2

ONE_SPACE: Final = tuple([bytes([space]) for space in range(256)])  # as a trail holds it; the board has 143 (LM-C1)
STOPPED: Final = -1  # in place of a rank: he plays on no more, and is ranked by how he stood (LM-R15)


def remove_at(row: tuple[int, ...], i: int) -> tuple[int, ...]:
    return row[:i] + row[i + 1 :]


class Flow:
    """What a card may set going: moves, arrivals and coups meet cards, and cards meet them again (LM-8).

    Declared here and written in `turn.py`, which knows them all.
    """

    def begin_bonus_move(self, s: "Missionnaires", who: Seat, spaces: int) -> "Step[Missionnaires]":
        """LM-8.1  The first step of a bonus move."""
        raise NotImplementedError

    def arrive_on_space(self, s: "Missionnaires", who: Seat, territory: int) -> None:
        """LM-4.6  A card has put a pawn on a space; `territory`: 1 if he takes a territory card there."""
        raise NotImplementedError

    def draw_on_pass(self, s: "Missionnaires", who: Seat) -> None:
        """LM-R4  In a green town from which the move may go on, by variant."""
        raise NotImplementedError

    def stop_playing(self, s: "Missionnaires", who: Seat) -> None:
        """LM-R15  Instead of his main action he plays on no more."""
        raise NotImplementedError

    def play_again(self, s: "Missionnaires") -> None:
        """LM-2.5  A second coup follows."""
        raise NotImplementedError

    def apply_fair_wind(self, s: "Missionnaires", spaces: int) -> None:
        """LM-8.1  The move at sea goes on."""
        raise NotImplementedError


class Missionnaires(State):
    """One match. A congregation card lies in a slot of a hand or of the reserve; each slot remembers who has looked
    at its card (a mask of seats) and which cards it is known not to hold (a mask of cards)."""

    c: Components
    v: TableRules
    flow: Flow  # shared by clones, in no digest
    # the turn
    first: Seat
    turn: Seat
    round: int
    territories: int  # territory cards taken this turn
    newly_joined: int  # mask of overseers who joined during this coup
    # by seat
    at: list[int]  # space, or OFF when finished or gone
    # Every space where he has stood, a byte each. In no digest: drawings tell it, and of the rules only moves of four
    # spaces and more ask for it. Immutable, so that a clone shares it.
    trail: list[bytes]
    periodicals: list[int]
    missed: list[int]  # turns owed
    turns: list[int]  # turns played; the present one counts
    passed: list[int]  # mask of THIS_TURN and LAST_TURN: in which of them he passed (LM-R12)
    sailed_from: tuple[int, ...]  # the last port he sailed from, or OFF
    rank: list[int]  # 0 while unfinished; STOPPED once he plays on no more
    ended_round: tuple[int, ...]  # the round in which he came home, stopped or left: all his turns, missed ones too
    rank_key_at_stop: tuple[int, ...]  # how he stood when he stopped (LM-R16), packed: the smaller the better; 0 before
    colour: tuple[int, ...]  # of his pawn (LM-1.3); what the notation calls him by
    resigned: int  # mask
    bons: tuple[tuple[int, ...], ...]  # vouchers held, ascending
    visited: list[int]  # mask of congregation cards
    hand: tuple[tuple[int, ...], ...]  # unvisited congregation cards, slot by slot
    hand_seen: tuple[tuple[int, ...], ...]
    hand_ruled_out: tuple[tuple[int, ...], ...]
    # pawns of nobody
    gendarmes: list[int]
    overseer_space: list[int]  # the space of one who is on the board and unattached, or OFF
    escort: list[int]  # the seat that he accompanies, or NOBODY
    # piles, the top last
    deck: list[int]
    discard: list[int]
    sea_deck: list[int]
    sea_discard: list[int]
    reserve: tuple[int, ...]
    reserve_seen: tuple[int, ...]
    reserve_ruled_out: tuple[int, ...]

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
        return parts

    # -- who and what stands where ------------------------------------------------------------------------------

    def place_pawn(self, who: Seat, space: int) -> None:
        """The pawn stands there now."""
        self.at[who] = space
        self.trail[who] += ONE_SPACE[space]

    def list_route(self, who: Seat) -> list[int]:
        """Every space where the pawn has stood, from the Bethel on."""
        return list(self.trail[who])

    def is_playing(self, seat: Seat) -> bool:
        """Neither finished nor stopped nor gone."""
        return self.rank[seat] == 0

    def list_unfinished_seats(self) -> list[Seat]:
        return [seat for seat in range(self.seats) if self.rank[seat] == 0]

    def find_overseer(self, who: Seat) -> int:
        """The overseer who accompanies this proclaimer, or OFF."""
        escort = self.escort
        if escort[0] == who:
            return 0
        return 1 if escort[1] == who else OFF

    def get_travel_mode(self, who: Seat) -> int:
        """ON_HIS_OWN, NEWLY_JOINED or ACCOMPANIED (LM-7.3)."""
        escort = self.escort
        if escort[0] == who:
            return NEWLY_JOINED if self.newly_joined & 1 else ACCOMPANIED
        if escort[1] == who:
            return NEWLY_JOINED if self.newly_joined & 2 else ACCOMPANIED
        return ON_HIS_OWN

    # Each pawn is compared here, for every step that is offered: compiled, that is four times as fast as ``in``, which
    # leaves the comparing to the interpreter.

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
        """One whom nobody travels with."""
        return self.overseer_space[0] == space or self.overseer_space[1] == space

    def is_barred_by_proclaimer(self, space: int) -> bool:
        """A proclaimer stands there and nobody may stop beside him (LM-3.9; never on the Bethel, LM-3.7)."""
        return self.has_proclaimer(space) and space != self.c.bethel and not self.v.share_spaces

    def find_proclaimer(self, space: int) -> Seat:
        """The proclaimer on a space; the first, if several; NOBODY if none."""
        return self.at.index(space) if self.has_proclaimer(space) else NOBODY

    def is_empty(self, space: int) -> bool:
        """No pawn of any kind is there."""
        return not (self.has_gendarme(space) or self.has_proclaimer(space) or self.has_lone_overseer(space))

    def find_bon(self, who: Seat, effect: int) -> int:
        """The first voucher with this effect in a hand, or OFF."""
        for card in self.bons[who]:
            if self.c.effect[card] == effect:
                return card
        return OFF

    def get_next_seat(self, seat: Seat) -> Seat:
        """The next unfinished seat in seat order; the seat itself if there is no other."""
        following = (seat + 1) % self.seats
        while self.rank[following] != 0 and following != seat:
            following = (following + 1) % self.seats
        return following

    def list_seats_after(self, seat: Seat) -> list[Seat]:
        """Those still playing, in seat order from the one after this seat."""
        following = [(seat + i) % self.seats for i in range(1, self.seats + 1)]
        return [other for other in following if self.rank[other] == 0]

    # -- periodicals and vouchers -------------------------------------------------------------------------------

    def count_stock(self) -> int:
        """The periodicals at the Bethel (LM-9.6: all that nobody holds)."""
        return self.c.periodicals_total - sum(self.periodicals)

    def take_periodicals(self, who: Seat, number: int) -> int:
        """Up to the most one may hold; how many were taken (LM-9.6)."""
        taken = min(number, self.c.periodicals_max - self.periodicals[who])
        self.periodicals[who] += taken
        return taken

    def refill_periodicals(self, who: Seat) -> None:
        """LM-4.4  On the Bethel: periodicals up to 8."""
        taken = self.take_periodicals(who, self.c.periodicals_max)
        if taken:
            self.emit(REFILLED, who, (taken,), "LM-4.4")

    def discard_card(self, card: int) -> None:
        """To the discard pile of its deck (LM-8.3)."""
        if self.c.get_deck(card) == TERRITORY:
            self.discard.append(card)
        else:
            self.sea_discard.append(card)

    def give_up_bon(self, who: Seat, card: int) -> None:
        """A voucher leaves the hand, played or burnt."""
        self.bons = replace_item(self.bons, who, tuple([held for held in self.bons[who] if held != card]))
        self.discard_card(card)

    # -- congregation cards -------------------------------------------------------------------------------------

    def add_slot(self, who: Seat, card: int, seen: int, ruled_out: int) -> None:
        """A congregation card comes to a hand; its slot keeps what others know of it."""
        seen = ALL if self.v.open_hands else seen | (1 << who)
        self.hand = replace_item(self.hand, who, (*self.hand[who], card))
        self.hand_seen = replace_item(self.hand_seen, who, (*self.hand_seen[who], seen))
        self.hand_ruled_out = replace_item(self.hand_ruled_out, who, (*self.hand_ruled_out[who], ruled_out))

    def drop_slot(self, who: Seat, slot: int) -> None:
        """A congregation card leaves a hand."""
        self.hand = replace_item(self.hand, who, remove_at(self.hand[who], slot))
        self.hand_seen = replace_item(self.hand_seen, who, remove_at(self.hand_seen[who], slot))
        self.hand_ruled_out = replace_item(self.hand_ruled_out, who, remove_at(self.hand_ruled_out[who], slot))

    def visit_congregation(self, who: Seat, slot: int) -> None:
        """A card is turned face up and counts as visited (LM-4.2)."""
        self.visited[who] |= 1 << self.hand[who][slot]
        self.drop_slot(who, slot)

    def try_visit(self, who: Seat, space: int) -> bool:
        """LM-4.2  Visit the congregation of a space if its card is in hand; if not, all see that it is not."""
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
        """He stopped there and showed nothing: none of the cards he holds now is that one (LM-R17)."""
        bit = 1 << card
        for known in self.hand_ruled_out[who]:
            if not known & bit:
                self.hand_ruled_out = replace_item(
                    self.hand_ruled_out, who, tuple([out | bit for out in self.hand_ruled_out[who]])
                )
                return

    def has_seen(self, seen: int, seat: Seat) -> bool:
        """Whether a seat, or a spectator, has looked at a card."""
        return (seen >> (seat if seat >= 0 else SPECTATOR)) & 1 == 1

    # -- the rooms beside ---------------------------------------------------------------------------------------

    def period(self) -> tuple[int, int]:
        return (self.round, self.turn)

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """Both decks anew; the congregation cards that this seat does not know, among the slots it does not know.

        The deal depends on what the seat knows and on the generator alone, hence the sorting.
        """
        self.deck.sort()
        self.sea_deck.sort()
        rng.shuffle(self.deck)
        rng.shuffle(self.sea_deck)
        bit = 1 << (seat if seat >= 0 else SPECTATOR)
        cards: list[int] = []
        ruled_out: list[int] = []
        upto = [0]  # cards of the hands so far
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
