"""Texts that need code: labels of options, descriptions of cards, and the table in plain text."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, msgid
from triclinium.engine.game_text import GameText, TableNote
from triclinium.games.portals.rules.components import (
    BURN,
    DISCARD,
    DRAW,
    DROP,
    END,
    HIDE,
    MOVE,
    NONE,
    OLD,
    PLAY,
    PORTAL,
    STAND,
    TAKE,
    Card,
    Components,
)
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.next_event import find_nearer_event, find_next_event
from triclinium.games.portals.ui.table_notes import list_table_notes
from triclinium.games.portals.ui.view import PortalsView
from triclinium.i18n.catalog import Domain


class PortalsText(GameText):
    """The texts of Portals and Prophets."""

    score_lines: Mapping[str, str] = {
        "cards": "Event cards",
        "sets": "Region sets",
        "majorities": "Symbol majorities",
        "symbol_cards": "Symbol cards",
    }

    short_labels: Mapping[str, str] = {
        "portal": "Portal here",
        "stand": "Start here",
        "take": "Take",
        "draw": "Draw",
        "move": "Move here",
        "play": "Play",
        "burn": "Burn",
        "drop": "Discard",
    }

    feature_words: Mapping[str, tuple[str, str]] = {
        "points": ("{0} more {0:point|points} from events", "{0} fewer {0:point|points} from events"),
        "sets": (
            "{0} more {0:complete region set|complete region sets}",
            "{0} fewer {0:complete region set|complete region sets}",
        ),
        "next_set": ("a region set nearer to completion", "a region set farther from completion"),
        "led_by_two": ("a stronger count of symbols", "a weaker count of symbols"),
        "led_by_one": ("a stronger count of symbols", "a weaker count of symbols"),
        "tied": ("a stronger count of symbols", "a weaker count of symbols"),
        "one_behind": ("a stronger count of symbols", "a weaker count of symbols"),
        "majorities": (
            "{0} more {0:symbol majority|symbol majorities}",
            "{0} fewer {0:symbol majority|symbol majorities}",
        ),
        "symbol_cards": ("{0} more {0:point|points} from Symbol cards", "{0} fewer {0:point|points} from Symbol cards"),
        "symbol_cards_held": ("{0} more {0:Symbol card|Symbol cards}", "{0} fewer {0:Symbol card|Symbol cards}"),
        "region_cards": ("{0} more {0:Region card|Region cards}", "{0} fewer {0:Region card|Region cards}"),
        "plan_points": (
            "events in hand that can be played sooner or for more points",
            "events in hand that can be played only later or for fewer points",
        ),
        "plan_regions": (
            "events in hand that can be played sooner or for more points",
            "events in hand that can be played only later or for fewer points",
        ),
        "plan_symbols": (
            "events in hand that can be played sooner or for more points",
            "events in hand that can be played only later or for fewer points",
        ),
        "fuel": ("{0} more {0:fuel icon|fuel icons} in hand", "{0} fewer {0:fuel icon|fuel icons} in hand"),
        "seventh_card": ("a full hand", "room in the hand"),
        "on_portal": ("a pawn on a portal", "no pawn on a portal"),
        "new_cards": (
            "{0} more {0:New Testament event|New Testament events}",
            "{0} fewer {0:New Testament event|New Testament events}",
        ),
        "actions": ("{0} more {0:action|actions} left", "{0} fewer {0:action|actions} left"),
        "plan_bonus": ("more sets and majorities within reach", "fewer sets and majorities within reach"),
        "fill_gain": (
            "fuel that brings further events into range",
            "too little fuel to bring further events into range",
        ),
        "crowded": ("a hand full of Region and Symbol cards", "room in the hand for events"),
        "last_round": ("only this round left", "another round to play"),
        "last_lead": ("a larger lead in the last round", "a smaller lead in the last round"),
    }

    turn_features = frozenset({"actions"})

    vague_features = frozenset({"plan_points", "plan_regions", "plan_symbols"})

    verbs: Mapping[str, str] = {"take": "Take", "draw": "Draw", "move": "Move", "play": "Play", "burn": "Burn"}

    def __init__(self, c: Components, domain: Domain) -> None:
        super().__init__(c.notation, domain)
        self.c = c
        self.names = {
            "card": c.titles,
            "colour": c.colour_names,
            "deck": c.deck_names,
            "gauge": c.gauge_names,
            "place": c.place_names,
            "region": c.region_names,
            "space": c.space_names,
            "symbol": c.symbol_names,
        }

    def describe_difference(self, better: State, other: State, seat: Seat) -> tuple[str, tuple[int, ...]] | None:
        """Return a clause about the next event that the seat can play, or about a card that it has."""
        assert isinstance(better, Portals)
        assert isinstance(other, Portals)
        card, time, actions = find_next_event(better, seat)
        other_card, other_time, _ = find_next_event(other, seat)
        if card != NONE and card == other_card and time < other_time:
            return msgid("you can play “{0:card}” {1} {1:action|actions} sooner"), (card, other_time - time)
        if card != NONE and card != other_card and (other_card == NONE or time < other_time):
            return msgid("you can play “{0:card}” in {1} {1:action|actions}"), (card, actions)
        kept = [kept for kept in better.hands[seat] if kept not in other.hands[seat] and kept < self.c.events]
        if kept:
            most = max(kept, key=lambda kept: self.c.points[kept])
            return msgid("you have “{0:card}” in hand, worth {1} {1:point|points}"), (most, self.c.points[most])
        card, steps = find_nearer_event(better, other, seat)
        return None if card == NONE else (msgid("you are {1} {1:step|steps} nearer to “{0:card}”"), (card, steps))

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Portals)
        c = self.c
        if o < STAND:
            return Message("portal on {0}", c.place_names[o - PORTAL])
        if o < TAKE:
            return Message("start on {0}", c.place_names[o - STAND])
        if o < DRAW:
            return Message("take {0}", self.describe_card(o - TAKE))
        if o < MOVE:
            return Message("draw from the {0} deck", c.deck_names[OLD + o - DRAW])
        if o < PLAY:
            return Message("move to {0}", c.place_names[o - MOVE])
        if o < BURN:
            return Message("play {0}", self.describe_card(o - PLAY))
        if o < DISCARD:
            return Message("burn {0}", self.describe_card(o - BURN))
        if o == DISCARD:
            return Message("discard a card")
        if o == END:
            return Message("end the turn")
        if o < HIDE:
            return Message("discard {0}", self.describe_card(o - DROP))
        return Message("discard face down: {0}", self.describe_card(s.hands[s.who][o - HIDE]))

    def section(self, s: State, o: Option) -> "Arg | None":
        """Return the group of an option in the list: its region, if it names a place."""
        verb = self.notation.verb_of(o)
        if verb.word not in ("portal", "stand", "move"):
            return None
        return self.c.region_names[self.c.place_region[o - verb.first]]

    def describe_card(self, card: Card) -> Message:
        """Return a card in words: title, period, place, points, symbols, fuel."""
        c = self.c
        if card >= c.events:
            return Message("{0} ({1})", c.titles[card], c.card_ids[card])
        worth = Message("{0} {0:point|points}", c.points[card])
        for i, name in enumerate(c.symbol_names):
            if (c.symbols[card] >> i) & 1:
                worth = Message("{0}, {1}", worth, name)
        if c.fuel[card]:
            worth = Message("{0}, fuel {1} {2}", worth, c.fuel[card], c.colour_names[c.colour[card]])
        place, period = c.place_names[c.place[card]], c.space_names[c.period[card]]
        return Message("{0} ({1}, {2}; {3})", c.titles[card], period, place, worth)

    def table_notes(self, view: PortalsView) -> Sequence[TableNote]:
        return list(list_table_notes(self.c, view))
