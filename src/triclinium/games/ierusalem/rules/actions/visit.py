"""Visits to Apostle columns, appreciations of the Apostles (IE-2.7 to IE-2.14), and the Illumination tile (IE-2.5)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.cards import discard_column
from triclinium.games.ierusalem.rules.actions.supper import Swap, can_swap, find_going_obstacle, leave_for_supper
from triclinium.games.ierusalem.rules.constants import ORANGE, PURPLE, WHITE, list_members
from triclinium.games.ierusalem.rules.events import (
    APPRECIATED,
    COUNTED,
    SEATED,
    TWELVE_SEATED,
    VISITED,
    VISITED_BY_FAVORS,
)
from triclinium.games.ierusalem.rules.impossible_actions import emit_obstacle
from triclinium.games.ierusalem.rules.refusals import (
    FAVORS_LACK,
    NO_INVITATION,
    NO_ORANGE,
    NO_SWAP,
    NOT_WAITING,
    ORANGE_ONLY,
    SEAT_TAKEN,
    TOO_MANY_CARDS,
    WRONG_ORDER,
)
from triclinium.games.ierusalem.rules.scoring import count_seat_points
from triclinium.games.ierusalem.rules.state import FROM_ORANGE, FROM_VISITS, Ierusalem
from triclinium.games.ierusalem.rules.verbs import APPRECIATE, BRING, SCORE, SEAT, SKIP, VISIT

MATCHES: Final = -1  # The results of `find_visit_shortfall` that are not a Location
OUT_OF_ORDER: Final = -2
TOO_MANY: Final = -3


def find_visit_shortfall(s: Ierusalem, who: Seat, cards: bytes, apostles: int) -> int:
    """IE-R4  Return MATCHES, TOO_MANY or OUT_OF_ORDER for the cards, or the Location of a missing Favor."""
    n = len(cards)
    if n > s.c.visit_symbols:
        return TOO_MANY
    location = s.c.card_location
    symbols = s.symbols
    used = 0
    needed = 0  # number of Favors needed of each Location, two bits each
    for i in range(apostles * 3, apostles * 3 + 3):
        symbol = symbols[i]
        if used < n and location[cards[used]] == symbol:
            used += 1
        else:
            needed += 1 << (symbol * 2)
    if used < n:
        return OUT_OF_ORDER
    place = 0
    while needed:
        if (needed & 3) > s.received[who * 5 + place]:
            return place
        needed >>= 2
        place += 1
    return MATCHES


class Visit(Step[Ierusalem]):
    """IE-2.7  Choice of an Apostle column to visit, with one of the player's columns and received Favors, or none."""

    id: ClassVar[str] = "Visit"
    action: ClassVar[Action | None] = stages.VISIT
    question: ClassVar[str] = "Visit an Apostle column?"

    def _list_source_cards(self, s: Ierusalem, source: int) -> bytes:
        return s.columns[self.who * 3 + source - 1] if source > 0 else b""

    def candidates(self, s: Ierusalem) -> list[Option]:
        options = [SKIP]
        for source in range(4):
            if source == 0 or len(self._list_source_cards(s, source)) > 0:  # An empty column is the same as no column.
                first = VISIT + source * 3
                options.extend([first, first + 1, first + 2])
        return options

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        if o == SKIP:
            return None
        source, apostles = divmod(o - VISIT, 3)
        answer = find_visit_shortfall(s, self.who, self._list_source_cards(s, source), apostles)
        if answer == MATCHES:
            return None
        return TOO_MANY_CARDS if answer == TOO_MANY else WRONG_ORDER if answer == OUT_OF_ORDER else FAVORS_LACK

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        source, apostles = divmod(o - VISIT, 3)
        cards = self._list_source_cards(s, source)
        if rule is TOO_MANY_CARDS:
            return (len(cards),)
        return (apostles + 1,) if rule is WRONG_ORDER else (find_visit_shortfall(s, self.who, cards, apostles),)

    def options(self, s: Ierusalem) -> list[Option]:
        who = self.who
        five = who * 5
        got = s.received
        favors = got[five] + got[five + 1] + got[five + 2] + got[five + 3] + got[five + 4]
        legal = [SKIP]
        for source in range(4):
            cards = self._list_source_cards(s, source)
            n = len(cards)
            if n > 3 or n + favors < 3 or (n == 0 and source > 0):
                continue
            for apostles in range(3):
                if find_visit_shortfall(s, who, cards, apostles) == MATCHES:
                    legal.append(VISIT + source * 3 + apostles)
        return legal

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == SKIP:
            return
        source, apostles = divmod(o - VISIT, 3)
        if source > 0:
            s.emit(VISITED, self.who, (apostles + 1, source), "IE-2.7")
        else:
            s.emit(VISITED_BY_FAVORS, self.who, (apostles + 1,), "IE-2.7")
        s.stack.append(EndVisit(self.who, source, apostles))
        if s.waiting[apostles]:
            s.stack.append(Bring(self.who, apostles))


class Bring(Step[Ierusalem]):
    """IE-2.10  The choice of the Apostle who comes to the table. Apostles of one colour are equivalent."""

    id: ClassVar[str] = "Bring"
    action: ClassVar[Action | None] = stages.VISIT
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Which Apostle do you bring to the table?"

    def __init__(self, who: Seat, apostles: int) -> None:
        super().__init__(who)
        self.apostles: Final = apostles

    def fields(self) -> tuple[int, ...]:
        return (self.apostles,)

    def find_first_apostle(self, s: Ierusalem, shade: int) -> int:
        """Return the first Apostle of a colour who waits in the column, or -1."""
        for apostle in list_members(s.waiting[self.apostles], 0):
            if s.c.shade[apostle] == shade:
                return apostle
        return -1

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [BRING, BRING + 1, BRING + 2, BRING + 3]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return NOT_WAITING if self.find_first_apostle(s, o - BRING) < 0 else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - BRING,)

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.stack.append(SeatApostle(self.who, self.apostles, self.find_first_apostle(s, o - BRING)))


class SeatApostle(Step[Ierusalem]):
    """IE-2.10  The choice of an empty seat for the Apostle, whose appreciation follows."""

    id: ClassVar[str] = "SeatApostle"
    action: ClassVar[Action | None] = stages.VISIT
    stage: ClassVar[int] = 3
    question: ClassVar[str] = "Where do you seat {0:apostle}?"

    def __init__(self, who: Seat, apostles: int, apostle: int) -> None:
        super().__init__(who)
        self.apostles: Final = apostles
        self.apostle: Final = apostle

    def fields(self) -> tuple[int, ...]:
        return (self.apostles, self.apostle)

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        return (self.apostle,)

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [*range(SEAT, SEAT + len(s.seated))]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return SEAT_TAKEN if s.seated[o - SEAT] >= 0 else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return (s.seated[o - SEAT],)

    def apply(self, s: Ierusalem, o: Option) -> None:
        seat = o - SEAT
        s.seated = replace_item(s.seated, seat, self.apostle)
        s.waiting = replace_item(s.waiting, self.apostles, s.waiting[self.apostles] & ~(1 << self.apostle))
        if s.events is not None:
            s.emit(SEATED, self.who, (self.apostle, seat), "IE-2.10")
        if s.are_all_seated():
            s.has_judgments = False  # IE-R8: the tiles go before the appreciation.
            s.emit(TWELVE_SEATED, self.who, (), "IE-2.14")
        apply_appreciation(s, self.who, s.c.shade[self.apostle], seat)


def apply_appreciation(s: Ierusalem, who: Seat, shade: int, seat: int) -> None:
    """IE-2.10  Apply an appreciation: purple invites, orange scores, white swaps, Judas pays."""
    if shade == PURPLE:
        emit_obstacle(s, who, find_going_obstacle(s, who, True))
        step = leave_for_supper(s, who, True)
        if step is not None:
            s.stack.append(step)
    elif shade == ORANGE:
        for scorer in range(s.seats):
            if scorer == who or s.orange_scores_all:  # IE-R3
                points = count_seat_points(s, scorer, seat)
                if points != 0:
                    s.score_points(scorer, points, FROM_ORANGE, "IE-2.10")
    elif shade == WHITE:
        s.stack.append(Swap(who))
    else:
        s.receive_denarii(who, s.c.judas_denarii, "IE-2.10")


class EndVisit(Step[Ierusalem]):
    """IE-2.12, IE-2.13  The end of a visit: the Apostle VP of the cards are scored; cards and Favors leave."""

    id: ClassVar[str] = "EndVisit"

    def __init__(self, visitor: Seat, source: int, apostles: int) -> None:
        super().__init__(NOBODY)
        self.visitor: Final = visitor
        self.source: Final = source
        self.apostles: Final = apostles

    def fields(self) -> tuple[int, ...]:
        return (self.visitor, self.source, self.apostles)

    def run(self, s: Ierusalem) -> None:
        c = s.c
        who = self.visitor
        cards = s.columns[who * 3 + self.source - 1] if self.source > 0 else b""
        points = 0
        used = 0
        for symbol in s.symbols[self.apostles * 3 : self.apostles * 3 + 3]:
            if used < len(cards) and c.card_location[cards[used]] == symbol:
                points += c.card_vp[cards[used]]
                used += 1
            else:
                s.received[who * 5 + symbol] -= 1
        if points:
            s.score_points(who, points, FROM_VISITS, "IE-2.12")
        if self.source > 0:
            discard_column(s, who, self.source - 1)


class Appreciation(Step[Ierusalem]):
    """IE-2.5  The choice of the appreciation that the Illumination tile gives."""

    id: ClassVar[str] = "Appreciation"
    action: ClassVar[Action | None] = stages.ILLUMINATION
    question: ClassVar[str] = "Which Apostle’s appreciation does the Illumination tile give you?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [APPRECIATE, APPRECIATE + 1, APPRECIATE + 2, APPRECIATE + 3]

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        shade = o - APPRECIATE
        if shade == PURPLE:
            return NO_INVITATION if leave_for_supper(s, self.who, True) is None else None
        if shade == ORANGE:
            for apostle in s.seated:
                if apostle >= 0 and s.c.shade[apostle] == ORANGE:
                    return None
            return NO_ORANGE
        if shade == WHITE:
            return None if can_swap(s, self.who) else NO_SWAP
        return None

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.emit(APPRECIATED, self.who, (o - APPRECIATE,), "IE-2.5")
        s.illumination = replace_item(s.illumination, self.who, 0)
        if o - APPRECIATE == ORANGE:
            s.stack.append(ScoreOrange(self.who))
        else:
            apply_appreciation(s, self.who, o - APPRECIATE, -1)


class ScoreOrange(Step[Ierusalem]):
    """IE-2.5  The choice of a seated orange Apostle to score."""

    id: ClassVar[str] = "ScoreOrange"
    action: ClassVar[Action | None] = stages.ILLUMINATION
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Which orange Apostle is scored?"

    def candidates(self, s: Ierusalem) -> list[Option]:
        return sorted([SCORE + apostle for apostle in s.seated if apostle >= 0])

    def forbids(self, s: Ierusalem, o: Option) -> Rule | None:
        return ORANGE_ONLY if s.c.shade[o - SCORE] != ORANGE else None

    def rule_parameters(self, s: Ierusalem, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - SCORE,)

    def apply(self, s: Ierusalem, o: Option) -> None:
        s.emit(COUNTED, self.who, (o - SCORE,), "IE-2.5")
        apply_appreciation(s, self.who, ORANGE, s.seated.index(o - SCORE))
