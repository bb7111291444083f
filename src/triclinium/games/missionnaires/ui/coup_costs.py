"""Where one coup of the viewer could end, and what it would cost: what the map tells before anything is chosen."""

from dataclasses import dataclass

from triclinium.engine.core.text import Message, Name
from triclinium.games.missionnaires.rules.components import GREEN, LAISSEZ_PASSER, SEA, Components
from triclinium.games.missionnaires.ui.translations import reader
from triclinium.games.missionnaires.ui.view import MissionnairesView, Player

FREE = Name("free", "fare")


@dataclass(slots=True)
class Fare:
    """What a coup that ends on a space costs: periodicals, vouchers, cards to be drawn; whether it takes two steps."""

    periodicals: int
    bons: int
    cards: int  # of the sea
    far: bool
    territory: bool  # the stop takes a territory card (LM-4.5)

    @property
    def free(self) -> bool:
        return not (self.periodicals or self.bons or self.cards)

    def said(self, language: str) -> str:
        """``1 periodical, 2 sea cards``."""
        parts = (
            Message("{0} {0:periodical|periodicals}", self.periodicals),
            Message("{0} {0:BON|BONS}", self.bons),
            Message("{0} {0:sea card|sea cards}", self.cards),
        )
        heard = reader(language)
        return ", ".join(heard.read(part) for part in parts if part.args[0]) or heard.say(FREE)

    def worth(self) -> tuple[int, int, int]:
        """What is dear comes first."""
        return (self.bons, self.periodicals, self.cards)


class Reach:
    """Every end of the viewer's next coup with its least fare (LM-3, LM-5, LM-6), and what each first step opens."""

    def __init__(self, c: Components, view: MissionnairesView, me: Player) -> None:
        assert me.at is not None
        self.c = c
        self.ends: dict[int, Fare] = {}
        self.onward: dict[int, dict[int, Fare]] = {}  # by first step: where the second one may end
        self.here = me.at
        self.held = me.periodicals
        self.passes = sum(c.effect[card] == LAISSEZ_PASSER for card in me.bons)
        self.alone = me.company is None
        self.helped = not self.alone and not me.newly_joined  # from the coup after he joined on (LM-4.1)
        self.exempt = self.helped and me.company is not None and c.exempt[me.company]
        self.one_card = view.card_per_coup
        self.territories = view.territories_this_turn < c.territories_a_turn
        self.others = {other.at for other in view.players if other is not me and other.at is not None}
        self.barred = set() if view.share_spaces else self.others - {c.bethel}
        self.guards = set(view.gendarmes)
        self.lone = {overseer.at for overseer in view.overseers if overseer.at is not None}  # overseers on their own
        self.met = self.lone - self.barred - {c.bethel}
        lanes = c.kind[self.here] == SEA or boards(c, view)
        for first in c.near[self.here] if lanes else c.roads[self.here]:
            self._begin(first)

    def _begin(self, first: int) -> None:
        """All coups whose first step, or the space they leap over, is this one."""
        c = self.c
        sails = c.is_lane(self.here, first)
        leaps = first in self.barred
        pushed = self._rooms(first, self.here) if first in self.guards else set()
        if first in self.guards and not pushed:
            return
        if not leaps:
            self._end(first, first, 0, self._pushes(first, True), int(sails))
        for second in c.near[first]:
            again = c.is_lane(first, second)
            if second == self.here or (again and c.kind[first] != SEA):
                continue  # from a port one sails only if the coup began there (LM-5.2, LM-5.3)
            if second in self.barred:
                if self.helped and not leaps:
                    self._leap_on(first, second, int(sails or again) if self.one_card else int(sails) + int(again))
                continue
            if second in self.guards and not self._rooms(second, self.here if leaps else first):
                continue
            speed = 0 if self.helped else c.speed_fee
            ahead = int(not self.helped and pushed == {second})  # he could only be pushed ahead
            fees = self._pushes(second, True) + ahead + (0 if leaps else self._pushes(first, False))
            cards = int(sails or again) if leaps or self.one_card else int(sails) + int(again)
            self._end(first, second, speed, fees, cards)

    def _leap_on(self, first: int, over: int, cards: int) -> None:
        """LM-3.4  In company the second step too may pass over a rival."""
        for third in self.c.near[over]:
            sails = self.c.is_lane(over, third) and self.c.kind[over] != SEA
            room = third not in self.guards or self._rooms(third, first)
            if third not in (self.here, first) and third not in self.barred and not sails and room:
                self._end(first, third, 0, 0, cards)

    def _rooms(self, space: int, leaving: int) -> set[int]:
        """Where a gendarme who stands there could be pushed (LM-6.3)."""
        free = {town for town in self.c.roads[space] if town not in self.others | {self.c.bethel}}
        taken = self.guards | self.lone
        return {town for town in free if town not in taken or town == leaving != self.here}  # who was passed is gone

    def _pushes(self, space: int, stops: bool) -> int:
        """How many fees are due there (LM-6.2, LM-6.6)."""
        joins = stops and self.alone
        return int(not self.helped and (space in self.guards or (space in self.met and not joins)))

    def _end(self, first: int, space: int, speed: int, fees: int, cards: int) -> None:
        """A coup may end there if it can be paid."""
        push = self.c.push_fee
        lacking = max(speed + fees * push - self.held, 0)
        bons = -(-lacking // push) if push else lacking  # a voucher pays the fee of a push, never speed (LM-8.4)
        if bons > min(fees, self.passes) or (lacking and not push):
            return
        price = speed + (fees - bons) * push
        territory = self.territories and self.c.kind[space] == GREEN
        fare = Fare(price, bons, 0 if self.exempt else cards, space != first, territory)
        if fare.far:
            self.onward.setdefault(first, {})[space] = fare
        old = self.ends.get(space)
        if old is None or fare.worth() < old.worth():
            self.ends[space] = fare


def boards(c: Components, view: MissionnairesView) -> bool:
    """LM-5.2  Whether a ship may be boarded: after a bonus move the rules offer none in this coup."""
    if view.asked != "Main" or view.options is None:
        return True
    rivals = {c.colours[player.colour]: player.at for player in view.players}
    for verb, *words in map(str.split, view.options):
        first = rivals[words[0]] if verb == "leap" else c.ids.index(words[0]) if verb == "go" else None
        if first is not None and c.kind[first] == SEA:
            return True
    return False
