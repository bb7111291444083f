"""Discard (PP-9): a free step that removes a card from the hand. The player chooses "discard" first, then the card."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.portals.rules import stages
from triclinium.games.portals.rules.components import DROP, HIDE, insert_sorted
from triclinium.games.portals.rules.events import DISCARDED, HID, REMOVED
from triclinium.games.portals.rules.refusals import EMPTY_HAND
from triclinium.games.portals.rules.state import BLIND_REMOVAL, Portals


def forbids_discard(s: Portals, who: Seat) -> Rule | None:
    """PP-9.1  Return the rule against a discard, or None: there must be a card in the hand."""
    return None if s.hands[who] else EMPTY_HAND


class Discard(Step[Portals]):
    """PP-9.1, PP-R12  The choice of the card to discard: by its name, or face down by its place in the hand."""

    id: ClassVar[str] = "Discard"
    action: ClassVar[Action | None] = stages.DISCARDING
    chained_verbs: ClassVar[tuple[str, ...]] = ("drop", "hide")
    question: ClassVar[str] = "Which card do you discard?"

    def candidates(self, s: Portals) -> list[Option]:
        hand = s.hands[self.who]
        if s.v.hidden_discards:
            return [HIDE + i for i in range(len(hand))]
        options: list[Option] = []
        for card in hand:
            insert_sorted(options, DROP + card, 0)
        return options

    def options(self, s: Portals) -> list[Option]:
        """Return all candidates, since no rule forbids any of them."""
        return self.candidates(s)

    def apply(self, s: Portals, o: Option) -> None:
        if o >= HIDE:
            card = s.bury_card(self.who, o - HIDE)
            s.emit(HID, self.who, (s.c.deck[card],), "PP-R12", (card,), s.buried_seen[-1])
            return
        card = o - DROP
        s.remove_card(self.who, card)
        s.gone.append(card)
        s.emit(DISCARDED, self.who, (card,), "PP-9.1")


class RemoveBlindly(Step[Portals]):
    """PP-5.2, PP-R11  The removal of cards from a hand that is too large, by the left neighbour and without looking."""

    id: ClassVar[str] = "RemoveBlindly"

    def __init__(self, owner: Seat) -> None:
        super().__init__(NOBODY)
        self.owner: Final = owner

    def fields(self) -> tuple[int, ...]:
        return (self.owner,)

    def run(self, s: Portals) -> None:
        chance = s.rng.of(BLIND_REMOVAL, s.round * s.seats + self.owner)
        while len(s.hands[self.owner]) > s.c.hand_limit:
            s.undo_barrier += 1
            card = s.bury_card(self.owner, chance.below(len(s.hands[self.owner])))
            left = (self.owner + 1) % s.seats
            s.emit(REMOVED, left, (self.owner, s.c.deck[card]), "PP-5.2", (card,), s.buried_seen[-1])
