"""Play (PP-7): one action to witness the event on a card in the hand."""

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Option, Seat
from triclinium.games.portals.rules.components import NEW, PLAY, Card, insert_sorted
from triclinium.games.portals.rules.events import LAST_ROUND, PLAYED
from triclinium.games.portals.rules.refusals import NO_ACTION_LEFT, NOT_AN_EVENT, OUT_OF_RANGE, WRONG_PLACE
from triclinium.games.portals.rules.state import Portals


def list_plays(s: Portals, who: Seat, legal: list[Option]) -> None:
    """PP-7.1 to PP-7.3  Add to ``legal`` the events in the hand at the pawn's place with a period in range."""
    first = len(legal)
    place = s.c.place
    here = s.pawns[who]
    for card in s.hands[who]:
        if place[card] == here and (s.compute_range_mask() >> s.c.period[card]) & 1:
            insert_sorted(legal, PLAY + card, first)


def forbids_play(s: Portals, who: Seat, card: Card) -> Rule | None:
    """PP-7.1 to PP-7.3  Return the rule against a play, or None: it needs an event, at the pawn's place, in range."""
    if s.actions == 0:
        return NO_ACTION_LEFT
    if card >= s.c.events:
        return NOT_AN_EVENT
    if s.pawns[who] != s.c.place[card]:
        return WRONG_PLACE
    if (s.compute_range_mask() >> s.c.period[card]) & 1 == 0:
        return OUT_OF_RANGE
    return None


def play_card(s: Portals, who: Seat, card: Card) -> None:
    """PP-7.4, PP-7.5  Put a card face up in front of its owner and score it at once. Playing uses no fuel (PP-8.8)."""
    c = s.c
    s.actions -= 1
    s.remove_card(who, card)
    s.copy_played()
    s.played[who] = (*s.played[who], card)
    s.points[who] += c.points[card]
    s.regions[who] += c.region_unit[card]
    s.symbols[who] += c.symbol_unit[card]
    s.event_played = 1
    if s.events is not None:
        s.emit(PLAYED, who, (card, c.period[card], c.place[card], c.points[card]), "PP-7.4")
    if c.deck[card] == NEW:
        count_new_testament(s, who)


def count_new_testament(s: Portals, who: Seat) -> None:
    """PP-10.1, PP-R18  Count a New Testament card; a player's third one makes this the last round."""
    s.new_played[who] += 1
    if s.new_played[who] == s.c.new_to_end and s.v.third_card_ends and s.last_round == 0:
        s.last_round = 1
        s.emit(LAST_ROUND, who, (), "PP-10.1")
