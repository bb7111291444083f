"""Texts that need code: labels of options, descriptions of cards, and the table in plain text."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.state import Option, Seat, State
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
from triclinium.games.portals.ui.hint_reasons import describe_difference
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
        "majorities": (
            "{0} more {0:symbol majority|symbol majorities}",
            "{0} fewer {0:symbol majority|symbol majorities}",
        ),
        "symbol_cards": ("{0} more {0:point|points} from Symbol cards", "{0} fewer {0:point|points} from Symbol cards"),
        "symbol_cards_held": ("{0} more {0:Symbol card|Symbol cards}", "{0} fewer {0:Symbol card|Symbol cards}"),
        "region_cards": ("{0} more {0:Region card|Region cards}", "{0} fewer {0:Region card|Region cards}"),
        "fuel": ("{0} more {0:fuel icon|fuel icons} in hand", "{0} fewer {0:fuel icon|fuel icons} in hand"),
        "on_portal": ("a pawn on a portal", "no pawn on a portal"),
        "new_cards": (
            "{0} more {0:New Testament event|New Testament events}",
            "{0} fewer {0:New Testament event|New Testament events}",
        ),
        "last_round": ("only this round left", "another round to play"),
        "last_lead": ("a lead larger by {0} {0:point|points}", "a lead smaller by {0} {0:point|points}"),
    }

    # A rival's gains come from cards that the reader does not see, so hints say own ones only.
    turn_features = frozenset(feature_words)

    feature_topics: Mapping[str, str] = {
        "next_set": "set",
        "led_by_two": "symbols",
        "led_by_one": "symbols",
        "tied": "symbols",
        "one_behind": "symbols",
        "plan_points": "plan",
        "plan_regions": "plan",
        "plan_symbols": "plan",
        "plan_bonus": "plan",
        "fill_gain": "plan",
        "left_to_others": "gauge",
        "points": "played",
        "new_cards": "played",
        "region_cards": "region_cards",
    }

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

    def describe_difference(
        self, topic: str, better: State, other: State, seat: Seat
    ) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(better, Portals)
        assert isinstance(other, Portals)
        return describe_difference(topic, better, other, seat)

    def is_visible_change(self, name: str, amount: float, sure: bool) -> bool:
        """Return whether players can see this change. An unsure one comes from cards that are drawn by luck."""
        return super().is_visible_change(name, amount, sure) and (name not in self.feature_words or sure)

    def name_of(self, kind: str, number: int) -> Arg:
        """Return the name of a component, or of one of the player's turns, where 0 is the current one."""
        if kind == "turn":
            if number > 1:
                return Message("within {0} turns", number)
            return Message("in your next turn") if number else Message("this turn")
        return super().name_of(kind, number)

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
