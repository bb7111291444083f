"""Figs, a tiny complete game that proves the kernel without any real game.

TOY-1  Ten cards, worth 1 to 5, two of each. Each of two or three seats holds three, hidden, and three coins.
TOY-2  On its turn a seat lays a card and pays its value (TOY-2.1 it needs the coins), draws the top card of the pile,
       peeks at it (not twice at the same card, TOY-2.2), or stops. An empty pile gives nothing (TOY-2.3).
TOY-3  After a card is laid each other seat may join, for one coin paid to the one who laid it (TOY-3.1), and scores 1.
TOY-4  After each round a die gives everybody one to three coins; by the second version of the rules one more.
TOY-5  Laid cards count double, coins one each. Who resigns is last, and the match is over.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Final, TypeAlias

from triclinium.engine.core.components import ComponentsFile
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.core.evaluator import Evaluator
from triclinium.engine.core.event import IMPORTANT, Event, EventType
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import ASK, EVERYBODY, MATCH, NOBODY, ROUND, TURN, Draw, Option, Seat, State, Step
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.engine.core.weights import Weights
from triclinium.engine.game import Game
from triclinium.engine.game_text import GameText, TableNote
from triclinium.engine.variant import Choice, Variant, number_variant
from triclinium.engine.view import OMIT_NONE, Ref, View, base_fields
from triclinium.i18n.catalog import Domain

SHEET: Final = """
[game]
hand = 3
coins = 3
card_values = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
"""

LOCALE: Final = Domain("figs", Path(__file__).parent / "toy_locale")

LAY: Final = 0
DRAW: Final = 16
PEEK: Final = 17
STOP: Final = 18
JOIN: Final = 20
RESIGN: Final = 24

NEEDS_COINS: Final = Rule("TOY-2.1", "{0:fig} costs {1} {1:coin|coins}, you have {2}")
SEEN_ALREADY: Final = Rule("TOY-2.2", "you have seen the top card")
PILE_EMPTY: Final = Rule("TOY-2.3", "the pile is empty")
NO_COIN: Final = Rule("TOY-3.1", "joining costs a coin")

DREW: Final = EventType("drew", "{who} drew a card", secret="{who} drew {0:fig}")
PEEKED: Final = EventType("peeked", "{who} looked at the top card")
WAGES: Final = EventType("wages", "everybody gets {0} {0:coin|coins}", weight=IMPORTANT)


class Toy(State):
    """The state of a match of Figs."""

    values: list[int]
    pile: list[int]  # the last card is on top
    top_known: int  # the seats that have looked at the top card, as a bit set
    hands: list[int]  # the hand of each seat as a bit set
    laid: list[int]  # the laid cards of each seat as a bit set
    coins: list[int]
    joined: list[int]
    rounds_left: int
    gone: Seat

    def clone(self) -> "Toy":
        t = self.copy_base(Toy())
        t.values = self.values
        t.pile = self.pile[:]
        t.top_known = self.top_known
        t.hands = self.hands[:]
        t.laid = self.laid[:]
        t.coins = self.coins[:]
        t.joined = self.joined[:]
        t.rounds_left = self.rounds_left
        t.gone = self.gone
        return t

    def state_key(self) -> list[int]:
        lists = (*self.hands, *self.laid, *self.coins, *self.joined)
        return [len(self.pile), *self.pile, self.top_known, *lists, self.rounds_left, self.gone]

    def period(self) -> tuple[int, int]:
        asked = self.stack[-1] if self.stack else None
        return (self.rounds_left, asked.host if isinstance(asked, Join) else self.who)

    def redeal(self, seat: Seat, rng: Rng) -> None:
        others = [other for other in range(self.seats) if other != seat and seat != EVERYBODY]
        known = self.top_known != 0 if seat == EVERYBODY else seat != NOBODY and self.top_known >> seat & 1 == 1
        kept = 1 if known else 0
        hidden = self.pile[: len(self.pile) - kept]
        counts = [len(cards(self.hands[other])) for other in others]
        for other in others:
            hidden += cards(self.hands[other])
        hidden.sort()  # so that the deal depends only on what the seat knows and on the generator
        rng.shuffle(hidden)
        for other, count in zip(others, counts, strict=True):
            self.hands[other] = sum(1 << hidden.pop() for _ in range(count))
        self.pile = hidden + self.pile[len(self.pile) - kept :]


def cards(mask: int) -> list[int]:
    """Return the members of a bit set in ascending order."""
    return [card for card in range(mask.bit_length()) if mask >> card & 1]


class Turn(Step[Toy]):
    """TOY-2  Lay, draw, peek or stop."""

    id: ClassVar[str] = "Turn"
    question: ClassVar[str] = "what do you do on your turn?"

    def applies(self, s: Toy) -> bool:
        return bool(s.pile) or s.hands[self.who] != 0

    def candidates(self, s: Toy) -> list[Option]:
        return [*(LAY + card for card in cards(s.hands[self.who])), DRAW, PEEK, STOP]

    def forbids(self, s: Toy, o: Option) -> Rule | None:
        if o < DRAW:
            return NEEDS_COINS if s.values[o] > s.coins[self.who] else None
        if o != STOP and not s.pile:
            return PILE_EMPTY
        return SEEN_ALREADY if o == PEEK and s.top_known >> self.who & 1 else None

    def rule_parameters(self, s: Toy, o: Option, rule: Rule) -> tuple[int, ...]:
        return (o - LAY, s.values[o - LAY], s.coins[self.who]) if rule is NEEDS_COINS else ()

    def forced_option(self, s: Toy, legal: list[Option]) -> Option:
        return ASK  # whether a card can be laid depends on a hidden hand

    def apply(self, s: Toy, o: Option) -> None:
        who = self.who
        if o < DRAW:
            s.hands[who] ^= 1 << o
            s.laid[who] ^= 1 << o
            s.coins[who] -= s.values[o]
            s.push(*(Join((who + i) % s.seats, who) for i in range(1, s.seats)))
        elif o == DRAW:
            s.undo_barrier += 1 - (s.top_known >> who & 1)
            s.top_known = 0
            card = s.pile.pop()
            s.hands[who] |= 1 << card
            s.emit(DREW, who, (), "TOY-2", (card,), 1 << who)
        elif o == PEEK:
            s.undo_barrier += 1
            s.top_known |= 1 << who
            s.emit(PEEKED, who, (), "TOY-2")


class Join(Step[Toy]):
    """TOY-3  Another seat may join in, for a coin."""

    id: ClassVar[str] = "Join"
    question: ClassVar[str] = "do you join {0:seat}?"
    auto_reply_text: ClassVar[str] = "join nobody"
    auto_reply_spans: ClassVar[tuple[str, ...]] = (TURN, ROUND, MATCH)

    def __init__(self, who: Seat, host: Seat) -> None:
        super().__init__(who)
        self.host: Final = host

    def fields(self) -> tuple[int, ...]:
        return (self.host,)

    def question_parameters(self, s: Toy) -> tuple[int, ...]:
        return (self.host,)

    def candidates(self, s: Toy) -> list[Option]:
        return [JOIN, JOIN + 1]

    def forbids(self, s: Toy, o: Option) -> Rule | None:
        return NO_COIN if o > JOIN and s.coins[self.who] == 0 else None

    def auto_reply_option(self, s: Toy) -> Option:
        return JOIN

    def apply(self, s: Toy, o: Option) -> None:
        paid = o - JOIN
        s.coins[self.who] -= paid
        s.coins[self.host] += paid
        s.joined[self.who] += paid


class Resign(Step[Toy]):
    """TOY-5  A seat may resign at any moment, which ends the match."""

    id: ClassVar[str] = "Resign"

    def candidates(self, s: Toy) -> list[Option]:
        return [RESIGN + self.who]

    def apply(self, s: Toy, o: Option) -> None:
        s.gone = self.who
        s.stack.clear()


class Wages(Draw[Toy]):
    """TOY-4  A die pays all seats. Then the next round begins, if there is one."""

    id: ClassVar[str] = "Wages"

    def outcomes(self, s: Toy) -> list[tuple[int, int]]:
        return [(die, 1) for die in range(3)]

    def apply(self, s: Toy, o: Option) -> None:
        die = o + (2 if s.version >= 2 else 1)
        s.undo_barrier += 1
        s.coins = [coins + die for coins in s.coins]
        s.rounds_left -= 1
        s.emit(WAGES, NOBODY, (die,), "TOY-4")
        if s.rounds_left:
            play_round(s)


def play_round(s: Toy) -> None:
    """Give each seat a turn, then let the die pay."""
    s.push(*(Turn(seat) for seat in range(s.seats)), Wages(NOBODY))


Card: TypeAlias = Annotated[int, Ref("fig")]


@dataclass(slots=True)
class ToyView(View):
    """The view of the facts that a seat may know in Figs."""

    pile: int
    top_known: int
    laid: list[int]
    coins: list[int]
    joined: list[int]
    rounds_left: int
    gone: Seat
    hands: list[int]
    hand: Annotated[list[Card] | None, OMIT_NONE]
    top: Card | None


def view(s: Toy, seat: Seat | None) -> ToyView:
    """Return the facts that a seat may know."""
    viewer = NOBODY if seat is None else seat
    return ToyView(
        *base_fields(s, seat, TOY.notation),
        pile=len(s.pile),
        top_known=s.top_known,
        laid=s.laid[:],
        coins=s.coins[:],
        joined=s.joined[:],
        rounds_left=s.rounds_left,
        gone=s.gone,
        hands=[len(cards(hand)) for hand in s.hands],
        hand=cards(s.hands[viewer]) if viewer != NOBODY else None,
        top=s.pile[-1] if viewer != NOBODY and s.top_known >> viewer & 1 else None,
    )


def scores(s: Toy) -> list[Score]:
    """TOY-5  Return the totals: laid cards twice, coins, and a point for each joining."""
    lines = [
        [
            ScoreSheetLine("laid", 2 * sum(s.values[card] for card in cards(s.laid[seat]))),
            ScoreSheetLine("coins", s.coins[seat]),
            ScoreSheetLine("joined", s.joined[seat]),
        ]
        for seat in range(s.seats)
    ]
    totals = [sum(line.points for line in sheet) for sheet in lines]
    rank = rank_keys([(int(seat != s.gone), totals[seat]) for seat in range(s.seats)])
    return [Score(seat, rank[seat], totals[seat], lines[seat]) for seat in range(s.seats)]


class ToyEvaluator(Evaluator):
    """The features of a position of Figs for bots."""

    def features(self, s: State, seat: Seat) -> list[float]:
        assert isinstance(s, Toy)
        return [float(s.coins[seat]), float(len(cards(s.laid[seat])))]

    def progress(self, s: State) -> float:
        assert isinstance(s, Toy)
        return 1.0 / (1.0 + s.rounds_left)

    def scores(self, s: State) -> list[Score]:
        assert isinstance(s, Toy)
        return scores(s)


class ToyWords(GameText):
    """The texts of Figs."""

    score_lines: Mapping[str, str] = {"laid": "laid figs", "coins": "coins kept", "joined": "joined"}
    feature_words: Mapping[str, tuple[str, str]] = {
        "coins": ("{0} more {0:coin|coins}", "{0} fewer {0:coin|coins}"),
        "laid": ("more figs", "fewer figs"),
    }

    def label(self, s: State, o: Option) -> Message:
        return Message("{who}: {0}", self.notation.format_option(o), who=s.who)

    def event_message(self, event: Event, viewer: Seat) -> Message | None:
        if event.kind in ("chosen", "forced", "aside"):
            return Message("{who}: {0}", self.notation.format_option(event.facts[0]), who=event.seat)
        return super().event_message(event, viewer)

    def name_of(self, kind: str, number: int) -> Arg:
        return Message("fig {0}", number)

    def table_notes(self, view: ToyView) -> list[TableNote]:
        return [TableNote(Message("{0}: {1}", Message("coins kept"), str(view.coins)))]


class Figs(Game):
    """The game object of Figs."""

    id = "figs"
    name = Name("Figs", "game")
    prefix = "TOY"
    seats = (2, 3)
    versions: tuple[int, ...] = (1,)
    has_open_scores = True
    variants = (
        Variant("gift", (False, True), "TOY-R1", Name("two coins more at the start", "variant")),
        number_variant("rounds", 4, 2, 9, "TOY-R2", Name("how many rounds", "variant")),
    )
    max_decisions = 9 * 9

    def __init__(self, file: ComponentsFile) -> None:
        game = file.row("game")
        self.hand = game.integer("hand")
        self.coins = game.integer("coins")
        self.values = game.integers("card_values")
        verbs = [
            Verb("lay", LAY, 16, [f"c{card}" for card in range(len(self.values))]),
            Verb("draw", DRAW, 1),
            Verb("peek", PEEK, 1),
            Verb("stop", STOP, 1),
            Verb("join", JOIN, 2, ["no", "yes"]),
            Verb("resign", RESIGN, 3, [str(seat) for seat in range(max(self.seats))]),
        ]
        notation = Notation(verbs)
        self.ids = {"fig": [f"c{card}" for card in range(len(self.values))]}
        weights = Weights(("coins", "laid"), [1.0, 4.0], 4.0)
        super().__init__(file, notation, ToyWords(notation, LOCALE), ToyEvaluator(), weights)

    def view(self, s: State, seat: Seat | None) -> ToyView:
        assert isinstance(s, Toy)
        return view(s, seat)

    def check_variants(self, seats: int, variants: Mapping[str, Choice]) -> None:
        rounds = variants["rounds"]
        if seats == 3 and isinstance(rounds, int) and rounds > 6:
            raise BadSetup(f"{rounds} rounds are too many for 3 seats (TOY-R2)")

    def start(self, seats: int, rng: Rng, variants: Mapping[str, Choice], version: int) -> State:
        s = Toy()
        s.initialize(seats, rng, version)
        s.values = self.values
        s.pile = list(range(len(self.values)))
        s.rng.shuffle(s.pile)
        s.top_known = 0
        s.hands = [sum(1 << s.pile.pop() for _ in range(self.hand)) for _ in range(seats)]
        s.laid = [0] * seats
        s.coins = [self.coins + (2 if variants["gift"] else 0)] * seats
        s.joined = [0] * seats
        s.rounds_left = int(variants["rounds"])
        s.gone = NOBODY
        s.anytime = [Resign(seat) for seat in range(seats)]
        play_round(s)
        return s


TOY: Final = Figs(ComponentsFile(SHEET, "figs.toml"))
