"""What the game says: questions, labels, log lines and refusals, as messages that the catalogue translates."""

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Joined, Message, Name, Reader, SeatName
from triclinium.engine.words import Words
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
from triclinium.games.portals.ui.plain import plain_table
from triclinium.games.portals.ui.view import PortalsView
from triclinium.i18n.catalog import Domain

OVER = (
    "",
    "the third New Testament card ended the game",
    "no event card is left: the game is over",
    "nobody plays an event any more: the game is over",
    "the last round is played: the game is over",
    "the capsule has reached its last space: the game is over",
)

SCORE_LINES = {
    "cards": "Event cards",
    "sets": "Region sets",
    "majorities": "Symbol majorities",
    "symbol_cards": "Symbol cards",
}


class PortalsWords(Words):
    """The words of Portals and Prophets."""

    def __init__(self, c: Components, domain: Domain) -> None:
        super().__init__(c.notation, domain)
        self.c = c

    def question(self, s: State) -> Message:
        assert isinstance(s, Portals)
        asked = s.asked.id
        if asked == "SetPortal":
            return Message("Where does a portal go?")
        if asked == "Stand":
            return Message("Where does your pawn begin?")
        if asked == "Discard":
            return Message("Which card do you discard?")
        if s.actions == 0:
            return Message("Your actions are used: burn or discard a card, or end the turn.")
        return Message("Your turn: {0} {0:action|actions} left.", s.actions)

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Portals)
        c = self.c
        if o < STAND:
            return Message("portal on {0}", c.place_names[o - PORTAL])
        if o < TAKE:
            return Message("begin on {0}", c.place_names[o - STAND])
        if o < DRAW:
            return Message("take {0}", self.face(o - TAKE))
        if o < MOVE:
            return Message("draw from the {0} deck", c.deck_names[OLD + o - DRAW])
        if o < PLAY:
            return Message("move to {0}", c.place_names[o - MOVE])
        if o < BURN:
            return Message("play {0}", self.face(o - PLAY))
        if o < DISCARD:
            return Message("burn {0}", self.face(o - BURN))
        if o == DISCARD:
            return Message("discard a card")
        if o == END:
            return Message("end the turn")
        if o < HIDE:
            return Message("discard {0}", self.face(o - DROP))
        return Message("discard face down: {0}", self.face(s.hands[s.who][o - HIDE]))

    def face(self, card: Card) -> Message:
        """A card as one reads it: title, period, place, points, symbols, fuel."""
        c = self.c
        if card >= c.events:
            return Message("{0} ({1})", c.titles[card], Name(c.card_ids[card]))
        shown = Message("{0} {0:point|points}", c.points[card])
        for i, name in enumerate(c.symbol_names):
            if (c.symbols[card] >> i) & 1:
                shown = Message("{0}, {1}", shown, name)
        if c.fuel[card]:
            shown = Message("{0}, fuel {1} {2}", shown, c.fuel[card], c.colour_names[c.colour[card]])
        place, period = c.place_names[c.place[card]], c.space_names[c.period[card]]
        return Message("{0} ({1}, {2}; {3})", c.titles[card], period, place, shown)

    def event(self, event: Event, viewer: Seat) -> Message | None:
        c = self.c
        who = SeatName(event.seat)
        facts = event.facts
        kind = event.kind
        if kind == "portal":
            return Message("{0} sets a portal on {1}", who, c.place_names[facts[0]])
        if kind == "stood":
            return Message("{0} begins on {1}", who, c.place_names[facts[0]])
        if kind == "laid":
            return Message("the row is laid: {0}", Joined([c.titles[card] for card in facts if card != NONE]))
        if kind == "took":
            return Message("{0} takes {1} from the row", who, c.titles[facts[0]])
        if kind == "refilled":
            return Message("{0} comes into the row", c.titles[facts[0]])
        if kind == "drew":
            if event.secrets:
                return Message("you draw {0}", c.titles[event.secrets[0]])
            return Message("{0} draws from the {1} deck", who, c.deck_names[facts[0]])
        if kind == "moved":
            return Message("{0} moves to {1}", who, c.place_names[facts[0]])
        if kind == "portalled":
            return Message("{0} steps through a portal to {1}", who, c.place_names[facts[0]])
        if kind == "played":
            card, place, period, points = facts
            return Message(
                "{0} witnesses {1}: {2}, {3}; {4} {4:point|points}",
                who,
                c.titles[card],
                c.space_names[period],
                c.place_names[place],
                points,
            )
        if kind == "burnt":
            return Message("{0} burns {1}: the gauge is on {2}", who, c.titles[facts[0]], c.gauge_names[facts[1]])
        if kind == "discarded":
            return Message("{0} discards {1}", who, c.titles[facts[0]])
        if kind == "hid":
            if event.secrets:
                return Message("{0} discards {1} face down", who, c.titles[event.secrets[0]])
            return Message("{0} discards a card face down ({1})", who, c.deck_names[facts[0]])
        if kind == "removed":
            return Message(
                "{0} removes a card from the hand of {1} ({2})", who, SeatName(facts[0]), c.deck_names[facts[1]]
            )
        return self.turning_point(event)

    def turning_point(self, event: Event) -> Message | None:
        """What the rules do by themselves."""
        c = self.c
        if event.kind == "drained":
            return Message("the full gauge drops to Low")
        if event.kind == "capsule":
            return Message("round {0}: the capsule moves forward ({1})", event.facts[0], c.space_names[event.facts[1]])
        if event.kind == "round":
            return Message("round {0} begins", event.facts[0])
        if event.kind == "last_round":
            return Message("{0} has played a third New Testament card: this is the last round", SeatName(event.seat))
        if event.kind == "over":
            return Message(OVER[event.facts[0]])
        if event.kind == "revealed":
            return Message("{0} reveals {1}", SeatName(event.seat), c.titles[event.facts[0]])
        return None

    def score_line(self, name: str) -> Message:
        return Message(SCORE_LINES[name])

    def figure(self, kind: str, number: int) -> Arg:
        if kind == "seat":
            return SeatName(number)
        names: dict[str, list[Name]] = {
            "region": self.c.region_names,
            "deck": self.c.deck_names,
            "space": self.c.space_names,
            "place": self.c.place_names,
            "gauge": self.c.gauge_names,
            "colour": self.c.colour_names,
        }
        return names[kind][number]

    def table(self, view: PortalsView, reader: Reader) -> str:
        return plain_table(self.c, view, reader, self.face)
