"""All parts of Kuhn poker above the rules: evaluator, observer, view, texts, appearance and the game itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from librt.strings import BytesWriter

from kuhn.rules import BET, CALL, CHECK, FOLD, NOTATION, Components, Deal, Kuhn, scores
from triclinium.engine.component_kinds import CardFace, ComponentKind
from triclinium.engine.core.components import ComponentsFile, read_components
from triclinium.engine.core.encoding import COUNT, ID, WIDE, AttributeTable, CellBlock, Encoding
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.observer import (
    Observer,
    QuestionEncoder,
    relative_seat,
    write_count,
    write_id_list,
    write_wide,
)
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.score import Score
from triclinium.engine.core.state import NOBODY, Option, Seat, State
from triclinium.engine.core.text import Message, Name, msgid
from triclinium.engine.core.weights import Weights
from triclinium.engine.game import Game, list_seats_clockwise
from triclinium.engine.game_text import GameText
from triclinium.engine.variant import Choice, number_variant
from triclinium.engine.view import (
    HEAP,
    IS_SEAT,
    NOT_DRAWN,
    NOT_IN_PREVIEW,
    OMIT_NONE,
    PER_SEAT,
    Label,
    OutOf,
    Ref,
    View,
    base_fields,
)
from triclinium.i18n.catalog import Domain

DATA: Final = Path(__file__).parent / "data"

# -- the evaluator: features for bots --------------------------------------------------------------------------------

WEIGHTS: Final = Weights(
    names=("chips", "hope"),
    values=[1.0, 1.0],  # points for each unit of a feature
    scale=3.0,  # lead in points that makes a win 2.7 times as likely
)


class KuhnEvaluator(Evaluator):
    """The evaluator of Kuhn poker. Bots call it with possible worlds, never with the true state."""

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


# -- the observer: features for neural networks ----------------------------------------------------------------------


class KuhnObserver(Observer):
    """The observer: it writes all that a seat knows as bytes."""

    def __init__(self, c: Components) -> None:
        cards = len(c.ids)
        self.questions = QuestionEncoder({"Act": ""})
        self.encoding = Encoding(
            [
                *self.questions.blocks(),
                CellBlock("deal", COUNT, 1, top=10),
                CellBlock("deals", COUNT, 1, top=10),
                CellBlock("first", ID, 1, top=2, id_table="seat"),
                CellBlock("shown", ID, 2, top=cards, id_table="card", note="in the last deal, the observer's first"),
            ],
            [
                CellBlock("card", ID, 1, top=cards, id_table="card"),
                CellBlock("chips", WIDE, 1, top=40),
                CellBlock("pot", COUNT, 1, top=2),
            ],
        )
        self.tables = {"card": AttributeTable(["rank"], [[rank + 1] for rank in range(cards)])}

    def write(self, row: BytesWriter, s: State, seat: Seat) -> None:
        assert isinstance(s, Kuhn)
        me = max(seat, 0)
        self.questions.write(row, s, seat)
        write_count(row, s.deal)
        write_count(row, s.deals)
        row.append(relative_seat(s.first, me, s.seats))
        write_id_list(row, s.shown[me:] + s.shown[:me], 2)
        for who in list_seats_clockwise(me, s.seats):
            row.append(s.cards[who] + 1 if who == seat and s.cards else 0)
            write_wide(row, s.chips[who])
            write_count(row, s.pot[who])


# -- the view: information that a seat may have ----------------------------------------------------------------------

Card: TypeAlias = Annotated[int, Ref("card")]  # a number in Python, an id in JSON


@dataclass(slots=True)
class Held:
    """The card of a seat, if the viewer may see it."""

    card: Card | None


@dataclass(slots=True)
class KuhnView(View):
    """The view for pages, the terminal and the API."""

    deal: Annotated[int, Label("deal"), OutOf("deals")]
    deals: Annotated[int, NOT_DRAWN]
    first: Annotated[Seat, IS_SEAT, Label("begins"), NOT_IN_PREVIEW]
    chips: Annotated[list[int], PER_SEAT, Label("chips")]
    pot: Annotated[list[int], PER_SEAT, HEAP, Label("in the pot")]
    shown: Annotated[list[Card], Label("shown in the last deal")]
    # the viewer's own card; the board kit shows it in `hands` instead
    card: Annotated[Card | None, OMIT_NONE, NOT_DRAWN]
    hands: Annotated[list[Held], PER_SEAT, Label("holds"), NOT_IN_PREVIEW]  # empty between two deals


# -- texts: labels and names -----------------------------------------------------------------------------------------

LABELS: Final = {CHECK: msgid("Check"), BET: msgid("Bet"), CALL: msgid("Call"), FOLD: msgid("Fold")}


class KuhnWords(GameText):
    """The texts of Kuhn poker that steps, events and rules do not define themselves."""

    score_lines: Mapping[str, str] = {
        "start": "Chips at the start",
        "showdowns": "Won by showdowns",
        "folds": "Won by folds",
    }

    def __init__(self, c: Components) -> None:
        super().__init__(NOTATION, Domain("kuhn", DATA / "locale"))
        self.names = {"card": c.names}  # the names for {0:card} in templates

    def label(self, s: State, o: Option) -> Message:
        return Message(LABELS[o])


# -- component kinds: appearance for the board kit and the terminal --------------------------------------------------

LETTERS: Final = {"jack": Name("J", "letter"), "queen": Name("Q", "letter"), "king": Name("K", "letter")}


def card_kind(c: Components) -> ComponentKind:
    """Return the kind of the cards. Each shows its letter in the corner and across its face, in its own colour."""

    def face(card: int) -> CardFace:
        letter = LETTERS.get(c.ids[card], str(card + 1))
        return CardFace(c.names[card], corner=letter, tone=card % 6, art=letter)

    return ComponentKind(c.ids, c.names, "card", face)


# -- the game --------------------------------------------------------------------------------------------------------


class KuhnGame(Game):
    """Kuhn poker as a game of the platform. The entry point in pyproject.toml names `GAME` below."""

    id = "kuhn"
    name = Name("Kuhn poker", "game")
    prefix = "KP"
    seats = (2,)
    variants = (number_variant("deals", 10, 1, 50, "KP-1.2", Name("How many deals are played.", "variant")),)
    has_open_scores = True  # scores count chips that were won, which are public
    max_decisions = 3 * 50  # at most three decisions in a deal: a check, a bet and an answer
    usual_decisions = 30  # for ten deals
    has_listed_chance = True

    def __init__(self, file: ComponentsFile) -> None:
        self.components = Components(file)
        self.ids = {"card": self.components.ids}
        observer = KuhnObserver(self.components)
        super().__init__(file, NOTATION, KuhnWords(self.components), KuhnEvaluator(), WEIGHTS, observer)

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> Kuhn:
        s = Kuhn()
        s.initialize(seats, rng, version)
        s.c = self.components
        s.deals = int(variants["deals"])
        s.deal = 0
        s.cards = []
        s.chips = [s.deals * (s.c.ante + s.c.bet)] * seats  # KP-1.3
        s.pot = [0] * seats
        s.shown = []
        s.showdowns = [0] * seats
        s.folds = [0] * seats
        s.push_all([Deal(NOBODY)] * s.deals)  # KP-1.2
        return s

    def round(self, s: State) -> int:
        """Return the number of the current deal, because a round is a deal."""
        assert isinstance(s, Kuhn)
        return s.deal

    def turn(self, s: State) -> int:
        """KP-3.1  Return the number of the current turn. A turn is one answer, and a deal has three at most."""
        assert isinstance(s, Kuhn)
        begun = 3 if s.over else 2 if s.who != s.first else 1 if s.pot[0] == s.pot[1] else 3
        return 3 * (s.deal - 1) + begun

    def order(self, s: State) -> tuple[Seat, ...]:
        """KP-2.2  Return the seats in the order of this deal."""
        assert isinstance(s, Kuhn)
        return list_seats_clockwise(s.first, s.seats)

    def kinds(self) -> Mapping[str, ComponentKind]:
        return {"card": card_kind(self.components)}

    def view(self, s: State, seat: Seat | None) -> KuhnView:
        assert isinstance(s, Kuhn)
        return KuhnView(
            *base_fields(s, seat, NOTATION),
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
