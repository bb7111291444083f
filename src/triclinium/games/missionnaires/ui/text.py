"""What the title says: questions, labels, log lines, score lines, and the table in plain text."""

from collections.abc import Callable

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, Name, Reader, SeatName
from triclinium.engine.words import Words
from triclinium.games.missionnaires.rules.actions.cards import Cancel, PlayAtOnce
from triclinium.games.missionnaires.rules.actions.effects import PayOrSkip, SendGendarme
from triclinium.games.missionnaires.rules.actions.move import Main, leapt, main_move, speed, target
from triclinium.games.missionnaires.rules.actions.obstacles import Fee, Meet, Onward, PushTo, costs_a_push
from triclinium.games.missionnaires.rules.components import (
    BURN,
    GO,
    GUARD,
    JOIN,
    LEAP,
    PLAY,
    SHOW,
    SLOT,
    TO,
    USE,
    Components,
)
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.ui.plain import plain_table
from triclinium.games.missionnaires.ui.view import MissionnairesView
from triclinium.i18n.catalog import Domain

QUESTIONS = {
    "Main": "Your turn, from {0}: take a step, pass, or burn a voucher.",
    "GoOn": "You are in {0}: stop, or go on?",
    "Advance": "Bonus move from {0}, by road, {1} {1:space|spaces} at most: where to?",
    "Meet": "The {1} is in {0}: travel with him, or push him aside?",
    "Fee": "How do you pay for the push in {0}?",
    "PushTo": "Where does the pawn that stands in {0} go?",
    "PayOrSkip": "Hand in {0} {0:periodical|periodicals}, or miss your next turn?",
    "MoveGendarme": "Which gendarme do you move?",
    "SendGendarme": "Where does the gendarme of {0} go?",
    "CongDone": "Which of your congregations counts as visited?",
    "Swap": "Which congregation do you put under the reserve, for its top card?",
    "StormPort": "A storm: in which port does {0} come ashore?",
    "Cancel": "You drew {0}. Obey, or cancel it?",
    "Calm": "A sea section: draw a card, or use your voucher?",
    "PlayAtOnce": "You drew {0}. Play it now, or keep it?",
    "BethelJoin": "Which overseer at the Bethel do you take along?",
    "BonWindow": "Do you play a voucher?",
    "PlayOn": "The first is home. Shall the match go on for the other ranks?",
}

LABELS = {
    "stop": "Stop here",
    "pass": "Pass",
    "done": "No voucher now",
    "pay": "Hand in periodicals",
    "draw": "Draw a sea card",
    "obey": "Obey the card",
    "push": "Push him aside",
    "alone": "Go on alone",
    "miss": "Miss a turn",
    "keep": "Exchange nothing",
    "yes": "Yes, play on",
    "no": "No, end the match",
}

NEWS = {
    "turn": "Round {1}: it is the turn of {0}.",
    "missed": "{0} misses this turn; {1} more {1:is|are} owed.",
    "again": "{0} plays again.",
    "moved": "{0} goes from {1} to {2}.",
    "leapt": "{0} leaps over {1} in {2}.",
    "paid": "{0} hands in {1} {1:periodical|periodicals}.",
    "refilled": "{0} takes {1} {1:periodical|periodicals} at the Bethel.",
    "gained": "{0} takes {1} {1:periodical|periodicals}.",
    "relieved": "{0} is shut in and takes {1} {1:periodical|periodicals}.",
    "pushed_gendarme": "{0} pushes gendarme {1} from {2} to {3}.",
    "sent_gendarme": "{0} sends gendarme {1} from {2} to {3}.",
    "pushed_overseer": "{0} pushes the {1} from {2} to {3}.",
    "joined": "The {1} joins {0}.",
    "overseer_at": "The {1} is now in {2}, on his own.",
    "visited": "{0} visits {1}.",
    "shown": "{0} shows {1}: it counts as visited.",
    "drew": "{0} draws “{1}”: {2}",
    "reshuffled_territory": "The territory cards are shuffled anew.",
    "reshuffled_sea": "The sea cards are shuffled anew.",
    "used": "{0} uses “{1}”.",
    "played": "{0} plays “{1}”.",
    "burnt": "{0} burns “{1}”.",
    "passed": "{0} passes.",
    "will_miss": "{0} will miss {1} {1:turn|turns}.",
    "wind": "Fair wind: the move of {0} may total {1} spaces.",
    "stays": "{0} stays in {1}; the move is over.",
    "took_congregation": "{0} takes a congregation card from the reserve.",
    "took_this": "{0} takes a congregation card from the reserve: {1}.",
    "put_under": "{0} puts a congregation card under the reserve.",
    "put_this": "{0} puts a congregation card under the reserve: {1}.",
    "finished": "{0} is home with everything visited: rank {1}.",
    "ended": "{0} does not want to play on; the match ends.",
    "resigned": "{0} leaves the match: rank {1}.",
    "limit": "Round {1} was the last one.",
}


class MissionnairesWords(Words):
    """The words of Les Missionnaires."""

    def __init__(self, c: Components, domain: Domain) -> None:
        super().__init__(c.notation, domain)
        self.c = c

    def question(self, s: State) -> Message:
        assert isinstance(s, Missionnaires)
        step = s.asked
        text = QUESTIONS[step.id]
        if isinstance(step, (Main, Onward)):
            spaces = step.limit - step.used if isinstance(step, Onward) else 1
            return Message(text, self.space(s.at[step.who]), spaces)
        if isinstance(step, Meet):
            return Message(text, self.space(step.to), self.overseer(s.overseer.index(step.to)))
        if isinstance(step, Fee):
            return Message(text, self.space(step.to))
        if isinstance(step, PushTo):
            return Message(text, self.space(step.space))
        if isinstance(step, SendGendarme):
            return Message(text, self.space(s.gendarmes[step.gendarme]))
        if isinstance(step, PayOrSkip):
            return Message(text, step.n)
        if isinstance(step, (Cancel, PlayAtOnce)):
            return Message(text, self.card(step.card))
        return Message(text, SeatName(s.turn))

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Missionnaires)
        said = self.notation.say(o)
        if said in LABELS:
            return Message(LABELS[said])
        verb = said.split()[0]
        if verb in ("go", "leap"):
            return self.step(s, o)
        if verb == "to":
            return Message("{0}", self.space(o - TO))
        if verb == "join":
            return Message("Travel with the {0}", self.overseer(o - JOIN))
        if verb == "guard":
            return Message("Gendarme {0} in {1}", self.gendarme(o - GUARD), self.space(s.gendarmes[o - GUARD]))
        if verb == "swap":
            return Message("{0}", self.congregation(s.hand[s.who][o - SLOT]))
        if verb == "show":
            return Message("{0}", self.congregation(o - SHOW))
        if verb == "resign":
            return Message("Leave the match")
        first, text = {"play": (PLAY, "Play “{0}”"), "burn": (BURN, "Burn “{0}”"), "use": (USE, "Use “{0}”")}[verb]
        return Message(text, self.card(o - first))

    def step(self, s: Missionnaires, o: Option) -> Message:
        """A step or leap with its price, by road or by sea."""
        step = s.asked
        who = step.who
        move = step if isinstance(step, Onward) else main_move(s, who)
        to = target(s, o)
        price = speed(s, who, o, move) + (self.c.push_fee if costs_a_push(s, who, to) else 0)
        if o >= LEAP:
            text = "Leap over {2} to {0}" if price == 0 else "Leap over {2} to {0}, for {1} {1:periodical|periodicals}"
            return Message(text, self.space(to), price, SeatName(s.stands(leapt(s, o))))
        way = "Sail to {0}" if self.c.is_lane(s.at[who], o - GO) else "Walk to {0}"
        return Message(way if price == 0 else way + ", for {1} {1:periodical|periodicals}", self.space(to), price)

    def event(self, event: Event, viewer: Seat) -> Message | None:
        who = SeatName(event.seat)
        kind = event.kind
        if kind == "drew":
            card = event.facts[0]
            return Message(NEWS[kind], who, self.card(card), self.c.card_texts[card])
        if kind == "reshuffled":
            return Message(NEWS["reshuffled_sea" if event.facts[0] else "reshuffled_territory"])
        if kind in ("took_congregation", "put_under"):
            known = event.secrets or (event.facts if kind == "took_congregation" else event.facts[1:])
            if known:
                told = "took_this" if kind == "took_congregation" else "put_this"
                return Message(NEWS[told], who, self.congregation(known[0]))
            return Message(NEWS[kind], who)
        if kind not in NEWS:
            return None  # the engine's own: what they chose is told by what came of it
        names = NAMED.get(kind, (MissionnairesWords.count,) * len(event.facts))
        return Message(NEWS[kind], who, *[name(self, fact) for name, fact in zip(names, event.facts, strict=True)])

    def score_line(self, name: str) -> Message:
        return Message({"visited": "Congregations visited"}[name])

    def figure(self, kind: str, number: int) -> Arg:
        assert kind == "seat", kind
        return SeatName(number)

    def table(self, view: MissionnairesView, reader: Reader) -> str:
        return plain_table(self.c, view, reader)

    # -- how facts are named ----------------------------------------------------------------------------------------

    def space(self, space: int) -> Name:
        return self.c.space_names[space]

    def congregation(self, card: int) -> Message:
        space = self.c.congregation_at[card]
        return Message("{0} ({1})", self.c.space_names[space], Name(self.c.grids[space]))

    def card(self, card: int) -> Name:
        return self.c.card_names[card]

    def overseer(self, overseer: int) -> Name:
        return self.c.overseer_names[overseer]

    def gendarme(self, gendarme: int) -> Name:
        return Name(self.c.gendarmes[gendarme].upper())

    def player(self, seat: int) -> SeatName:
        return SeatName(seat)

    def count(self, number: int) -> int:
        return number


Naming = Callable[[MissionnairesWords, int], Arg]

_W = MissionnairesWords
NAMED: dict[str, tuple[Naming, ...]] = {
    "moved": (_W.space, _W.space),
    "leapt": (_W.player, _W.space),
    "pushed_gendarme": (_W.gendarme, _W.space, _W.space),
    "sent_gendarme": (_W.gendarme, _W.space, _W.space),
    "pushed_overseer": (_W.overseer, _W.space, _W.space),
    "joined": (_W.overseer,),
    "overseer_at": (_W.overseer, _W.space),
    "visited": (_W.space,),
    "shown": (_W.space,),
    "used": (_W.card,),
    "played": (_W.card,),
    "burnt": (_W.card,),
    "stays": (_W.space,),
}
