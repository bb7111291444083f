"""Texts that need code: labels of options, descriptions of cards, and the table in plain text."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.state import Option, State
from triclinium.engine.core.text import Arg, Message
from triclinium.engine.game_text import GameText, TableNote
from triclinium.games.portals.rules.components import (
    BURN,
    DISCARD,
    DRAW,
    DROP,
    END,
    HIDE,
    MOVE,
    OLD,
    PLAY,
    PORTAL,
    STAND,
    TAKE,
    Card,
    Components,
)
from triclinium.games.portals.rules.state import Portals
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

    feature_words: Mapping[str, tuple[str, ...]] = {
        "points": ("{0} {1:point|points} of events",),
        "sets": ("{0} region {1:set|sets}",),
        "next_set": ("nearer to the next region set", "farther from the next region set"),
        "led_by_two": ("ahead in symbols", "behind in symbols"),
        "led_by_one": ("ahead in symbols", "behind in symbols"),
        "tied": ("ahead in symbols", "behind in symbols"),
        "one_behind": ("ahead in symbols", "behind in symbols"),
        "majorities": ("{0} symbol {1:majority|majorities}",),
        "symbol_cards": ("{0} {1:point|points} of Symbol cards",),
        "symbol_cards_held": ("{0} Symbol {1:card|cards}",),
        "region_cards": ("{0} Region {1:card|cards}",),
        "plan_points": ("better events within reach", "poorer events within reach"),
        "plan_regions": ("better events within reach", "poorer events within reach"),
        "plan_symbols": ("better events within reach", "poorer events within reach"),
        "fuel": ("{0} fuel in hand",),
        "seventh_card": ("a full hand", "room in hand"),
        "on_portal": ("on a portal", "not on a portal"),
        "new_cards": ("{0} New Testament {1:event|events}",),
        "actions": ("{0} {1:action|actions} left",),
        "discarding": ("a card to discard", "no card to discard"),
        "plan_bonus": ("more sets and majorities within reach", "fewer sets and majorities within reach"),
        "fill_gain": ("fuel that brings events into range", "less fuel to bring events into range"),
        "left_to_others": ("more fuel for the others", "less fuel for the others"),
        "crowded": ("a hand full of Region and Symbol cards", "room in hand besides Region and Symbol cards"),
        "last_round": ("the last round", "no last round yet"),
        "last_lead": ("ahead at the end", "behind at the end"),
    }

    turn_features = frozenset({"actions"})

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
