"""Running scores as far as a viewer can know them (PP-11).

A viewer counts the Region and Symbol cards that it knows: its own, and those that others took from the row (PP-R32).
The other ones have Old Testament backs that it has not seen. They are in hands, in the deck or discarded face down. A
doubtful card, which a player took from the row and may have discarded face down (PP-R12), is in that hand or that
discard. The bounds hold for every possible distribution. The scores shown to people count only the known cards.
"""

from itertools import product

from triclinium.engine.core.state import Seat
from triclinium.engine.visible_scores import (
    Bounds,
    RankKey,
    ScoreContest,
    VisibleScore,
    find_certain_rank,
    make_bounded_number,
    make_exact_score,
)
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, OLD, Card
from triclinium.games.portals.rules.face_down import CARD_MASK, can_be_discarded
from triclinium.games.portals.rules.scoring import (
    CARDS,
    MAJORITIES,
    SETS,
    SYMBOL_CARDS,
    Side,
    build_sides,
    count_sets,
    count_symbol_card_points,
    scores,
)
from triclinium.games.portals.rules.state import RUNNING, Portals


def build_visible_scores(s: Portals, viewer: Seat) -> list[VisibleScore]:
    """Return the score of each seat as far as this viewer knows it (NOBODY is a spectator).

    At the end all cards are open (PP-11.2).
    """
    if s.ending != RUNNING:
        return [make_exact_score(score) for score in scores(s)]
    unseen = UnseenCards(s, viewer)
    cases = (
        [unseen]
        if not unseen.doubtful
        else [UnseenCards(s, viewer, held) for held in list_possible_holdings(s, unseen)]
    )
    scores_of = [[SideScoreBounds(s, entry, own) for entry in cases] for own in range(len(unseen.sides))]
    keys = [
        (min([entry.rank_keys()[0] for entry in of]), max([entry.rank_keys()[1] for entry in of])) for of in scores_of
    ]
    seat_scores: list[VisibleScore] = []
    for seat, own in enumerate(unseen.side_of):
        rivals = [keys[other] for other in unseen.side_of if other != own]
        of_side = scores_of[own]
        lines = {
            name: make_bounded_number(*span_bounds([entry.lines[name] for entry in of_side]))
            for name in of_side[0].lines
        }
        total = make_bounded_number(*span_bounds([entry.total for entry in of_side]))
        rank = find_certain_rank(*keys[own], rivals)
        seat_scores.append(VisibleScore(seat, rank, total, lines, compute_known_lines(s, unseen, own)))
    return seat_scores


def span_bounds(bounds: list[Bounds]) -> Bounds:
    """Return bounds that contain all of the given bounds."""
    return min([low for low, _ in bounds]), max([high for _, high in bounds])


def list_possible_holdings(s: Portals, unseen: "UnseenCards") -> list[set[Card]]:
    """PP-R12  Return each set of doubtful Region and Symbol cards that can be held while the others are discarded."""
    owners = {who for _, who in unseen.doubtful}
    holdings: list[set[Card]] = []
    for still in product((True, False), repeat=len(unseen.doubtful)):
        held = {card for (card, _), is_held in zip(unseen.doubtful, still, strict=True) if is_held}
        if all(can_hold(s, who, held) for who in owners):
            holdings.append(held)
    return holdings


def can_hold(s: Portals, who: Seat, held: set[Card]) -> bool:
    """Return whether a seat can hold these of its doubtful Region and Symbol cards and have discarded the others."""
    entries = s.list_doubtful_entries(who, OLD)
    bonus = [entry for entry in entries if entry & CARD_MASK >= s.c.events]
    gone = [entry for entry in bonus if entry & CARD_MASK not in held]
    free = [entry for entry in entries if entry & CARD_MASK < s.c.events]
    discards = s.list_own_discards(who, OLD)
    room = sum([s.c.deck[card] == OLD and not (s.known_in_hand[who] >> i) & 1 for i, card in enumerate(s.hands[who])])
    blanks = [s.buried_blanks[i] for i in discards]
    return len(bonus) - len(gone) <= room and can_be_discarded(gone, free, discards, blanks)


def compute_known_lines(s: Portals, unseen: "UnseenCards", own: int) -> dict[str, int]:
    """PP-11.2, PP-R32  Return the score of a side by the cards that the viewer knows, line by line."""
    side = unseen.sides[own]
    won = sum([own in find_leading_sides(unseen.counts, symbol) for symbol in range(s.c.symbol_kinds)])
    return {
        CARDS: side.points,
        SETS: count_sets(s, side.regions, side.wilds) * s.c.set_points,
        MAJORITIES: won * s.c.majority_points,
        SYMBOL_CARDS: count_symbol_card_points(s, side),
    }


def find_leading_sides(counts: list[list[int]], symbol: int) -> list[int]:
    """PP-11.6, PP-R22  Return the sides that lead a symbol; empty if no side has any."""
    best = max([of_side[symbol] for of_side in counts])
    return [side for side, of_side in enumerate(counts) if of_side[symbol] == best > 0]


def is_unsettled(unseen: "UnseenCards", symbol: int) -> bool:
    """Return whether the leader of a symbol would change if some hand held its unseen Symbol card."""
    holders = [side for side, room in enumerate(unseen.room_by_side) if room > 0]
    if symbol not in unseen.symbols:
        holders = [side for side in unseen.list_doubtful_symbol_sides(symbol) if unseen.hidden[side] > 0]
    now = find_leading_sides(unseen.counts, symbol)
    for side in range(len(unseen.room_by_side)):
        if side in holders:
            counts = [of_side[:] for of_side in unseen.counts]
            counts[side][symbol] += 1
            if find_leading_sides(counts, symbol) != now:
                return True
    return False


def find_side(s: Portals, seat: Seat) -> int:
    """PP-12.1  Return the side of a seat: the seat itself, or with teams the lower seat of the two partners."""
    return min(seat, s.find_partner(seat))


def build_known_sides(s: Portals, viewer: Seat) -> list[Side]:
    """Return the sides with those Region and Symbol cards that the viewer knows."""
    all_sides = [Side(s, seat, 0) for seat in range(s.seats) if find_side(s, seat) == seat]
    for who in range(s.seats):
        side = all_sides[find_side(s, who)]
        for i, card in enumerate(s.hands[who]):
            if card >= s.c.events and knows_hand_card(s, viewer, who, i):
                side.add_held_card(s, card)
    return all_sides


def knows_hand_card(s: Portals, viewer: Seat, who: Seat, i: int) -> bool:
    """PP-R32, PP-11.2  Return whether the viewer knows the card at this place in a hand."""
    return who == viewer or (s.known_in_hand[who] >> i) & 1 == 1


class UnseenCards:
    """The Region and Symbol cards that a viewer has not seen, and their possible places.

    Doubtful cards (PP-R12) are listed separately. With ``held``, these doubtful cards are assumed to be held and the
    others to be discarded.
    """

    def __init__(self, s: Portals, viewer: Seat, held: set[Card] | None = None) -> None:
        c = s.c
        self.c = c
        self.sides = build_known_sides(s, viewer)
        self.doubtful = [
            (entry & CARD_MASK, who)
            for who in range(s.seats)
            for entry in s.doubtful[who]
            if who != viewer and entry & CARD_MASK >= c.events
        ]
        supposed_held = [(card, who) for card, who in self.doubtful if held is not None and card in held]
        for card, who in supposed_held:
            self.sides[find_side(s, who)].add_held_card(s, card)
        self.side_of = [find_side(s, seat) for seat in range(s.seats)]
        self.counts = [[side.count_symbol(symbol) for symbol in range(c.symbol_kinds)] for side in self.sides]
        # for each side, the number of Old Testament backs in the hands whose card the viewer does not know
        self.hidden = [0] * len(self.sides)
        # for each side, the maximum number of hidden cards that the viewer has never seen
        self.room_by_side = [0] * len(self.sides)
        # for each side, the minimum number of hidden cards that the viewer has never seen
        self.least = [0] * len(self.sides)
        self.places = len(s.old)  # number of places where cards that the viewer has never seen can be
        seen: set[Card] = {*s.row, *s.gone, *(card for card, _ in self.doubtful)}
        for who in range(s.seats):
            seen.update(card for i, card in enumerate(s.hands[who]) if knows_hand_card(s, viewer, who, i))
            if who != viewer:
                self.count_hand(s, who, sum(owner == who for _, owner in supposed_held))
        seen.update(card for i, card in enumerate(s.buried) if s.knows_buried(viewer, i))
        cards = [card for card in range(c.events, c.cards) if card not in seen]
        self.wilds = sum(c.wild[card] for card in cards)
        self.symbols = [c.symbol_card[card] for card in cards if c.symbol_card[card] != NONE]

    def count_hand(self, s: Portals, who: Seat, supposed_count: int) -> None:
        """Count the places in a hand that hide an Old Testament card.

        ``supposed_count`` of them hold a supposed card.
        """
        side = self.side_of[who]
        hidden = sum(
            [s.c.deck[card] == OLD and not (s.known_in_hand[who] >> i) & 1 for i, card in enumerate(s.hands[who])]
        )
        unseen = s.count_unseen(who, OLD)
        self.hidden[side] += hidden
        self.room_by_side[side] += min(hidden - supposed_count, unseen)
        self.least[side] += max(0, hidden - len(s.list_doubtful_entries(who, OLD)))
        self.places += unseen

    def list_doubtful_symbol_sides(self, symbol: int) -> list[int]:
        """Return the sides that may still hold the card of this symbol, which all players saw them take."""
        return [self.side_of[who] for card, who in self.doubtful if self.c.symbol_card[card] == symbol]


class UnseenSymbol:
    """The effects of an unseen Symbol card on a side's score."""

    def __init__(self, s: Portals, unseen: UnseenCards, own: int, symbol: int) -> None:
        counts = [of_side[symbol] for of_side in unseen.counts]
        count = counts[own]
        others = [i for i in range(len(counts)) if i != own]
        best = max([counts[i] for i in others])
        holders = [i for i in others if unseen.room_by_side[i] > 0]
        self.worth = s.c.symbol_self_points + s.c.symbol_match_points * count  # PP-11.7
        self.majority_if_unheld = int(count > 0 and count >= best)  # the majority if no side holds the card
        self.majority_if_held = int(count + 1 >= best)  # the majority if this side holds the card
        # the sides that would take the majority by holding the card
        self.spoilers = [i for i in holders if self.majority_if_unheld and counts[i] == count]
        # 1 if every other possible holder would take the majority
        self.is_spoilt_by_all = int(len(self.spoilers) == len(holders) > 0)
        self.majority_gain = self.majority_if_held - self.majority_if_unheld
        self.gain = self.worth + s.c.majority_points * self.majority_gain


class SideScoreBounds:
    """Bounds for the score of one side, for each line and the total."""

    def __init__(self, s: Portals, unseen: UnseenCards, own: int) -> None:
        self.unseen = unseen
        self.own = own
        self.side = side = unseen.sides[own]
        self.room = unseen.room_by_side[own]
        self.symbols = [UnseenSymbol(s, unseen, own, symbol) for symbol in unseen.symbols]
        self.breaks_ties = s.v.break_ties
        elsewhere = unseen.places - unseen.least[own]
        sets = [
            count_sets(s, side.regions, side.wilds + n) * s.c.set_points
            for n in range(min(unseen.wilds, self.room) + 1)
        ]
        # minimum number of unseen Region cards in this hand, because there are too few other places
        fewest_wilds = max(0, unseen.wilds - elsewhere)
        own_symbols = max(0, len(self.symbols) - elsewhere)
        held = count_symbol_card_points(s, side)
        worths = sorted([symbol.worth for symbol in self.symbols])
        majority = s.c.majority_points
        settled, most = self.count_settled_majorities(s), self.count_most_majorities()
        self.lines: dict[str, Bounds] = {
            CARDS: (side.points, side.points),
            SETS: (sets[fewest_wilds], sets[-1]),
            MAJORITIES: (
                majority * (settled + self.count_fewest_majorities(own_symbols)),
                majority
                * (
                    settled
                    + most
                    + min(self.room, sum([unseen_symbol.majority_gain for unseen_symbol in self.symbols]))
                ),
            ),
            SYMBOL_CARDS: (held + sum(worths[:own_symbols]), held + sum_last(worths, self.room)),
        }
        # A Region card takes a place in the hand that a Symbol card cannot have.
        gains = sorted([symbol.gain for symbol in self.symbols])
        best = max([sets[n] + sum_last(gains, self.room - n) for n in range(fewest_wilds, len(sets))])
        self.total: Bounds = (
            sum([bounds[0] for bounds in self.lines.values()]),
            side.points + held + best + majority * (settled + most),
        )

    def count_settled_majorities(self, s: Portals) -> int:
        """PP-11.6  Return the majorities in symbols whose Symbol card the viewer has seen."""
        won = 0
        for symbol in range(s.c.symbol_kinds):
            if symbol not in self.unseen.symbols:
                best = max([counts[symbol] for counts in self.unseen.counts])
                won += int(best > 0 and self.unseen.counts[self.own][symbol] == best)
        return won

    def count_most_majorities(self) -> int:
        """Return the most majorities of a side without unseen cards.

        The other sides hold as few unseen cards as possible, and those that harm this side least.
        """
        theirs = sum(self.unseen.least) - self.unseen.least[self.own]
        held = max(0, len(self.symbols) - (self.unseen.places - theirs))
        lost = sum(sorted([symbol.is_spoilt_by_all for symbol in self.symbols])[:held])
        return sum([symbol.majority_if_unheld for symbol in self.symbols]) - lost

    def count_fewest_majorities(self, own: int) -> int:
        """Return the fewest majorities, if the other sides hold the cards that harm this side most.

        This side must hold ``own`` unseen Symbol cards.
        """
        lost = 0  # The hands of each other side limit the majorities that it can take.
        for i, room in enumerate(self.unseen.room_by_side):
            lost += min(room, sum([1 for symbol in self.symbols if i in symbol.spoilers]))
        by_room = sum([symbol.majority_if_unheld for symbol in self.symbols]) - lost
        by_room += sum(sorted([symbol.majority_gain for symbol in self.symbols])[:own])
        worst = [0 if symbol.spoilers else symbol.majority_if_unheld for symbol in self.symbols]
        saved = [symbol.majority_if_held - worst[i] for i, symbol in enumerate(self.symbols)]
        return max(by_room, sum(worst) + sum(sorted(saved)[:own]))

    def rank_keys(self) -> tuple[RankKey, RankKey]:
        """PP-R23  Return the lowest and the highest possible values that rank the side."""
        if not self.breaks_ties:
            return (self.total[0],), (self.total[1],)
        rest = (self.side.played, self.side.last)
        return (self.total[0], self.lines[SETS][0], *rest), (self.total[1], self.lines[SETS][1], *rest)


def sum_last(numbers: list[int], n: int) -> int:
    """Return the sum of the last n numbers, or of all if there are fewer."""
    return sum(numbers[max(0, len(numbers) - n) :])


def list_contests(s: Portals) -> list[ScoreContest]:
    """PP-11.3, PP-11.5  Return for each symbol and region the count of each side, with all hands open."""
    c = s.c
    all_sides = build_sides(s, (1 << s.seats) - 1)
    contests = [
        ScoreContest(c.symbol_names[symbol], [side.count_symbol(symbol) for side in all_sides])
        for symbol in range(c.symbol_kinds)
    ]
    for region in range(c.regions):
        counts = [(side.regions >> (FIELD * region)) & FIELD_MASK for side in all_sides]
        contests.append(ScoreContest(c.region_names[region], counts))
    return contests
