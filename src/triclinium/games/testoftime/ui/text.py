"""What the title says: questions, labels, log lines, score lines, and the table in plain text."""

from triclinium.engine.core.event import Event
from triclinium.engine.core.state import Option, Seat, State, Step
from triclinium.engine.core.text import Arg, Message, Name, Reader, SeatName
from triclinium.engine.words import Words
from triclinium.games.testoftime.rules.actions.create import ChooseKind, create_cost
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import ChoosePreserved, preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import Past, PayForMark, shamans_for
from triclinium.games.testoftime.rules.components import (
    AT,
    BUILD,
    FOLLOWERS,
    FROM,
    KEEP,
    KINDS,
    MEND,
    MOVES,
    ON,
    PASS,
    ROUNDS,
    SHAMANS,
    SPOIL,
    Components,
)
from triclinium.games.testoftime.rules.state import NONE, Slot, TestOfTime, is_preserved, strips_by_attack
from triclinium.games.testoftime.ui.plain import plain_table
from triclinium.games.testoftime.ui.view import TestOfTimeView, slot_of
from triclinium.i18n.catalog import Domain

QUESTIONS = {
    "Move": "Your move: {0} {0:follower|followers} and {1} {1:shaman|shamans} waiting.",
    "ChooseSpace": "On which space do you create?",
    "ChooseKind": "What do you create on space {1}?",
    "PayForCreate": "How many shamans help to create {0}? It takes {2}, and a shaman counts {3}.",
    "ChoosePreserved": "Which Testament do you preserve?",
    "PayForPreserve": "How many shamans help to preserve {0}? It takes {2}, and a shaman counts {3}.",
    "PayForSire": "How many shamans are among the parents? It takes {2}, and a shaman counts {3}.",
    "PayForSireShaman": "How many parents, who die unless saved, are shamans? It takes {2}, and a shaman counts {3}.",
    "ChooseRival": "Whose follower do you convert?",
    "PayForConvert": "How many shamans help to convert? It takes {2}, and a shaman counts {3}.",
    "ChooseTarget": "Which Testament do you attack?",
    "AttackWithShamans": "How many shamans attack {0} of {1}?",
    "AttackWithFollowers": "How many followers attack {0} of {1}, beside {2} {2:shaman|shamans}?",
    "ChooseDefended": "Which Testament do you defend?",
    "DefendWithShamans": "How many shamans defend {0}? Uncovered attack: {2}.",
    "DefendWithFollowers": "How many followers defend {0} beside {3} {3:shaman|shamans}? Uncovered attack: {2}.",
    "ChooseReversed": "The past of which Testament do you take up?",
    "ChooseRounds": "How many rounds do you reverse for {0} of {1}?",
    "ChooseMark": "Round {2} of {0} of {1}: leave it, or change its mark for {3}?",
    "PayForMark": "How many shamans help to change round {2} of {0} of {1}? It takes {3}, and a shaman counts {4}.",
    "DefendPastWithShamans": "Round {2} of {0}: attackers took {3} {3:section|sections}. How many shamans defend?",
    "DefendPastWithFollowers": "Round {2} of {0}: attackers took {3} {3:section|sections}. How many followers defend?",
}

MOVE_LABELS = {
    "create": "Create",
    "preserve": "Preserve",
    "sire": "Sire",
    "sire_shaman": "Sire Shaman",
    "convert": "Convert",
    "attack": "Attack",
    "defend": "Defend",
    "reverse": "Reverse Time",
    "pass": "Pass",
}

LABELS = {
    "vacant": "Space {0}, vacant",
    "standing": "Space {0}: {1}, {2} {2:section|sections} visible",
    "buried": "Space {0}: {1}, buried",
    "creating": "Space {0}: {1} being created",
    "preserve": "Space {0}: {1}, for {2}",
    "build": "{0}, for {1}",
    "from": "{0}, {1} {1:follower|followers} waiting",
    "rival": "{0}: {1}",
    "pay": "{0} {0:shaman|shamans} and {1} {1:follower|followers}",
    "shamans": "{0} {0:shaman|shamans}",
    "followers": "{0} {0:follower|followers}",
    "rounds": "{0} {0:round|rounds}, for {1} {1:shaman|shamans}",
    "keep": "Leave it as it was",
    "mend": "Preserve it, for {0}",
    "spoil": "Spoil its preservation, for {0}",
}

NEWS = {
    "round": "Round {1} begins with {0}.",
    "mercy": "{0} receives {1} {1:follower|followers} out of mercy.",
    "passes": "{0} passes.",
    "creates": "{0} starts to create {1} on space {2} with {3}.",
    "preserves": "{0} preserves {1} on space {2} with {3}.",
    "sires": "{0} sires a follower with {1}.",
    "sires_shaman": "{0} sires a shaman with {1}.",
    "converts": "{0} converts a follower of {1} with {2}.",
    "attacks": "{0} attacks {1} of {2} with {3}.",
    "defends": "{0} defends {1} with {2}.",
    "reverses": "{0} reverses {1} {1:round|rounds} of {2} of {3}; {4} {4:shaman dies|shamans die}.",
    "mends": "In round {1}, {0} has {2} preserved after all, with {3}.",
    "spoils": "In round {1}, {0} spoils the preservation of {2} of {3}, with {4}.",
    "covers": "In round {1}, {0} defends {2} and saves {3} {3:section|sections}, with {4}.",
    "returned": "Back in the present {0} of {1} shows {3} {3:section|sections} instead of {2}.",
    "returned_same": "Back in the present {0} of {1} still shows {3} {3:section|sections}.",
    "returned_buried": "Back in the present {0} of {1} is buried.",
    "past_dead": "{0} {0:follower dies|followers die} defending the past.",
    "fell": "{0} loses {1} {1:follower|followers} in the fight for {2} of {3}.",
    "aged_preserved": "{0} of {1} is preserved.",
    "aged_decayed": "{0} of {1} decays: {2} {2:section|sections} left.",
    "aged_struck": "{0} of {1} loses {3} {3:section|sections} by attack: {2} left.",
    "aged_struck_decayed": "{0} of {1} loses {3} {3:section|sections} by attack and decays: {2} left.",
    "aged_buried": "{0} of {1} is buried.",
    "created": "{0} has created {1} on space {2}; {3}.",
    "parents": "The new shaman of {0} comes home; {1}.",
    "nobody_dies": "nobody dies",
    "followers_die": "{0} {0:follower dies|followers die}",
    "shamans_die": "{0} {0:shaman dies|shamans die}",
    "both_die": "{0} {0:follower|followers} and {1} {1:shaman|shamans} die",
    "over": "The last round is over.",
    "scored": "{0} of {1}: {2} gold {2:dot|dots} in {3} {3:round|rounds} make {4} {4:point|points}.",
}

FORCES = {
    "followers": "{0} {0:follower|followers}",
    "shamans": "{0} {0:shaman|shamans}",
    "both": "{0} {0:follower|followers} and {1} {1:shaman|shamans}",
}

SCORE_LINE = "{0} on space {1}"


class TestOfTimeWords(Words):
    """The words of Test of Time."""

    def __init__(self, c: Components, domain: Domain) -> None:
        super().__init__(c.notation, domain)
        self.c = c

    # -- questions --------------------------------------------------------------------------------------------------

    def question(self, s: State) -> Message:
        assert isinstance(s, TestOfTime)
        step = s.asked
        text = QUESTIONS[step.id]
        return Message(text, *self.question_args(s, step))

    def question_args(self, s: TestOfTime, step: Step[TestOfTime]) -> list[Arg]:
        """What fills the question: {0} the Testament, {1} its owner or its space, then what counts."""
        name = step.id
        if name == "Move":
            return [s.waiting[step.who], s.waiting_shamans[step.who]]
        slot = slot_of(step)
        if slot == NONE:
            return [0, 0, step.cost, step.power] if isinstance(step, Payment) else []
        owner = SeatName(slot // self.c.spaces)
        space = slot % self.c.spaces + 1
        if isinstance(step, ChooseKind):
            return [0, space]
        if name == "PayForCreate":
            assert isinstance(step, Payment)
            return [self.c.names[step.fields()[3]], space, step.cost, step.power]
        kind = self.c.names[s.kind[slot]]
        if isinstance(step, PayForMark):
            return [kind, owner, s.since[slot] + step.past.at + 1, step.cost, step.power]
        if isinstance(step, Payment):
            return [kind, space, step.cost, step.power]
        if isinstance(step, Past):
            record = step.record(s)
            figure = step.price if name == "ChooseMark" else strips_by_attack(record)
            return [kind, owner, s.since[slot] + step.at + 1, figure]
        facts = step.fields()
        beside = facts[1] if len(facts) > 1 else 0
        if name.startswith("Defend"):
            return [kind, owner, s.uncovered(slot), beside]
        return [kind, owner, beside]

    # -- labels -----------------------------------------------------------------------------------------------------

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, TestOfTime)
        step = s.asked
        if o <= PASS:
            return Message(MOVE_LABELS[MOVES[o]])
        if ON <= o < BUILD:
            return self.space_label(s, step, step.who * self.c.spaces + o - ON)
        if BUILD <= o < FROM:
            return Message(LABELS["build"], self.c.names[o - BUILD], create_cost(s, step.who, o - BUILD))
        if FROM <= o < AT:
            return Message(LABELS["from"], SeatName(o - FROM), s.waiting[o - FROM])
        if AT <= o < SHAMANS:
            slot = o - AT
            return Message(LABELS["rival"], SeatName(slot // self.c.spaces), self.space_label(s, step, slot))
        if SHAMANS <= o < FOLLOWERS:
            shamans = o - SHAMANS
            if isinstance(step, Payment):
                return Message(LABELS["pay"], shamans, max(0, step.cost - shamans * step.power))
            return Message(LABELS["shamans"], shamans)
        if FOLLOWERS <= o < ROUNDS:
            return Message(LABELS["followers"], o - FOLLOWERS)
        if ROUNDS <= o < KEEP:
            return Message(LABELS["rounds"], o - ROUNDS, shamans_for(o - ROUNDS, s.power(step.who)))
        price = step.price if isinstance(step, Past) else 0
        return Message(LABELS[{KEEP: "keep", MEND: "mend", SPOIL: "spoil"}[o]], price)

    def space_label(self, s: TestOfTime, step: Step[TestOfTime], slot: Slot) -> Message:
        space = slot % self.c.spaces + 1
        if s.making[slot] != NONE:
            return Message(LABELS["creating"], space, self.c.names[s.making[slot]])
        if s.kind[slot] == NONE:
            return Message(LABELS["vacant"], space)
        kind = self.c.names[s.kind[slot]]
        if s.seen[slot] == 0:
            return Message(LABELS["buried"], space, kind)
        if isinstance(step, ChoosePreserved):
            return Message(LABELS["preserve"], space, kind, preserve_cost(s, slot))
        return Message(LABELS["standing"], space, kind, s.seen[slot])

    # -- the log ----------------------------------------------------------------------------------------------------

    def event(self, event: Event, viewer: Seat) -> Message | None:
        who = SeatName(event.seat)
        facts = event.facts
        kind = event.kind
        if kind in ("chosen", "forced"):
            return Message(NEWS["passes"], who) if facts[0] == PASS else None
        if kind in ("round", "mercy"):
            return Message(NEWS[kind], who, facts[0])
        if kind in ("sires", "sires_shaman"):
            return Message(NEWS[kind], who, force(facts[0], facts[1]))
        if kind == "converts":
            return Message(NEWS[kind], who, SeatName(facts[0]), force(facts[1], facts[2]))
        if kind == "parents":
            return Message(NEWS[kind], who, deaths(facts[0], facts[1]))
        if kind == "over":
            return Message(NEWS[kind])
        if kind == "aside":
            return None
        return self.testament_event(kind, who, facts)

    def testament_event(self, kind: str, who: SeatName, facts: tuple[int, ...]) -> Message | None:
        """A line about one Testament: its slot and its kind are the first two facts."""
        owner = SeatName(facts[0] // self.c.spaces)
        space = facts[0] % self.c.spaces + 1
        card = self.c.names[facts[1]]
        if kind in ("creates", "preserves"):
            return Message(NEWS[kind], who, card, space, force(facts[2], facts[3]))
        if kind == "attacks":
            return Message(NEWS[kind], who, card, owner, force(facts[2], facts[3]))
        if kind == "defends":
            return Message(NEWS[kind], who, card, force(facts[2], facts[3]))
        if kind == "reverses":
            return Message(NEWS[kind], who, facts[2], card, owner, facts[3])
        if kind == "mends":
            return Message(NEWS[kind], who, facts[2], card, force(facts[3], facts[4]))
        if kind == "spoils":
            return Message(NEWS[kind], who, facts[2], card, owner, force(facts[3], facts[4]))
        if kind == "covers":
            return Message(NEWS[kind], who, facts[2], card, facts[3], force(facts[4], facts[5]))
        if kind == "returned":
            before, after = facts[2], facts[3]
            form = "returned_same" if before == after else "returned" if after else "returned_buried"
            return Message(NEWS[form], card, owner, before, after)
        if kind == "past_dead":
            return Message(NEWS[kind], facts[2])
        if kind == "fell":
            return Message(NEWS[kind], who, facts[2], card, owner)
        if kind == "aged":
            return self.aged(card, owner, facts[2], facts[3], facts[4])
        if kind == "created":
            return Message(NEWS[kind], who, card, space, deaths(facts[2], facts[3]))
        assert kind == "scored", kind
        return Message(NEWS[kind], card, owner, facts[2], facts[3], facts[4])

    def aged(self, card: Name, owner: SeatName, record: int, before: int, after: int) -> Message | None:
        """What the end of a round did to a Testament; nothing, if it was buried before."""
        if before == 0:
            return None
        if after == 0:
            return Message(NEWS["aged_buried"], card, owner)
        strips = strips_by_attack(record)
        preserved = is_preserved(record)
        if strips:
            return Message(NEWS["aged_struck" if preserved else "aged_struck_decayed"], card, owner, after, strips)
        return Message(NEWS["aged_preserved" if preserved else "aged_decayed"], card, owner, after)

    # -- the rest ---------------------------------------------------------------------------------------------------

    def score_line(self, name: str) -> Message:
        kind, space = name.split()
        return Message(SCORE_LINE, self.c.names[KINDS.index(kind)], int(space))

    def figure(self, kind: str, number: int) -> Arg:
        assert kind == "kind", kind
        return self.c.names[number]

    def table(self, view: TestOfTimeView, reader: Reader) -> str:
        return plain_table(self.c, view, reader)


def force(followers: int, shamans: int) -> Message:
    """Pieces in words."""
    if shamans == 0:
        return Message(FORCES["followers"], followers)
    if followers == 0:
        return Message(FORCES["shamans"], shamans)
    return Message(FORCES["both"], followers, shamans)


def deaths(followers: int, shamans: int) -> Message:
    """The dead in words."""
    if followers == 0 and shamans == 0:
        return Message(NEWS["nobody_dies"])
    if shamans == 0:
        return Message(NEWS["followers_die"], followers)
    if followers == 0:
        return Message(NEWS["shamans_die"], shamans)
    return Message(NEWS["both_die"], followers, shamans)
