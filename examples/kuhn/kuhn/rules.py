"""The rules of Kuhn poker, the smallest poker in which bluffing pays (H. W. Kuhn, 1950).

KP-1.1  Two seats play.
KP-1.2  A match is ten deals, or as many as the table agrees on.
KP-1.3  Each seat begins with all the chips that it could lose: an ante and a bet for every deal.
KP-2.1  For a deal each seat antes one chip and gets one of three cards, hidden; the third card belongs to nobody.
KP-2.2  The seats take turns to begin a deal.
KP-3.1  Who is asked first checks or bets one chip; after a check the other seat does the same.
KP-3.2  A deal has one bet at most.
KP-3.3  A bet is answered: by a call, which costs as much, or by a fold.
KP-3.4  Where nobody has bet there is nothing to answer.
KP-4.1  Who folds leaves the pot to the other seat, and no card is shown.
KP-4.2  After a call, or two checks, both cards are shown and the higher one takes the pot.
KP-5.1  The seat with more chips after the last deal wins; with as many each, both do.
"""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.components import ComponentsFile, check
from triclinium.engine.core.event import IMPORTANT, TURNING_POINT, EventType
from triclinium.engine.core.notation import Notation, Verb
from triclinium.engine.core.rng import Rng
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.score import Score, ScoreSheetLine, rank_keys
from triclinium.engine.core.state import EVERYBODY, NOBODY, Draw, Option, Seat, State, Step
from triclinium.engine.core.text import msgid

# -- components: the contents of the box -----------------------------------------------------------------------------


class Components:
    """The values of a components file. A card is its index in the list, so the higher number wins."""

    def __init__(self, file: ComponentsFile) -> None:
        self.ante = file.row("chips").integer("ante")
        self.bet = file.row("chips").integer("bet")
        self.ids = [row.text("id") for row in file.rows("card")]
        self.names = [row.name() for row in file.rows("card")]
        check(self.ante >= 0 and self.bet >= 1, "KP-1.3", "chips", "an ante is not negative, and a bet costs something")
        check(len(self.ids) >= 3, "KP-2.1", "card", "with fewer than three cards a seat would know the other card")


# -- options: the choices of a seat ----------------------------------------------------------------------------------

CHECK: Final = 0
BET: Final = 1
CALL: Final = 2
FOLD: Final = 3

NOTATION: Final = Notation([Verb("check", CHECK, 1), Verb("bet", BET, 1), Verb("call", CALL, 1), Verb("fold", FOLD, 1)])

# -- refusals: the reasons that forbid an option ---------------------------------------------------------------------

ONE_BET: Final = Rule("KP-3.2", "there is a bet already, and a deal has one at most")
ANSWER_IT: Final = Rule("KP-3.3", "there is a bet: call it or fold")
NO_BET: Final = Rule("KP-3.4", "there is no bet to answer")

# -- the state -------------------------------------------------------------------------------------------------------


class Kuhn(State):
    """The state of a match."""

    c: Components
    deals: int
    deal: int  # the number of the current deal, from 1
    cards: list[int]  # the cards of seat 0 and seat 1, then the unused ones; empty between two deals
    chips: list[int]  # the chips of each seat, without those in the pot
    pot: list[int]  # the chips that each seat has put into the pot
    shown: list[int]  # the cards of the last deal, if they were shown
    showdowns: list[int]  # chips that each seat has won or lost by showdowns
    folds: list[int]

    @property
    def first(self) -> Seat:
        """KP-2.2  The seat that begins this deal."""
        return (self.deal - 1) % 2

    def redeal(self, seat: Seat, rng: Rng) -> None:
        """Deal again all cards that this seat does not know. A seat knows its own card only."""
        known = range(self.seats) if seat == EVERYBODY else [seat]
        hidden = sorted(card for place, card in enumerate(self.cards) if place not in known)
        rng.shuffle(hidden)
        self.cards = [card if place in known else hidden.pop() for place, card in enumerate(self.cards)]


# -- events: everything that can happen, with its sentence -----------------------------------------------------------

DEALT: Final = EventType("deal", "Deal {0} begins.")
GOT_CARD: Final = EventType("card", "{who} gets a card.", secret="{who} gets {0:card}.")
ACTS: Final = {
    CHECK: EventType("checks", "{who} checks."),
    BET: EventType("bets", "{who} bets.", weight=IMPORTANT),
    CALL: EventType("calls", "{who} calls.", weight=IMPORTANT),
    FOLD: EventType("folds", "{who} folds.", weight=IMPORTANT),
}
WON: Final = EventType("won", "{who} wins {0} {0:chip|chips}.", weight=TURNING_POINT)
SHOWDOWN: Final = EventType("showdown", "Showdown: {0:card} against {1:card}; {who} wins {2}.", weight=TURNING_POINT)


BETTING: Final = Action("Betting", ("check, bet, call or fold", "KP-3.1"))


# -- the rules: one class for each decision --------------------------------------------------------------------------


class Deal(Draw[Kuhn]):
    """KP-2.1  The deal: each seat antes and gets a card. An outcome is both cards, so that solvers can list them."""

    id: ClassVar[str] = "Deal"

    def outcomes(self, s: Kuhn) -> list[tuple[int, int]]:
        cards = len(s.c.ids)
        return [(a * cards + b, 1) for a in range(cards) for b in range(cards) if a != b]

    def draw(self, s: Kuhn) -> int:
        """Draw by shuffling the whole deck, as at a table."""
        cards = list(range(len(s.c.ids)))
        s.rng.shuffle(cards)
        return cards[0] * len(cards) + cards[1]

    def apply(self, s: Kuhn, o: Option) -> None:
        s.deal += 1
        dealt = list(divmod(o, len(s.c.ids)))
        s.cards = dealt + [card for card in range(len(s.c.ids)) if card not in dealt]
        s.undo_barrier += 1  # chance was drawn, so earlier options cannot be undone
        s.emit(DEALT, NOBODY, (s.deal,), "KP-2.1")
        for seat in range(s.seats):
            stake(s, seat, s.c.ante)
            s.emit(GOT_CARD, seat, (), "KP-2.1", secrets=(s.cards[seat],), readers=1 << seat)
        s.push(Act(s.first))


class Act(Step[Kuhn]):
    """KP-3.1, KP-3.3  The decision to check or bet, or the answer to a bet."""

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

    def question_template(self, s: Kuhn) -> str:
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
    """Move chips from a seat into the pot."""
    s.chips[who] -= chips
    s.pot[who] += chips


def fold(s: Kuhn, winner: Seat) -> None:
    """KP-4.1  Give the pot to the winner without showing cards."""
    s.shown = []
    s.emit(WON, winner, (s.pot[1 - winner],), "KP-4.1")
    take_pot(s, winner, s.folds)


def showdown(s: Kuhn) -> None:
    """KP-4.2  Show both cards and give the pot to the higher one."""
    s.shown = s.cards[:2]
    s.undo_barrier += 1  # cards were revealed
    winner = 0 if s.shown[0] > s.shown[1] else 1
    s.emit(SHOWDOWN, winner, (*s.shown, s.pot[1 - winner]), "KP-4.2")
    take_pot(s, winner, s.showdowns)


def take_pot(s: Kuhn, winner: Seat, account: list[int]) -> None:
    """Give the winner the loser's chips, note the gain in an account, and put the cards back."""
    won = s.pot[1 - winner]
    account[winner] += won
    account[1 - winner] -= won
    s.chips[winner] += sum(s.pot)
    s.pot = [0, 0]
    s.cards = []


def scores(s: Kuhn) -> list[Score]:
    """KP-5.1  Return the scores. Chips are points."""
    start = s.deals * (s.c.ante + s.c.bet)
    totals = [start + s.showdowns[seat] + s.folds[seat] for seat in range(s.seats)]
    rank = rank_keys([(total,) for total in totals])
    return [
        Score(
            seat,
            rank[seat],
            totals[seat],
            [
                ScoreSheetLine("start", start),
                ScoreSheetLine("showdowns", s.showdowns[seat]),
                ScoreSheetLine("folds", s.folds[seat]),
            ],
        )
        for seat in range(s.seats)
    ]
