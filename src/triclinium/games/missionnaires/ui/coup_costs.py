"""Costs of every space where the viewer's next coup could end, shown on the map before a choice is made."""

from dataclasses import dataclass

from triclinium.engine.core.text import Message, Name
from triclinium.games.missionnaires.rules.components import GREEN, LAISSEZ_PASSER, SEA, Components
from triclinium.games.missionnaires.ui.translations import get_reader
from triclinium.games.missionnaires.ui.view import MissionnairesView, Player

FREE_FARE = Name("free", "fare")


@dataclass(slots=True)
class Fare:
    """The cost of a coup to a space: periodicals, vouchers and sea cards, with the number of steps."""

    periodicals: int
    bons: int
    cards: int  # sea cards to be drawn
    two_steps: bool
    territory: bool  # True if the stop takes a territory card (LM-4.5)

    @property
    def is_free(self) -> bool:
        return not (self.periodicals or self.bons or self.cards)

    def describe(self, language: str) -> str:
        """Return a description such as ``1 periodical, 2 sea cards``."""
        parts = (
            Message("{0} {0:periodical|periodicals}", self.periodicals),
            Message("{0} {0:voucher|vouchers}", self.bons),
            Message("{0} {0:sea card|sea cards}", self.cards),
        )
        translator = get_reader(language)
        return ", ".join(translator.read(part) for part in parts if part.args[0]) or translator.format_arg(FREE_FARE)

    def sort_key(self) -> tuple[int, int, int]:
        """Return the sort key of a fare, cheapest first."""
        return (self.bons, self.periodicals, self.cards)


class CoupCosts:
    """Cheapest fare to every end of the viewer's next coup (LM-3, LM-5, LM-6), and the ends after each first step."""

    def __init__(self, c: Components, view: MissionnairesView, me: Player) -> None:
        assert me.at is not None
        self.c = c
        self.ends: dict[int, Fare] = {}
        self.second_steps: dict[int, dict[int, Fare]] = {}  # ends of the second step, by first step
        self.here = me.at
        self.periodicals = me.periodicals
        self.free_passes = sum(c.effect[card] == LAISSEZ_PASSER for card in me.bons)
        self.is_alone = me.company is None
        # An overseer counts from the coup after it joined (LM-4.1).
        self.is_accompanied = not self.is_alone and not me.newly_joined
        self.no_sea_cards = self.is_accompanied and me.company is not None and c.no_sea_card[me.company]
        self.one_card_per_coup = view.card_per_coup
        self.takes_territory_card = view.territories_this_turn < c.territories_a_turn
        self.rival_spaces = {other.at for other in view.players if other is not me and other.at is not None}
        self.barred_spaces = set() if view.share_spaces else self.rival_spaces - {c.bethel}
        self.gendarme_spaces = set(view.gendarmes)
        self.overseer_spaces = {
            overseer.at for overseer in view.overseers if overseer.at is not None
        }  # spaces of unattached overseers
        self.meeting_spaces = self.overseer_spaces - self.barred_spaces - {c.bethel}
        lanes = c.kind[self.here] == SEA or can_board_ship(c, view)
        for first in c.near[self.here] if lanes else c.roads[self.here]:
            self._add_coups_via(first)

    def _add_coups_via(self, first: int) -> None:
        """Add all coups that step onto a space first, or leap over it."""
        c = self.c
        sails = c.is_lane(self.here, first)
        leaps = first in self.barred_spaces
        pushed = self._push_targets(first, self.here) if first in self.gendarme_spaces else set()
        if first in self.gendarme_spaces and not pushed:
            return
        if not leaps:
            self._add_end(first, first, 0, self._count_push_fees(first, True), int(sails))
        for second in c.near[first]:
            again = c.is_lane(first, second)
            if second == self.here or (again and c.kind[first] != SEA):
                continue  # A ship may be boarded only in the port where the coup began (LM-5.2, LM-5.3).
            if second in self.barred_spaces:
                if self.is_accompanied and not leaps:
                    self._add_second_leap(first, second, int(sails) + int(again))
                continue
            if second in self.gendarme_spaces and not self._push_targets(second, self.here if leaps else first):
                continue
            speed = 0 if self.is_accompanied else c.speed_fee
            # 1 if the gendarme could only be pushed ahead, which costs a second fee
            ahead = int(not self.is_accompanied and pushed == {second})
            fees = self._count_push_fees(second, True) + ahead + (0 if leaps else self._count_push_fees(first, False))
            cards = int(sails or again) if self.one_card_per_coup else int(sails) + int(again)
            self._add_end(first, second, speed, fees, cards)

    def _add_second_leap(self, first: int, over: int, cards: int) -> None:
        """LM-3.4  Add the ends of second steps in company that leap over a rival."""
        for third in self.c.near[over]:
            sails = self.c.is_lane(over, third) and self.c.kind[over] != SEA
            room = third not in self.gendarme_spaces or self._push_targets(third, first)
            if third not in (self.here, first) and third not in self.barred_spaces and not sails and room:
                sections = cards + int(self.c.is_lane(over, third))
                self._add_end(first, third, 0, 0, min(sections, 1) if self.one_card_per_coup else sections)

    def _push_targets(self, space: int, leaving: int) -> set[int]:
        """Return the spaces to which a gendarme could be pushed (LM-6.3)."""
        free = {town for town in self.c.roads[space] if town not in self.rival_spaces | {self.c.bethel}}
        taken = self.gendarme_spaces | self.overseer_spaces
        # The first pawn passed has already left.
        return {town for town in free if town not in taken or town == leaving != self.here}

    def _count_push_fees(self, space: int, stops: bool) -> int:
        """Return the number of push fees due at a space (LM-6.2, LM-6.6)."""
        joins = stops and self.is_alone
        return int(
            not self.is_accompanied and (space in self.gendarme_spaces or (space in self.meeting_spaces and not joins))
        )

    def _add_end(self, first: int, space: int, speed: int, fees: int, cards: int) -> None:
        """Add an end of the coup if the fare can be paid."""
        push = self.c.push_fee
        lacking = max(speed + fees * push - self.periodicals, 0)
        bons = -(-lacking // push) if push else lacking  # A voucher pays the fee of a push, but never speed (LM-8.4).
        if bons > min(fees, self.free_passes) or (lacking and not push):
            return
        price = speed + (fees - bons) * push
        territory = self.takes_territory_card and self.c.kind[space] == GREEN
        fare = Fare(price, bons, 0 if self.no_sea_cards else cards, space != first, territory)
        if fare.two_steps:
            self.second_steps.setdefault(first, {})[space] = fare
        old = self.ends.get(space)
        if old is None or fare.sort_key() < old.sort_key():
            self.ends[space] = fare


def can_board_ship(c: Components, view: MissionnairesView) -> bool:
    """LM-5.2  Return whether a ship may be boarded; after a bonus move no ship is offered in this coup."""
    if view.asked != "Main" or view.options is None:
        return True
    rivals = {c.colours[player.colour]: player.at for player in view.players}
    for verb, *words in map(str.split, view.options):
        first = rivals[words[0]] if verb == "leap" else c.ids.index(words[0]) if verb == "go" else None
        if first is not None and c.kind[first] == SEA:
            return True
    return False
