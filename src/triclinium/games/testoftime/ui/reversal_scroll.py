"""Drawing data of Reverse Time: the past of a Testament, and the outcome of every number that can be chosen."""

from dataclasses import dataclass
from typing import Final

from triclinium.games.testoftime.rules.actions.reverse import count_shamans_for
from triclinium.games.testoftime.rules.components import Components
from triclinium.games.testoftime.ui.testament_columns import TestamentColumn
from triclinium.games.testoftime.ui.view import (
    BroughtShamans,
    Focus,
    MetFollowers,
    PastRound,
    PendingPrice,
    Testament,
    TestamentSpace,
    TestOfTimeView,
)

SCROLL_LEFT: Final = 132  # left edge of the cards on the papyrus of a reversal
SCROLL_RIGHT: Final = 718
HAND_CARD_WIDTH: Final = 190  # width of the card for the current record


class PastRoundCard:
    """A card of one round on the papyrus of Reverse Time."""

    def __init__(self, x: float, w: float, record: PastRound, left: int, option: str) -> None:
        self.x = round(x, 1)
        self.w = round(w, 1)
        self.middle = round(w / 2, 1)
        self.round = record.round
        self.preserved = record.preserved
        self.strips = record.strips
        self.by = record.by
        self.left = left  # sections left after that round, with changes made so far
        self.option = option
        self.now = False  # always False, because every card is past
        self.dead = 0  # shamans that die if the reversal goes back to this round
        self.state = "later"  # "gone", "hand" or "later"


class ReversalScroll:
    """A scroll with the past of one Testament, as it was and as it is being rewritten."""

    def __init__(self, c: Components, view: TestOfTimeView, focus: Focus) -> None:
        seen = find_focused_space(view, focus)
        assert isinstance(seen, Testament)
        assert view.who is not None
        reversal = view.reversal
        final = view.rounds - seen.since
        self.seat = focus.seat
        self.name = c.names[seen.kind]
        self.own = focus.seat == view.who
        self.size = c.size[seen.kind]
        self.before = seen.visible
        self.column = TestamentColumn(c, seen.kind, self.before)
        self.points = c.dots[seen.kind][self.before] * final
        self.visible = self.before if reversal is None else reversal.visible
        self.rewritten = None if reversal is None else TestamentColumn(c, seen.kind, self.visible)
        self.price = 0 if reversal is None else reversal.price
        self.now = c.dots[seen.kind][self.visible] * final
        self.cards: list[PastRoundCard] = []
        self.hand: PastRoundCard | None = None
        lost = self._build_cards(seen.past, 0 if reversal is None else reversal.round)
        for n, card in enumerate(reversed(self.cards), 1):
            if card.option in (view.options or []):
                card.dead = count_shamans_for(n, view.players[view.who].power)
        # sections if the current record is changed; 0 if the records take away more than all
        self.changed = max(0, self.size - lost + (1 if self.own else -1))

    def _build_cards(self, past: list[PastRound], hand: int) -> int:
        """Build a card for each record and return the total number of lost sections.

        The card of round ``hand`` is wide; 0 means that there is none.
        """
        room = SCROLL_RIGHT - SCROLL_LEFT
        usual = min(72.0, (room - HAND_CARD_WIDTH) / max(1, len(past) - 1)) if hand else min(96.0, room / len(past))
        x = SCROLL_LEFT + (room - usual * (len(past) - 1) - (HAND_CARD_WIDTH if hand else usual)) / 2
        lost = 0
        for i, record in enumerate(past):
            lost += record.strips + (0 if record.preserved else 1)
            mine = record.round == hand
            w = HAND_CARD_WIDTH if mine else usual
            card = PastRoundCard(x, w, record, max(0, self.size - lost), "" if hand else f"rounds {len(past) - i}")
            x += w
            if mine:
                card.state = "hand"
                self.hand = card
            elif hand and card.round < hand:
                card.state = "gone"
            self.cards.append(card)
        return lost


def find_focused_space(view: TestOfTimeView, focus: Focus) -> TestamentSpace:
    """Return the Testament space that a decision is about."""
    return view.players[focus.seat].testaments[focus.space - 1]


@dataclass(slots=True)
class NumberOutcome:
    """The outcome of a number that a decision offers."""

    what: str  # "pay", "strips" or "met"
    followers: int
    shamans: int
    result: int


def list_outcomes(view: TestOfTimeView) -> dict[str, NumberOutcome]:
    """Return the outcome of every number of pieces that the viewer may choose.

    Numbers of rounds have outcomes in words.
    """
    outcomes_by_option: dict[str, NumberOutcome] = {}
    for option in view.options or []:
        verb, _, rest = option.partition(" ")
        if verb in ("shamans", "followers"):
            outcomes_by_option[option] = compute_outcome(view, verb, int(rest))
    return outcomes_by_option


def compute_outcome(view: TestOfTimeView, verb: str, n: int) -> NumberOutcome:
    """Return the outcome of one number: a share of a price, followers who are met, or sections that are stripped."""
    assert view.who is not None
    pledged = view.pledged
    if isinstance(pledged, MetFollowers):
        return NumberOutcome("met", n, 0, max(0, n - view.players[pledged.rival].saved))
    if isinstance(pledged, PendingPrice):
        return NumberOutcome("pay", max(0, pledged.cost - n * pledged.power), n, 0)
    power = view.players[view.who].power if view.reversal is None else view.reversal.power
    beside = pledged.shamans if isinstance(pledged, BroughtShamans) else 0
    followers, shamans = (n, beside) if verb == "followers" else (0, n)
    return NumberOutcome("strips", followers, shamans, count_strips_after(view, followers + shamans * power))


def count_strips_after(view: TestOfTimeView, strength: int) -> int:
    """Return the sections lost by attack once this strength is added at the Testament."""
    assert view.focus is not None
    seen = find_focused_space(view, view.focus)
    assert isinstance(seen, Testament)
    if view.reversal is not None:
        record = seen.past[view.reversal.round - seen.since - 1]
        return max(0, record.strips - strength)
    attacks = view.asked is not None and view.asked.startswith("Attack")
    left = seen.attack - seen.defence + (strength if attacks else -strength)
    return min(seen.visible, max(0, left))
