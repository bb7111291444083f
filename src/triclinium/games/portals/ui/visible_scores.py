"""What a viewer can tell of the running scores (PP-11).

Everybody counts the Region and Symbol cards that it knows: its own, and those that others took from the row (PP-R32).
The others lie among the Old Testament backs that it has not seen: in hands, in the deck or removed face down. A card
that somebody took from the row and may have discarded face down since (PP-R12) is in that hand or in that discard. The
bounds hold over all ways in which they can lie there; what people are told counts the known ones alone.
"""

from itertools import product

from triclinium.engine.core.state import Seat
from triclinium.engine.visible_scores import Bounds, Contest, Key, VisibleScore, between, certain_rank, exact
from triclinium.games.portals.rules.components import FIELD, FIELD_MASK, NONE, OLD, Card
from triclinium.games.portals.rules.face_down import CARD, can_be_discarded
from triclinium.games.portals.rules.scoring import (
    CARDS,
    MAJORITIES,
    SETS,
    SYMBOL_CARDS,
    Side,
    full_sets,
    scores,
    sides,
    symbol_card_points,
)
from triclinium.games.portals.rules.state import RUNNING, Portals


def scores_for(s: Portals, viewer: Seat) -> list[VisibleScore]:
    """The score of each seat as this viewer (NOBODY: a spectator) can tell it; at the end all is open (PP-11.2)."""
    if s.ending != RUNNING:
        return [exact(score) for score in scores(s)]
    unseen = Unseen(s, viewer)
    supposed = [unseen] if not unseen.doubtful else [Unseen(s, viewer, held) for held in suppositions(s, unseen)]
    scores_of = [[SideScore(s, one, own) for one in supposed] for own in range(len(unseen.sides))]
    keys = [(min([one.keys()[0] for one in of]), max([one.keys()[1] for one in of])) for of in scores_of]
    found: list[VisibleScore] = []
    for seat, own in enumerate(unseen.side_of):
        rivals = [keys[other] for other in unseen.side_of if other != own]
        of_side = scores_of[own]
        lines = {name: between(*spanned([one.lines[name] for one in of_side])) for name in of_side[0].lines}
        total = between(*spanned([one.total for one in of_side]))
        rank = certain_rank(*keys[own], rivals)
        found.append(VisibleScore(seat, rank, total, lines, known_lines(s, unseen, own)))
    return found


def spanned(bounds: list[Bounds]) -> Bounds:
    """Return the bounds that hold whichever of these do."""
    return min([low for low, _ in bounds]), max([high for _, high in bounds])


def suppositions(s: Portals, unseen: "Unseen") -> list[set[Card]]:
    """PP-R12  Return each set of doubtful Region and Symbol cards that can be held, the others being discarded."""
    owners = {who for _, who in unseen.doubtful}
    found: list[set[Card]] = []
    for still in product((True, False), repeat=len(unseen.doubtful)):
        held = {card for (card, _), one in zip(unseen.doubtful, still, strict=True) if one}
        if all(can_hold(s, who, held) for who in owners):
            found.append(held)
    return found


def can_hold(s: Portals, who: Seat, held: set[Card]) -> bool:
    """Return whether a seat can hold these of its doubtful Region and Symbol cards and have discarded the others."""
    entries = s.doubtful_of(who, OLD)
    bonus = [entry for entry in entries if entry & CARD >= s.c.events]
    gone = [entry for entry in bonus if entry & CARD not in held]
    free = [entry for entry in entries if entry & CARD < s.c.events]
    discards = s.discards_of(who, OLD)
    room = sum([s.c.deck[card] == OLD and not (s.known[who] >> i) & 1 for i, card in enumerate(s.hands[who])])
    blanks = [s.buried_blanks[i] for i in discards]
    return len(bonus) - len(gone) <= room and can_be_discarded(gone, free, discards, blanks)


def known_lines(s: Portals, unseen: "Unseen", own: int) -> dict[str, int]:
    """PP-11.2, PP-R32  The score of a side on the cards that the viewer knows, line by line."""
    side = unseen.sides[own]
    won = sum([own in leading(unseen.counts, symbol) for symbol in range(s.c.symbol_kinds)])
    return {
        CARDS: side.points,
        SETS: full_sets(s, side.regions, side.wilds) * s.c.set_points,
        MAJORITIES: won * s.c.majority_points,
        SYMBOL_CARDS: symbol_card_points(s, side),
    }


def leading(counts: list[list[int]], symbol: int) -> list[int]:
    """PP-11.6, PP-R22  The sides that have most of a symbol; none if nobody has any."""
    best = max([of_side[symbol] for of_side in counts])
    return [side for side, of_side in enumerate(counts) if of_side[symbol] == best > 0]


def unsettled(unseen: "Unseen", symbol: int) -> bool:
    """Whether who leads a symbol would change if some hand held its unseen Symbol card."""
    holders = [side for side, room in enumerate(unseen.rooms) if room > 0]
    if symbol not in unseen.symbols:
        holders = [side for side in unseen.doubtful_symbols(symbol) if unseen.hidden[side] > 0]
    now = leading(unseen.counts, symbol)
    for side in range(len(unseen.rooms)):
        if side in holders:
            counts = [of_side[:] for of_side in unseen.counts]
            counts[side][symbol] += 1
            if leading(counts, symbol) != now:
                return True
    return False


def side_of(s: Portals, seat: Seat) -> int:
    """PP-12.1  The side of a seat: its own, or in the team variant that of the first of the two partners."""
    return min(seat, s.partner(seat))


def known_sides(s: Portals, viewer: Seat) -> list[Side]:
    """The sides with the Region and Symbol cards that the viewer knows them to hold."""
    found = [Side(s, seat, 0) for seat in range(s.seats) if side_of(s, seat) == seat]
    for who in range(s.seats):
        side = found[side_of(s, who)]
        for i, card in enumerate(s.hands[who]):
            if card >= s.c.events and knows(s, viewer, who, i):
                side.hold(s, card)
    return found


def knows(s: Portals, viewer: Seat, who: Seat, i: int) -> bool:
    """PP-R32, PP-11.2  Whether the viewer knows the card at this place of a hand."""
    return who == viewer or (s.known[who] >> i) & 1 == 1


class Unseen:
    """The Region and Symbol cards that a viewer has not seen, and the places where they may lie.

    Doubtful ones (PP-R12) are listed apart. With ``held`` they are supposed: these are held, the others discarded.
    """

    def __init__(self, s: Portals, viewer: Seat, held: set[Card] | None = None) -> None:
        c = s.c
        self.c = c
        self.sides = known_sides(s, viewer)
        self.doubtful = [
            (entry & CARD, who)
            for who in range(s.seats)
            for entry in s.doubtful[who]
            if who != viewer and entry & CARD >= c.events
        ]
        kept = [(card, who) for card, who in self.doubtful if held is not None and card in held]
        for card, who in kept:
            self.sides[side_of(s, who)].hold(s, card)
        self.side_of = [side_of(s, seat) for seat in range(s.seats)]
        self.counts = [[side.count(symbol) for symbol in range(c.symbol_kinds)] for side in self.sides]
        self.hidden = [0] * len(self.sides)  # cards with the Old Testament back that the viewer does not know, by side
        self.rooms = [0] * len(self.sides)  # how many of them can be cards that the viewer has not seen
        self.least = [0] * len(self.sides)  # how many of them must be
        self.places = len(s.old)  # where such cards can be at all
        seen: set[Card] = {*s.row, *s.gone, *(card for card, _ in self.doubtful)}
        for who in range(s.seats):
            seen.update(card for i, card in enumerate(s.hands[who]) if knows(s, viewer, who, i))
            if who != viewer:
                self.count_hand(s, who, sum(owner == who for _, owner in kept))
        seen.update(card for i, card in enumerate(s.buried) if s.knows(viewer, i))
        cards = [card for card in range(c.events, c.cards) if card not in seen]
        self.wilds = sum(c.wild[card] for card in cards)
        self.symbols = [c.symbol_card[card] for card in cards if c.symbol_card[card] != NONE]

    def count_hand(self, s: Portals, who: Seat, kept: int) -> None:
        """Count the places of a hand that hide an Old Testament card; so many of them hold a supposed one."""
        side = self.side_of[who]
        hidden = sum([s.c.deck[card] == OLD and not (s.known[who] >> i) & 1 for i, card in enumerate(s.hands[who])])
        unseen = s.unseen(who, OLD)
        self.hidden[side] += hidden
        self.rooms[side] += min(hidden - kept, unseen)
        self.least[side] += max(0, hidden - len(s.doubtful_of(who, OLD)))
        self.places += unseen

    def doubtful_symbols(self, symbol: int) -> list[int]:
        """Return the sides that may still hold the card of this symbol, which all saw them take."""
        return [self.side_of[who] for card, who in self.doubtful if self.c.symbol_card[card] == symbol]


class UnseenSymbol:
    """What an unseen Symbol card can do for a side, and against it."""

    def __init__(self, s: Portals, unseen: Unseen, own: int, symbol: int) -> None:
        counts = [of_side[symbol] for of_side in unseen.counts]
        count = counts[own]
        others = [i for i in range(len(counts)) if i != own]
        best = max([counts[i] for i in others])
        holders = [i for i in others if unseen.rooms[i] > 0]
        self.worth = s.c.symbol_self_points + s.c.symbol_match_points * count  # PP-11.7
        self.alone = int(count > 0 and count >= best)  # the majority, if nobody holds the card
        self.holding = int(count + 1 >= best)  # the majority, if this side holds it
        self.spoilers = [i for i in holders if self.alone and counts[i] == count]  # who can take it
        self.spoilt = int(len(self.spoilers) == len(holders) > 0)  # 1: whoever else holds the card takes it
        self.more = self.holding - self.alone
        self.gain = self.worth + s.c.majority_points * self.more


class SideScore:
    """The score of one side: each line from the least to the greatest that it can be."""

    def __init__(self, s: Portals, unseen: Unseen, own: int) -> None:
        self.unseen = unseen
        self.own = own
        self.side = side = unseen.sides[own]
        self.room = unseen.rooms[own]
        self.symbols = [UnseenSymbol(s, unseen, own, symbol) for symbol in unseen.symbols]
        self.breaks_ties = s.v.break_ties
        elsewhere = unseen.places - unseen.least[own]
        sets = [
            full_sets(s, side.regions, side.wilds + n) * s.c.set_points for n in range(min(unseen.wilds, self.room) + 1)
        ]
        fewest_wilds = max(0, unseen.wilds - elsewhere)  # those that have no other place than this hand
        own_symbols = max(0, len(self.symbols) - elsewhere)
        held = symbol_card_points(s, side)
        worths = sorted([symbol.worth for symbol in self.symbols])
        majority = s.c.majority_points
        settled, most = self.settled(s), self.most_majorities()
        self.lines: dict[str, Bounds] = {
            CARDS: (side.points, side.points),
            SETS: (sets[fewest_wilds], sets[-1]),
            MAJORITIES: (
                majority * (settled + self.fewest_majorities(own_symbols)),
                majority * (settled + most + min(self.room, sum([one.more for one in self.symbols]))),
            ),
            SYMBOL_CARDS: (held + sum(worths[:own_symbols]), held + last(worths, self.room)),
        }
        # A hand's place that a Region card takes is lost for a Symbol card.
        gains = sorted([symbol.gain for symbol in self.symbols])
        best = max([sets[n] + last(gains, self.room - n) for n in range(fewest_wilds, len(sets))])
        self.total: Bounds = (
            sum([bounds[0] for bounds in self.lines.values()]),
            side.points + held + best + majority * (settled + most),
        )

    def settled(self, s: Portals) -> int:
        """PP-11.6  The majorities in symbols whose card the viewer has seen."""
        won = 0
        for symbol in range(s.c.symbol_kinds):
            if symbol not in self.unseen.symbols:
                best = max([counts[symbol] for counts in self.unseen.counts])
                won += int(best > 0 and self.unseen.counts[self.own][symbol] == best)
        return won

    def most_majorities(self) -> int:
        """The majorities of a side that holds no unseen card; others hold only what they must, as harms least."""
        theirs = sum(self.unseen.least) - self.unseen.least[self.own]
        held = max(0, len(self.symbols) - (self.unseen.places - theirs))
        lost = sum(sorted([symbol.spoilt for symbol in self.symbols])[:held])
        return sum([symbol.alone for symbol in self.symbols]) - lost

    def fewest_majorities(self, own: int) -> int:
        """The majorities left if others hold what harms most. So many unseen Symbol cards this side must hold."""
        lost = 0  # as far as the hands of each other side have room
        for i, room in enumerate(self.unseen.rooms):
            lost += min(room, sum([1 for symbol in self.symbols if i in symbol.spoilers]))
        by_room = sum([symbol.alone for symbol in self.symbols]) - lost
        by_room += sum(sorted([symbol.more for symbol in self.symbols])[:own])
        worst = [0 if symbol.spoilers else symbol.alone for symbol in self.symbols]
        saved = [symbol.holding - worst[i] for i, symbol in enumerate(self.symbols)]
        return max(by_room, sum(worst) + sum(sorted(saved)[:own]))

    def keys(self) -> tuple[Key, Key]:
        """PP-R23  What ranks the side, at the least and at the most."""
        if not self.breaks_ties:
            return (self.total[0],), (self.total[1],)
        rest = (self.side.played, self.side.last)
        return (self.total[0], self.lines[SETS][0], *rest), (self.total[1], self.lines[SETS][1], *rest)


def last(numbers: list[int], n: int) -> int:
    """The sum of the last n numbers, or of all if there are fewer."""
    return sum(numbers[max(0, len(numbers) - n) :])


def contests(s: Portals) -> list[Contest]:
    """PP-11.3, PP-11.5  When all hands lie open: what each side has of every symbol, and of every region."""
    c = s.c
    all_sides = sides(s, (1 << s.seats) - 1)
    found = [
        Contest(c.symbol_names[symbol], [side.count(symbol) for side in all_sides]) for symbol in range(c.symbol_kinds)
    ]
    for region in range(c.regions):
        counts = [(side.regions >> (FIELD * region)) & FIELD_MASK for side in all_sides]
        found.append(Contest(c.region_names[region], counts))
    return found
