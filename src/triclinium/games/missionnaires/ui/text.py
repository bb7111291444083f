"""Texts of the game apart from questions and events: labels of options, names, and the table in plain text."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import Option, Seat, State
from triclinium.engine.core.text import Arg, Message, msgid
from triclinium.engine.game_text import ActionHeading, GameText, TableNote
from triclinium.games.missionnaires.rules import events, stages
from triclinium.games.missionnaires.rules.actions.bons import BonWindow, forbids_bon
from triclinium.games.missionnaires.rules.actions.cards import PlayAtOnce
from triclinium.games.missionnaires.rules.actions.effects import PayOrSkip
from triclinium.games.missionnaires.rules.actions.move import (
    Advance,
    Main,
    compute_speed_price,
    find_landing_space,
    find_leapt_space,
    make_main_move,
)
from triclinium.games.missionnaires.rules.actions.obstacles import Onward, needs_push_fee
from triclinium.games.missionnaires.rules.actions.pass_turn import gets_relief
from triclinium.games.missionnaires.rules.components import GO, LEAP, Components
from triclinium.games.missionnaires.rules.state import Missionnaires
from triclinium.games.missionnaires.rules.table_rules import EACH
from triclinium.games.missionnaires.ui.hint_reasons import describe_choice, describe_difference
from triclinium.games.missionnaires.ui.table_notes import list_table_notes
from triclinium.games.missionnaires.ui.view import MissionnairesView
from triclinium.i18n.catalog import Domain

# Labels by verb; {0} is the component that the option names. `MissionnairesText.label` makes the longer ones.
LABELS = {
    "to": msgid("{0:space}"),
    "stop": msgid("Stop here"),
    "pass": msgid("Pass"),
    "done": msgid("No voucher now"),
    "obey": msgid("Obey the card"),
    "push": msgid("Push him aside"),
    "alone": msgid("Go on alone"),
    "miss": msgid("Miss a turn"),
    "keep": msgid("Exchange nothing"),
    "yes": msgid("Yes, play on"),
    "no": msgid("No, end the match"),
    "join": msgid("Travel with the {0:overseer}"),
    "resign": msgid("Leave the match"),
    "show": msgid("{0:congregation}"),
    "play": msgid("Play “{0:card}”"),
    "burn": msgid("Burn “{0:card}”"),
    "use": msgid("Use “{0:card}”"),
    "retire": msgid("Stop here for good"),
    "take": msgid("The {0:colour} pawn"),
}


class MissionnairesText(GameText):
    """The texts of Les Missionnaires."""

    score_lines: Mapping[str, str] = {
        "visited": "Congregations visited",
        "turns": "Turns, missed ones included",
        "left": "Congregations left",
        "bons": "Vouchers left",
        "away": "Spaces from the Bethel",
    }
    short_labels: Mapping[str, str] = {"play": "Play", "burn": "Burn", "use": "Use"}

    feature_words: Mapping[str, tuple[str, str]] = {
        "tour": (
            "a way through all your congregations and home that is about {0} {0:turn|turns} longer",
            "a way through all your congregations and home that is about {0} {0:turn|turns} shorter",
        ),
        "unvisited": (
            "{0} more {0:congregation|congregations} to visit",
            "{0} fewer {0:congregation|congregations} to visit",
        ),
        "periodicals": ("{0} more {0:periodical|periodicals}", "{0} fewer {0:periodical|periodicals}"),
        "spare_periodicals": ("{0} more {0:periodical|periodicals}", "{0} fewer {0:periodical|periodicals}"),
        "bons": ("{0} more {0:voucher|vouchers} to use up", "{0} fewer {0:voucher|vouchers} to use up"),
        "tickets": ("one more voucher for the way", "one voucher less for the way"),
        "missed": ("{0} more {0:turn|turns} to miss", "{0} fewer {0:turn|turns} to miss"),
        "home": ("finished the journey", "not finished the journey yet"),
        "stopped": ("a journey cut short by the end of the match", "time to finish the journey"),
        "guarded": ("a gendarme in a town to visit", "no gendarme in a town to visit"),
    }

    feature_topics: Mapping[str, str] = {
        "tour": "way",
        "unvisited": "way",
        "company": "company",
        "tickets": "vouchers",
    }

    verbs: Mapping[str, str] = {"go": "A step", "leap": "A leap", "burn": "Burn a voucher", "play": "Play a voucher"}

    folded: Mapping[str, str] = {"burn": "Burn a voucher …"}

    def __init__(self, c: Components, domain: Domain) -> None:
        super().__init__(c.notation, domain)
        self.c = c
        self.names = {
            "space": c.space_names,
            "card": c.card_names,
            "text": c.card_texts,
            "overseer": c.overseer_names,
            "colour": c.colour_names,
        }

    def short_name(self, kind: str, number: int) -> Arg:
        return self.c.gendarmes[number].upper() if kind == "gendarme" else super().short_name(kind, number)

    def describe_difference(
        self, topic: str, better: State, other: State, seat: Seat
    ) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(better, Missionnaires)
        assert isinstance(other, Missionnaires)
        return describe_difference(topic, better, other, seat)

    def describe_choice(self, s: State, better: Option, other: Option) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(s, Missionnaires)
        return describe_choice(s, better, other)

    def heading(self, s: State) -> ActionHeading | None:
        """Return the heading of an action, the same for all steps of a bonus move, which never pay for speed."""
        if isinstance(s.asked, Onward) and s.asked.road_only:
            by_road = stages.BONUS_MOVE
            return ActionHeading(Message(by_road.name), [(Message(name), rule) for name, rule in by_road.stages], 1)
        return super().heading(s)

    def event_message(self, event: Event, viewer: Seat) -> Message | None:
        if event.type is events.MISSED and not event.facts[0]:
            return Message("{who} misses this turn.", who=event.seat)
        return super().event_message(event, viewer)

    def target_message(self, event: Event) -> Message | None:
        if event.type is events.MISSED and not event.facts[0]:
            return Message("You miss this turn.")
        return super().target_message(event)

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, Missionnaires)
        verb = self.notation.verb_of(o)
        chosen = o - verb.first
        if verb.word in ("go", "leap"):
            return self.label_step(s, o)
        if verb.word == "pay":
            due = s.asked.n if isinstance(s.asked, PayOrSkip) else self.c.push_fee
            return Message("Hand in {0} {0:periodical|periodicals}", due)
        if verb.word == "guard":
            return Message("Gendarme {0:gendarme} in {1:space}", chosen, s.gendarmes[chosen])
        if verb.word == "swap":
            return Message("{0:congregation}", s.hand[s.who][chosen])
        if verb.word == "move":
            rival = s.colour.index(chosen)
            return Message("{0:seat}, in {1:space}", rival, s.at[rival])
        if verb.word == "no" and s.v.play_on == EACH:
            return Message("No, I stop here")
        if verb.word == "play" and isinstance(s.asked, BonWindow) and forbids_bon(s, s.who, chosen) is not None:
            return Message("Lay down “{0:card}”", chosen)
        if verb.word == "done" and isinstance(s.asked, PlayAtOnce):
            return Message("Keep it")
        if verb.word == "stop" and isinstance(s.asked, Advance):
            return Message("Stay here")
        if isinstance(s.asked, Main) and verb.word == "pass" and gets_relief(s, s.who, s.asked.berth):
            return Message("Pass, and take {0} {0:periodical|periodicals}", self.c.relief)
        return Message(LABELS[verb.word], chosen)

    def label_step(self, s: Missionnaires, o: Option) -> Message:
        """Return the label of a step or leap, with its price and whether it goes by road or sea."""
        step = s.asked
        who = step.who
        move = step if isinstance(step, Onward) else make_main_move(s, who)
        to = find_landing_space(s, o)
        fast = compute_speed_price(s, who, o, move)
        pushes = self.c.push_fee if needs_push_fee(s, who, to) else 0
        if pushes and fast + pushes > s.periodicals[who]:  # a voucher pays the push (LM-8.4)
            return Message("{0}, for {1}", self.label_unpriced_step(s, o, to, who), self.format_push_price(fast))
        price = fast + pushes
        if o >= LEAP:
            return Message(
                "Leap over {2:seat} to {0:space}, for {1} {1:periodical|periodicals}"
                if price
                else "Leap over {2:seat} to {0:space}",
                to,
                price,
                s.find_proclaimer(find_leapt_space(s, o)),
            )
        if self.c.is_lane(s.at[who], o - GO):
            return Message(
                "Sail to {0:space}, for {1} {1:periodical|periodicals}" if price else "Sail to {0:space}", to, price
            )
        return Message(
            "Walk to {0:space}, for {1} {1:periodical|periodicals}" if price else "Walk to {0:space}", to, price
        )

    def label_unpriced_step(self, s: Missionnaires, o: Option, to: int, who: int) -> Message:
        """Return the label of a step or leap without its price."""
        if o >= LEAP:
            return Message("Leap over {1:seat} to {0:space}", to, s.find_proclaimer(find_leapt_space(s, o)))
        return Message("Sail to {0:space}" if self.c.is_lane(s.at[who], to) else "Walk to {0:space}", to)

    def format_push_price(self, speed_due: int) -> Message:
        """Return the price of a push paid by a BON, with the speed fee if one is due."""
        return Message("{0} {0:periodical|periodicals} and a voucher", speed_due) if speed_due else Message("a voucher")

    def name_of(self, kind: str, number: int) -> Arg:
        if kind == "gendarme":
            return self.c.gendarmes[number].upper()
        if kind == "congregation":
            space = self.c.congregation_at[number]
            return Message("{0:space} ({1})", space, self.c.grids[space])
        return super().name_of(kind, number)

    def table_notes(self, view: MissionnairesView) -> Sequence[TableNote]:
        return list(list_table_notes(self.c, view))
