"""What the title says: questions, labels, log lines, score lines, and the table in plain text."""

from collections.abc import Callable

from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Joined, Message, Name, Reader, SeatName
from triclinium.engine.words import Words
from triclinium.games.evangelists.rules.actions.boat import Displace
from triclinium.games.evangelists.rules.actions.following import Follow
from triclinium.games.evangelists.rules.actions.interview import FollowInterview, HowStrong, follow_marks, marks
from triclinium.games.evangelists.rules.actions.rearrange import ChooseHow
from triclinium.games.evangelists.rules.actions.tradition import Keep, KeepSecond, LeaveFaceUp, Place
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.verbs import COLOUR, COPY, DISPLACE, FACE, KEEP, SAIL, START, TO
from triclinium.games.evangelists.ui.plain import plain_table
from triclinium.games.evangelists.ui.view import EvangelistsView
from triclinium.i18n.catalog import Domain

QUESTIONS = {
    "PickColour": "Pick the colour of your pawn.",
    "StartCity": "Choose the city where your pawn starts.",
    "ChooseAction": "Your turn: {0} {0:octagon|octagons} left. What do you do?",
    "TravelTo": "Where do you travel?",
    "FollowTravel": "Follow the Travel by one space?",
    "SailTo": "Where does your boat sail?",
    "Displace": "Where does the boat that lay in {0} go?",
    "Keep": "Choose the card of {0} to keep, or none.",
    "KeepSecond": "Keep a second card of {0} for one octagon more?",
    "PlaceKept": "Choose the slot for {0}.",
    "PlaceCopy": "Choose the slot for {0}.",
    "LeaveFaceUp": "Choose the card of {0} to leave face up.",
    "FollowTradition": "Copy a card that was just kept?",
    "HowStrong": "{0} has answered. Weak or strong?",
    "FollowInterview": "Follow the interview of {0} for {1} {1:mark|marks}?",
    "FollowRearrange": "Follow, and rearrange once yourself?",
    "ChooseLeaf": "Choose the leaf to move or flip.",
    "ChooseHow": "What happens to leaf {0}?",
    "AddLeaf": "On which side do you add the new leaf?",
}

# What following costs (AE-3.2, AE-3.3).
PRICE = "It costs {0} follow {0:token|tokens}."
FREE = "It is free."

LABELS = {
    "travel weak": "Travel, weak: one or two spaces",
    "travel strong": "Travel, strong: to any city",
    "tradition": "Tradition: look at the city's cards",
    "interview": "Interview the city's witness",
    "rearrange weak": "Rearrange, weak: one leaf",
    "rearrange strong": "Rearrange, strong: as many leaves as you like",
    "boat": "Take the boat",
    "end": "End the turn",
    "none": "None",
    "weak": "Weak",
    "strong": "Strong, for one octagon more",
    "done": "Done",
    "flip": "Flip it",
    "follow": "Follow",
    "decline": "Decline",
    "left": "On the left",
    "right": "On the right",
}

NEWS = {
    "round": "Round {0} begins.",
    "turn": "{0} takes the octagons.",
    "end_turn": "{0} ends the turn.",
    "colour": "{0} plays the colour of {1}.",
    "start": "{0} starts in {1}.",
    "moved": "{0} moves from {1} to {2}.",
    "sailed": "{0} sails from {1} to {2}.",
    "displaced": "{0} sends the boat of {1} to {2}.",
    "paid": "{0} hands {2} follow {2:token|tokens} to {1}.",
    "looked": "{0} looks at {1} {1:card|cards} in {2}.",
    "looked_faces": "{0} looks at {1} {1:card|cards} in {2}: {3}.",
    "kept": "{0} keeps {1} from {2}.",
    "kept_none": "{0} keeps nothing from {1}.",
    "placed": "{0} puts {1} into slot {2}.",
    "face_up": "{0} leaves {1} face up in {2}.",
    "copied": "{0} copies {1}.",
    "interviewed": "{0} interviews {1} in {2}.",
    "alive": "A white cube: {1} is alive.",
    "dead": "A black cube: {1} has died.",
    "marks": "{0} records {1} {1:mark|marks} with {2}.",
    "followed_marks": "{0} follows and records {1} {1:mark|marks} with {2}.",
    "flipped": "{0} flips leaf {1}.",
    "shifted": "{0} moves leaf {1} to position {2}.",
    "leaf_left": "{0} adds a leaf on the left.",
    "leaf_right": "{0} adds a leaf on the right.",
    "end_round": "The round ends: {0} white {0:cube returns|cubes return}, {1} {1:leaves|leave} the match.",
    "match_over": "The last round is over; the gospels are judged.",
}

SCORE_LINES = {
    "tally": "Tally marks",
    "inclusio": "Inclusio",
    "emphasis": "Emphasis",
    "chiasm": "Chiasm",
    "chronology": "Chronology",
    "theme": "Theme",
    "bonus": "Theme bonus",
    "ties": "Shared spaces",
}

PLACES = {"start": START, "to": TO, "sail": SAIL, "displace": DISPLACE}  # the verbs that name a place


class EvangelistsWords(Words):
    """The words of The Acts of the Evangelists."""

    def __init__(self, c: Components, notation: Notation, domain: Domain) -> None:
        super().__init__(notation, domain)
        self.c = c

    def question(self, s: State) -> Message:
        assert isinstance(s, Evangelists)
        step = s.asked
        text = QUESTIONS[step.id]
        if isinstance(step, Follow):
            price = Message(PRICE, step.price) if step.price else Message(FREE)
            return Message("{0} {1}", self.follow_question(s, step, text), price)
        if isinstance(step, (Keep, LeaveFaceUp, Displace)):
            return Message(text, self.c.place_names[step.city])
        if isinstance(step, Place):
            return Message(text, self.card(step.card(s)))
        if isinstance(step, HowStrong):
            return Message(text, self.c.witness_names[step.witness])
        if isinstance(step, ChooseHow):
            return Message(text, step.leaf + 1)
        return Message(text, s.octagons)

    def follow_question(self, s: Evangelists, step: Follow, text: str) -> Message:
        if isinstance(step, FollowInterview):
            return Message(text, self.c.witness_names[step.witness], follow_marks(s, step.who, step.witness))
        return Message(text)

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Evangelists)
        said = self.notation.say(o)
        step = s.asked
        if isinstance(step, HowStrong):
            gain = marks(s, step.who, step.witness, said == "strong")
            return Message("{0}: {1} {1:mark|marks}", Message(LABELS[said]), gain)
        if said == "none" and isinstance(step, KeepSecond):
            return Message("No second card")
        if said in LABELS:
            return Message(LABELS[said])
        verb, name = said.split()
        if isinstance(step, (Keep, LeaveFaceUp)):  # the asked seat has these cards in hand
            at = o - (KEEP if verb == "keep" else FACE)
            return Message("{0}", self.card(s.box[step.city * self.c.box_size + at]))
        if verb == "copy":
            return Message("{0}", self.card(o - COPY))
        if verb in ("slot", "leaf", "position"):
            return Message({"slot": "Slot {0}", "leaf": "Leaf {0}", "position": "To position {0}"}[verb], int(name))
        if verb == "colour":
            return Message("{0}", self.c.theme_names[o - COLOUR])
        return Message("{0}", self.c.place_names[o - PLACES[verb]])

    def event(self, event: Event, viewer: Seat) -> Message | None:
        who = SeatName(event.seat)
        facts = event.facts
        if event.kind == "looked":
            faces = [self.card(card) for card in event.secrets]
            kind = "looked_faces" if faces else "looked"
            return Message(NEWS[kind], who, facts[0], self.c.place_names[facts[1]], Joined(faces))
        if event.kind == "leaf":
            return Message(NEWS["leaf_right" if facts[0] else "leaf_left"], who)
        if event.kind in ("round", "end_round"):
            return Message(NEWS[event.kind], *facts)
        if event.kind == "paid":
            return Message(NEWS["paid"], who, SeatName(facts[0]), facts[1])
        if event.kind not in NEWS:
            return None  # the engine's own: what they chose is told by what came of it
        return Message(NEWS[event.kind], who, *[name(self, fact) for name, fact in self.named(event)])

    def named(self, event: Event) -> list[tuple["Naming", int]]:
        """Each fact of an event with what it names."""
        return list(zip(NAMED.get(event.kind, ()), event.facts, strict=False))

    def score_line(self, name: str) -> Message:
        return Message(SCORE_LINES[name])

    def figure(self, kind: str, number: int) -> Arg:
        return self.place(number) if kind == "place" else self.witness(number)

    def table(self, view: EvangelistsView, reader: Reader) -> str:
        return plain_table(self.c, view, reader)

    # -- how facts are named ----------------------------------------------------------------------------------------

    def card(self, card: int) -> Message:
        return Message("{0} {1}", self.c.numbers[card], self.c.titles[card])

    def place(self, place: int) -> Name:
        return self.c.place_names[place]

    def witness(self, witness: int) -> Name:
        return self.c.witness_names[witness]

    def theme(self, theme: int) -> Name:
        return self.c.theme_names[theme]

    def ordinal(self, index: int) -> int:
        return index + 1

    def count(self, number: int) -> int:
        return number


Naming = Callable[[EvangelistsWords, int], Arg]

NAMED: dict[str, tuple[Naming, ...]] = {
    "colour": (EvangelistsWords.theme,),
    "start": (EvangelistsWords.place,),
    "moved": (EvangelistsWords.place, EvangelistsWords.place),
    "sailed": (EvangelistsWords.place, EvangelistsWords.place),
    "displaced": (EvangelistsWords.place, EvangelistsWords.place),
    "kept": (EvangelistsWords.card, EvangelistsWords.place),
    "kept_none": (EvangelistsWords.place,),
    "placed": (EvangelistsWords.card, EvangelistsWords.ordinal),
    "face_up": (EvangelistsWords.card, EvangelistsWords.place),
    "copied": (EvangelistsWords.card,),
    "interviewed": (EvangelistsWords.witness, EvangelistsWords.place),
    "alive": (EvangelistsWords.witness,),
    "dead": (EvangelistsWords.witness,),
    "marks": (EvangelistsWords.count, EvangelistsWords.witness),
    "followed_marks": (EvangelistsWords.count, EvangelistsWords.witness),
    "flipped": (EvangelistsWords.ordinal,),
    "shifted": (EvangelistsWords.ordinal, EvangelistsWords.ordinal),
}
