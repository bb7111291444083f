"""Labels, names, score lines and the plain table of the game. Steps, events and rules have their own sentences."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.event import Event
from triclinium.engine.core.notation import Notation
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, JoinedList, Message, Name, msgid
from triclinium.engine.game_text import GameText, TableNote
from triclinium.games.evangelists.rules.actions.interview import HowStrong, count_interview_marks
from triclinium.games.evangelists.rules.actions.tradition import Keep, KeepSecond, LeaveFaceUp
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.rules.events import FLIPPED, KEPT, LOOKED, MOVED, REARRANGED, RECORDED, SHIFTED
from triclinium.games.evangelists.rules.state import Evangelists
from triclinium.games.evangelists.rules.turn import ChooseAction
from triclinium.games.evangelists.rules.verbs import (
    COLOUR,
    COPY,
    DISPLACE,
    FACE,
    INTERVIEW,
    KEEP,
    SAIL,
    START,
    TO,
    TRADITION,
)
from triclinium.games.evangelists.ui.component_kinds import TRACKS
from triclinium.games.evangelists.ui.hint_choices import describe_choice
from triclinium.games.evangelists.ui.hint_reasons import describe_difference
from triclinium.games.evangelists.ui.table_notes import list_table_notes
from triclinium.games.evangelists.ui.view import EvangelistsView
from triclinium.i18n.catalog import Domain

LABELS = {
    "travel weak": msgid("Travel, weak: one or two spaces"),
    "travel strong": msgid("Travel, strong: to any city"),
    "tradition": msgid("Tradition: look at the city’s cards"),
    "interview": msgid("Interview the city’s witness"),
    "rearrange weak": msgid("Rearrange, weak: one leaf"),
    "rearrange strong": msgid("Rearrange, strong: as many leaves as you like"),
    "boat": msgid("Take the boat"),
    "end": msgid("End the turn"),
    "none": msgid("None"),
    "weak": msgid("Weak"),
    "strong": msgid("Strong, for one more octagon"),
    "done": msgid("Done"),
    "flip": msgid("Flip it"),
    "follow": msgid("Follow"),
    "decline": msgid("Decline"),
    "left": msgid("On the left"),
    "right": msgid("On the right"),
}
NUMBERED_LABELS = {"slot": msgid("Slot {0}"), "leaf": msgid("Leaf {0}"), "position": msgid("To position {0}")}
CARD_TEMPLATE = "{0:card}"  # This template is the same in every language.
PLACE_VERBS = {"start": START, "to": TO, "sail": SAIL, "displace": DISPLACE}  # verbs that name a place


# Sentences for events that cite different rules when an action is weak, strong or followed.
EVENT_SENTENCES = {
    (MOVED.id, "AE-4.1"): msgid("{who} travels from {0:place} to {1:place} (weak)."),
    (MOVED.id, "AE-4.2"): msgid("{who} travels from {0:place} to {1:place} (strong)."),
    (MOVED.id, "AE-4.3"): msgid("{who} follows from {0:place} to {1:place}."),
    (KEPT.id, "AE-6.3"): msgid("{who} also keeps {0:card} from {1:place} (strong Tradition)."),
    (RECORDED.id, "AE-7.5"): msgid("{who} records {0} {0:mark|marks} with {1:witness} (weak)."),
    (RECORDED.id, "AE-7.6"): msgid("{who} records {0} {0:mark|marks} with {1:witness} (strong)."),
    (FLIPPED.id, "AE-8.1"): msgid("{who} flips leaf {0} (weak)."),
    (SHIFTED.id, "AE-8.1"): msgid("{who} moves leaf {0} to position {1} (weak)."),
    (FLIPPED.id, "AE-8.3"): msgid("{who} follows and flips leaf {0}."),
    (SHIFTED.id, "AE-8.3"): msgid("{who} follows and moves leaf {0} to position {1}."),
}


class EvangelistsText(GameText):
    """The texts of The Acts of the Evangelists."""

    score_lines: Mapping[str, str] = {
        "tally": "Tally marks",
        "inclusio": "Inclusio",
        "emphasis": "Emphasis",
        "chiasm": "Chiasm",
        "chronology": "Chronology",
        "theme": "Theme",
        "bonus": "Theme bonus",
        "ties": "Shared spaces",
    }

    feature_topics: Mapping[str, str] = {
        "tally": "tally",
        "tracks": "tracks",
        "steps": "tracks",
        "theme": "theme",
        "matches": "theme",
        "bonus": "theme",
        "ties": "tracks",
        "cards": "cards",
        "room": "cards",
        "order": "order",
        "tokens": "tokens",
        "prospects": "witnesses",
        "octagons": "turn",
    }

    point_features = frozenset({"tally", "tracks", "theme"})

    turn_features = frozenset({"octagons"})

    short_labels: Mapping[str, str] = {
        "keep": "Keep",
        "face": "Leave face up",
        "copy": "Copy",
        "slot": "Place here",
        "leaf": "This leaf",
        "position": "To here",
    }

    verbs: Mapping[str, str] = {"travel": "Travel", "rearrange": "Rearrange"}

    def __init__(self, c: Components, notation: Notation, domain: Domain) -> None:
        super().__init__(notation, domain)
        self.c = c
        self.names = {
            "place": c.place_names,
            "witness": c.witness_names,
            "theme": c.theme_names,
            "colour": c.theme_colours,
            "side": [Name("on the left", "side"), Name("on the right", "side")],
        }

    def describe_difference(
        self, topic: str, better: State, other: State, seat: Seat
    ) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(better, Evangelists)
        assert isinstance(other, Evangelists)
        return describe_difference(topic, better, other, seat)

    def describe_choice(self, s: State, better: Option, other: Option) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(s, Evangelists)
        return describe_choice(s, better, other)

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Evangelists)
        option_text = self.notation.format_option(o)
        step = s.asked
        if isinstance(step, HowStrong):
            gain = count_interview_marks(s, step.who, step.witness, option_text == "strong")
            return Message("{0}: {1} {1:mark|marks}", Message(LABELS[option_text]), gain)
        if option_text == "none" and isinstance(step, KeepSecond):
            return Message("No second card")
        if isinstance(step, ChooseAction) and s.pawn[step.who] < self.c.cities:
            if o == INTERVIEW:
                return self.label_interview(s, step.who, s.witness_at[s.pawn[step.who]])
            if o == TRADITION and o in s.legal and not s.count_empty_slots(step.who):
                return Message("Tradition: your gospel is full, so you can only look and leave one card face up")
        if option_text in LABELS:
            return Message(LABELS[option_text])
        verb, name = option_text.split()
        if isinstance(step, (Keep, LeaveFaceUp)):  # The deciding seat has these cards in hand.
            at = o - (KEEP if verb == "keep" else FACE)
            return self.name_card(s.box[step.city * self.c.box_size + at])
        if verb == "copy":
            return self.name_card(o - COPY)
        if verb in NUMBERED_LABELS:
            return Message(NUMBERED_LABELS[verb], int(name))
        if verb == "colour":
            return Message("In {0:colour} ({0:theme})", o - COLOUR)
        return Message("{0}", self.c.place_names[o - PLACE_VERBS[verb]])

    def label_interview(self, s: Evangelists, who: Seat, witness: int) -> Message:
        """AE-7.5, AE-7.6  Return the label of an Interview: the witness and the marks.

        The marks of a strong Interview appear only if enough octagons are left.
        """
        if INTERVIEW not in s.legal:
            return Message("Interview {0:witness}", witness)
        n, c = s.count_circles(who, witness), self.c
        alive, dead = (n * c.weak_alive, n * c.strong_alive), (n * c.weak_dead, n * c.strong_dead)
        if n == 0:
            return Message("Interview {0:witness}: no marks (not on any of your cards)", witness)
        strong = s.octagons >= c.cost_strong  # Otherwise the Interview can only be weak.
        if ((s.alive | s.dead) >> witness) & 1:
            pays = alive if (s.alive >> witness) & 1 else dead
            if not strong:
                return Message("Interview {0:witness}: {1} {1:mark|marks}", witness, pays[0])
            return Message("Interview {0:witness}: {1} {1:mark|marks}, strong {2}", witness, *pays)
        chance = round(100 * s.bag_white / max(1, s.bag_white + s.bag_black))
        if not strong:
            sentence = msgid("Interview {0:witness}: {1} {1:mark|marks} if alive ({3}%), {2} if dead")
            return Message(sentence, witness, alive[0], dead[0], chance)
        sentence = msgid("Interview {0:witness}: {1} {1:mark|marks} if alive ({5}%), {3} if dead; strong {2} or {4}")
        return Message(sentence, witness, *alive, *dead, chance)

    def event_message(self, event: Event, viewer: Seat) -> Message | None:
        """AE-6.1  Return the sentence for an event.

        A player who looked at a box also reads the names of its cards. All players read whether an action is weak or
        strong.
        """
        if event.kind == REARRANGED.id:
            return Message(REARRANGED.text, event.facts[0], self.format_row(event.facts[1:]), who=event.seat)
        if (event.kind, event.rule) in EVENT_SENTENCES:
            return Message(EVENT_SENTENCES[event.kind, event.rule], *event.facts, who=event.seat)
        if event.kind == LOOKED.id and event.secrets:
            faces = JoinedList([Message(CARD_TEMPLATE, card) for card in event.secrets])
            return Message(LOOKED.secret, *event.facts, faces, who=event.seat)
        return super().event_message(event, viewer)

    def format_row(self, numbers: Sequence[int]) -> str:
        """Return the slots of a gospel, leaf by leaf: ``[3 24] [1 –]``."""
        cells = [str(number) if number else "–" for number in numbers]
        size = self.c.slots_per_leaf
        return " ".join(f"[{' '.join(cells[first : first + size])}]" for first in range(0, len(cells), size))

    def name_of(self, kind: str, number: int) -> Arg:
        if kind == "track":
            return Message(TRACKS[number])
        return self.name_card(number) if kind == "card" else super().name_of(kind, number)

    def short_name(self, kind: str, number: int) -> Arg:
        return self.name_of("card" if kind == "tradition" else kind, number)

    def name_card(self, card: int) -> Message:
        """Return a tradition's name: ``7 Call of the fishermen``."""
        return Message("{0} {1}", self.c.numbers[card], self.c.titles[card])

    def table_notes(self, view: EvangelistsView) -> Sequence[TableNote]:
        return list(list_table_notes(self.c, view))
