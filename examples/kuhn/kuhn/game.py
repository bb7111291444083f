"""Kuhn poker, a whole game in one module: the smallest poker in which bluffing pays (H. W. Kuhn, 1950).

KP-1.1  Two seats play.
KP-1.2  A match is ten deals, or as many as the table agrees on.
KP-1.3  Each seat begins with all the chips that it could lose: an ante and a bet for every deal.
KP-2.1  For a deal each seat antes one chip and gets one of three cards, hidden; the third card is nobody's.
KP-2.2  The seats take turns to begin a deal.
KP-3.1  Who is asked first checks or bets one chip; after a check the other seat does the same.
KP-3.2  A deal has one bet at most.
KP-3.3  A bet is answered: by a call, which costs as much, or by a fold.
KP-3.4  Where nobody has bet there is nothing to answer.
KP-4.1  Who folds leaves the pot to the other seat, and no card is shown.
KP-4.2  After a call, or two checks, both cards are shown and the higher one takes the pot.
KP-5.1  Whoever has more chips after the last deal wins; with as many each, both do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Final, TypeAlias

from librt.strings import BytesWriter

from triclinium.engine.core.action import Action
from triclinium.engine.core.components import ComponentsFile, check, read_components
from triclinium.engine.core.encoding import COUNT, ID, WIDE, AttributeTable, Block, Encoding
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.event import MATTERS, TURNING_POINT, EventType
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.observer import Observer, Questions, count, ids, seen_from, wide
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.score import Line, Score, ranks
from triclinium.engine.core.state import NOBODY, Draw, Option, Seat, State, Step
from triclinium.engine.core.text import Message, Name, msgid
from triclinium.engine.core.weights import Weights
from triclinium.engine.game import Game, clockwise
from triclinium.engine.kinds import Face, Kind
from triclinium.engine.variant import Choice, whole
from triclinium.engine.view import ABSENT, ASIDE, BY_SEAT, IS_SEAT, UNTOLD, Label, Ref, View, base
from triclinium.engine.words import Words
from triclinium.i18n.catalog import Domain

DATA: Final = Path(__file__).parent / "data"

# -- components: what is in the box ----------------------------------------------------------------------------------


class Components:
    """A components file as numbers: a card is its place in the list, so that the higher number wins."""

    def __init__(self, file: ComponentsFile) -> None:
        self.ante = file.row("chips").integer("ante")
        self.bet = file.row("chips").integer("bet")
        self.ids = [row.text("id") for row in file.rows("card")]
        self.names = [row.name() for row in file.rows("card")]
        check(self.ante >= 0 and self.bet >= 1, "KP-1.3", "chips", "an ante is not negative, and a bet costs something")
        check(len(self.ids) >= 3, "KP-2.1", "card", "with fewer than three cards a seat would know the other's")


# -- options: what a seat can choose ---------------------------------------------------------------------------------

CHECK: Final = 0
BET: Final = 1
CALL: Final = 2
FOLD: Final = 3

NOTATION: Final = Notation([Verb("check", CHECK, 1), Verb("bet", BET, 1), Verb("call", CALL, 1), Verb("fold", FOLD, 1)])

# -- refusals: why it may not ----------------------------------------------------------------------------------------

ONE_BET: Final = Rule("KP-3.2", "there is a bet already, and a deal has one at most")
ANSWER_IT: Final = Rule("KP-3.3", "there is a bet: call it or fold")
NO_BET: Final = Rule("KP-3.4", "there is no bet to answer")

# -- the state: data, and what is hidden in it -----------------------------------------------------------------------


class Kuhn(State):
    """A match at one moment."""

    c: Components
    deals: int
    deal: int  # the one that is played, from 1
    cards: list[int]  # of seat 0, of seat 1, then those of nobody; none between two deals
    chips: list[int]  # of each seat, without what lies in the pot
    pot: list[int]  # what each seat has put into it
    shown: list[int]  # the cards of the last deal, if they were shown
    showdowns: list[int]  # what each seat has won by them, or lost
    folds: list[int]

    @property
    def first(self) -> Seat:
        """KP-2.2  The seats take turns."""
        return (self.deal - 1) % 2

    def clone(self) -> "Kuhn":
        t = self.copy_base(Kuhn())
        t.c = self.c
        t.deals = self.deals
        t.deal = self.deal
        t.cards = self.cards[:]
        t.chips = self.chips[:]
        t.pot = self.pot[:]
        t.shown = self.shown[:]
        t.showdowns = self.showdowns[:]
        t.folds = self.folds[:]
        return t

    def state_key(self) -> list[int]:
        varying = [len(self.cards), *self.cards, len(self.shown), *self.shown]
        return [self.deals, self.deal, *varying, *self.chips, *self.pot, *self.showdowns, *self.folds]

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """A seat knows its own card. All others are dealt anew."""
        hidden = sorted(card for place, card in enumerate(self.cards) if place != seat)
        rng.shuffle(hidden)
        self.cards = [card if place == seat else hidden.pop() for place, card in enumerate(self.cards)]


# -- events: what happens, each with its sentence ---------------------------------------------------------------------

DEALT: Final = EventType("deal", "Deal {0} begins.")
GOT_CARD: Final = EventType("card", "{who} gets a card.", secret="{who} gets {0:card}.")
ACTS: Final = {
    CHECK: EventType("checks", "{who} checks."),
    BET: EventType("bets", "{who} bets.", weight=MATTERS),
    CALL: EventType("calls", "{who} calls.", weight=MATTERS),
    FOLD: EventType("folds", "{who} folds.", weight=MATTERS),
}
WON: Final = EventType("won", "{who} wins {0} {0:chip|chips}.", weight=TURNING_POINT)
SHOWDOWN: Final = EventType("showdown", "Showdown: {0:card} against {1:card}; {who} wins {2}.", weight=TURNING_POINT)


BETTING: Final = Action("Betting", ("check, bet, call or fold", "KP-3.1"))


# -- the rules: one class a decision ---------------------------------------------------------------------------------


class Deal(Draw[Kuhn]):
    """KP-2.1  Ante, and a card each. It asks nobody; an outcome is both cards, so that the game can be solved."""

    id: ClassVar[str] = "Deal"

    def outcomes(self, s: Kuhn) -> list[tuple[int, int]]:
        cards = len(s.c.ids)
        return [(a * cards + b, 1) for a in range(cards) for b in range(cards) if a != b]

    def draw(self, s: Kuhn) -> int:
        """By a shuffle of the whole deck, as at a table."""
        cards = list(range(len(s.c.ids)))
        s.rng.shuffle(cards)
        return cards[0] * len(cards) + cards[1]

    def apply(self, s: Kuhn, o: Option) -> None:
        s.deal += 1
        dealt = list(divmod(o, len(s.c.ids)))
        s.cards = dealt + [card for card in range(len(s.c.ids)) if card not in dealt]
        s.undo_barrier += 1  # chance was drawn: what came before cannot be taken back
        s.emit(DEALT, NOBODY, (s.deal,), "KP-2.1")
        for seat in range(s.seats):
            stake(s, seat, s.c.ante)
            s.emit(GOT_CARD, seat, (), "KP-2.1", secrets=(s.cards[seat],), readers=1 << seat)
        s.push(Act(s.first))


class Act(Step[Kuhn]):
    """KP-3.1, KP-3.3  Check or bet; or answer a bet."""

    id: ClassVar[str] = "Act"
    action: ClassVar[Action | None] = BETTING

    def candidates(self, s: Kuhn) -> list[Option]:
        return [CHECK, BET, CALL, FOLD]

    def forbids(self, s: Kuhn, o: Option) -> Rule | None:
        if s.pot[0] == s.pot[1]:
            return NO_BET if o in (CALL, FOLD) else None
        if o == BET:
            return ONE_BET
        return ANSWER_IT if o == CHECK else None

    def asks(self, s: Kuhn) -> str:
        return msgid("Check or bet?") if s.pot[0] == s.pot[1] else msgid("Call the bet or fold?")

    def apply(self, s: Kuhn, o: Option) -> None:
        rival = 1 - self.who
        s.emit(ACTS[o], self.who)
        if o in (BET, CALL):
            stake(s, self.who, s.c.bet)
        if o == FOLD:
            fold(s, rival)
        elif o == BET or (o == CHECK and self.who == s.first):
            s.push(Act(rival))
        else:
            showdown(s)


def stake(s: Kuhn, who: Seat, chips: int) -> None:
    """From a seat into the pot."""
    s.chips[who] -= chips
    s.pot[who] += chips


def fold(s: Kuhn, winner: Seat) -> None:
    """KP-4.1  The pot changes hands unseen."""
    s.shown = []
    s.emit(WON, winner, (s.pot[1 - winner],), "KP-4.1")
    take_pot(s, winner, s.folds)


def showdown(s: Kuhn) -> None:
    """KP-4.2  Both cards are shown; the higher one wins."""
    s.shown = s.cards[:2]
    s.undo_barrier += 1  # faces were seen
    winner = 0 if s.shown[0] > s.shown[1] else 1
    s.emit(SHOWDOWN, winner, (*s.shown, s.pot[1 - winner]), "KP-4.2")
    take_pot(s, winner, s.showdowns)


def take_pot(s: Kuhn, winner: Seat, account: list[int]) -> None:
    """What the loser put in is won, and booked; the cards go back."""
    won = s.pot[1 - winner]
    account[winner] += won
    account[1 - winner] -= won
    s.chips[winner] += sum(s.pot)
    s.pot = [0, 0]
    s.cards = []


def scores(s: Kuhn) -> list[Score]:
    """KP-5.1  Chips are points."""
    start = s.deals * (s.c.ante + s.c.bet)
    totals = [start + s.showdowns[seat] + s.folds[seat] for seat in range(s.seats)]
    rank = ranks([(total,) for total in totals])
    return [
        Score(
            seat,
            rank[seat],
            totals[seat],
            [Line("start", start), Line("showdowns", s.showdowns[seat]), Line("folds", s.folds[seat])],
        )
        for seat in range(s.seats)
    ]


# -- the evaluator: what a bot looks at ------------------------------------------------------------------------------

WEIGHTS: Final = Weights(
    names=("chips", "hope"),
    each=[1.0, 1.0],  # in points
    scale=3.0,  # points ahead that make a win 2.7 times as likely
)


class KuhnEvaluator(Evaluator):
    """Bots ask it of worlds that their seat cannot tell from the true one, never of the true one."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Kuhn)
        rivals_below = s.cards[seat] / (len(s.cards) - 1) if s.cards else 0.0
        return [float(s.chips[seat]), sum(s.pot) * rivals_below]

    def progress(self, s: State) -> float:
        assert isinstance(s, Kuhn)
        return (s.deal - 1) / s.deals

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Kuhn)
        return scores(s)


# -- the observer: the same for those who train networks -------------------------------------------------------------


class KuhnObserver(Observer):
    """All that a seat knows, as bytes."""

    def __init__(self, c: Components) -> None:
        cards = len(c.ids)
        self.questions = Questions({"Act": ""})
        self.encoding = Encoding(
            [
                *self.questions.blocks(),
                Block("deal", COUNT, 1, top=10),
                Block("deals", COUNT, 1, top=10),
                Block("first", ID, 1, top=2, of="seat"),
                Block("shown", ID, 2, top=cards, of="card", told="in the last deal, the observer's first"),
            ],
            [
                Block("card", ID, 1, top=cards, of="card"),
                Block("chips", WIDE, 1, top=40),
                Block("pot", COUNT, 1, top=2),
            ],
        )
        self.tables = {"card": AttributeTable(["rank"], [[rank + 1] for rank in range(cards)])}

    def observe(self, s: State, seat: Seat) -> bytes:
        assert isinstance(s, Kuhn)
        me = max(seat, 0)
        row = BytesWriter()
        self.questions.write(row, s, seat)
        count(row, s.deal)
        count(row, s.deals)
        row.append(seen_from(s.first, me, s.seats))
        ids(row, s.shown[me:] + s.shown[:me], 2)
        for who in clockwise(me, s.seats):
            row.append(s.cards[who] + 1 if who == seat and s.cards else 0)
            wide(row, s.chips[who])
            count(row, s.pot[who])
        return row.getvalue()


# -- the view: what a seat may know ----------------------------------------------------------------------------------

Card: TypeAlias = Annotated[int, Ref("card")]  # a number here, its id in JSON


@dataclass(slots=True)
class Held:
    """The card of a seat, if the viewer may see it."""

    card: Card | None


@dataclass(slots=True)
class KuhnView(View):
    """All that pages, the terminal and programs are told."""

    deal: Annotated[int, Label("deal")]
    deals: Annotated[int, Label("of deals")]
    first: Annotated[Seat, IS_SEAT, Label("begins"), UNTOLD]
    chips: Annotated[list[int], BY_SEAT, Label("chips")]
    pot: Annotated[list[int], BY_SEAT, Label("in the pot")]
    shown: Annotated[list[Card], Label("shown in the last deal")]
    card: Annotated[Card | None, ABSENT, ASIDE]  # the viewer's own; the table shows it among the hands
    hands: Annotated[list[Held], BY_SEAT, Label("holds"), UNTOLD]  # none between two deals


# -- words: the same in sentences ------------------------------------------------------------------------------------

LABELS: Final = {CHECK: msgid("Check"), BET: msgid("Bet"), CALL: msgid("Call"), FOLD: msgid("Fold")}


class KuhnWords(Words):
    """Steps bring their questions, events their sentences, rules their refusals; here is what is left."""

    score_lines: Mapping[str, str] = {
        "start": "Chips at the start",
        "showdowns": "Won by showdowns",
        "folds": "Won by folds",
    }

    def __init__(self, c: Components) -> None:
        super().__init__(NOTATION, Domain("kuhn", DATA / "locale"))
        self.names = {"card": c.names}  # what a template means by {0:card}

    def label(self, s: State, o: Option) -> Message:
        return Message(LABELS[o])


# -- kinds: what the board kit draws, and the terminal tells ---------------------------------------------------------

LETTERS: Final = {"jack": Name("J", "letter"), "queen": Name("Q", "letter"), "king": Name("K", "letter")}


def card_kind(c: Components) -> Kind:
    """A card shows its letter in the corner and across, and has a colour of its own."""

    def face(card: int) -> Face:
        letter = LETTERS.get(c.ids[card], str(card + 1))
        return Face(c.names[card], corner=letter, tone=card % 6, art=letter)

    return Kind(c.ids, c.names, "card", face)


# -- the game: all of it together ------------------------------------------------------------------------------------


class KuhnGame(Game):
    """What the outside knows. The entry point in pyproject.toml names `GAME`, at the end."""

    id = "kuhn"
    name = Name("Kuhn poker", "game")
    prefix = "KP"
    seats = (2,)
    variants = (whole("deals", 10, 1, 50, "KP-1.2", Name("How many deals are played.", "variant")),)
    open_scores = True  # they count what has been won, and no card
    bound = 3 * 50  # a check, a bet and its answer in each deal
    usual = 30  # of ten deals
    draws = True

    def __init__(self, file: ComponentsFile) -> None:
        self.components = Components(file)
        self.ids = {"card": self.components.ids}
        observer = KuhnObserver(self.components)
        super().__init__(file, NOTATION, KuhnWords(self.components), KuhnEvaluator(), WEIGHTS, observer)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> Kuhn:
        s = Kuhn()
        s.open(seats, rng, version)
        s.c = self.components
        s.deals = int(variants["deals"])
        s.deal = 0
        s.cards = []
        s.chips = [s.deals * (s.c.ante + s.c.bet)] * seats  # KP-1.3
        s.pot = [0] * seats
        s.shown = []
        s.showdowns = [0] * seats
        s.folds = [0] * seats
        s.push(*[Deal(NOBODY)] * s.deals)  # KP-1.2
        return s

    def round(self, s: State) -> int:
        """A deal."""
        assert isinstance(s, Kuhn)
        return s.deal

    def turn(self, s: State) -> int:
        """KP-3.1  One answer; a deal has three at most: of the first seat, of the other, and to a bet after a check."""
        assert isinstance(s, Kuhn)
        begun = 3 if s.over else 2 if s.who != s.first else 1 if s.pot[0] == s.pot[1] else 3
        return 3 * (s.deal - 1) + begun

    def order(self, s: State) -> tuple[Seat, ...]:
        """KP-2.2"""
        assert isinstance(s, Kuhn)
        return clockwise(s.first, s.seats)

    def kinds(self) -> Mapping[str, Kind]:
        return {"card": card_kind(self.components)}

    def view(self, s: State, seat: Seat | None) -> KuhnView:
        assert isinstance(s, Kuhn)
        return KuhnView(
            *base(s, seat, NOTATION),
            deal=s.deal,
            deals=s.deals,
            first=s.first,
            chips=s.chips[:],
            pot=s.pot[:],
            shown=s.shown[:],
            card=s.cards[seat] if seat is not None and s.cards else None,
            hands=[Held(s.cards[who] if who == seat else None) for who in range(s.seats) if s.cards],
        )


GAME: Final = KuhnGame(read_components(DATA / "components.toml"))
