"""Texts that need code: pieces in words, labels of options, score lines, and the table in plain text."""

from collections.abc import Mapping, Sequence

from triclinium.engine.core.state import Option, Seat, State, Step
from triclinium.engine.core.text import Arg, JoinedList, Message, SeatName, msgid
from triclinium.engine.game_text import ActionHeading, GameText, TableNote
from triclinium.games.testoftime.rules import stages
from triclinium.games.testoftime.rules.actions.attack import ChooseTarget
from triclinium.games.testoftime.rules.actions.create import compute_create_cost
from triclinium.games.testoftime.rules.actions.meet import Meet
from triclinium.games.testoftime.rules.actions.payment import Payment
from triclinium.games.testoftime.rules.actions.preserve import ChoosePreserved, compute_preserve_cost
from triclinium.games.testoftime.rules.actions.reverse import (
    ChooseReversed,
    ChooseRounds,
    Past,
    PayForMark,
    count_shamans_for,
)
from triclinium.games.testoftime.rules.components import (
    AT,
    BUILD,
    FOLLOWERS,
    FROM,
    KEEP,
    KINDS,
    MEND,
    ON,
    PASS,
    REVERSE,
    ROUNDS,
    SHAMANS,
    Components,
)
from triclinium.games.testoftime.rules.reversal_effects import (
    can_change_past,
    count_best_sections,
    count_max_section_changes,
    find_best_round_count,
)
from triclinium.games.testoftime.rules.state import NONE, Pieces, Slot, TestOfTime, count_followers, count_shamans
from triclinium.games.testoftime.rules.turn import Move
from triclinium.games.testoftime.ui.hint_reasons import describe_choice, describe_end_of_round
from triclinium.games.testoftime.ui.pieces import describe_pieces
from triclinium.games.testoftime.ui.table_notes import list_table_notes
from triclinium.games.testoftime.ui.view import TestOfTimeView, compute_prospective_points, find_question_slot
from triclinium.i18n.catalog import Domain

MOVE_LABELS = (
    msgid("Create"),
    msgid("Preserve"),
    msgid("Sire"),
    msgid("Sire Shaman"),
    msgid("Convert"),
    msgid("Attack"),
    msgid("Defend"),
    msgid("Reverse Time"),
    msgid("Pass"),
)


class TestOfTimeText(GameText):
    """The texts of Test of Time."""

    short_labels: Mapping[str, str] = {"on": "Here", "at": "Here", "build": "Create", "from": "From here"}

    def __init__(self, c: Components, domain: Domain) -> None:
        super().__init__(c.notation, domain)
        self.c = c
        self.names = {"kind": c.names}

    def describe_difference(
        self, topic: str, better: State, other: State, seat: Seat
    ) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(better, TestOfTime)
        assert isinstance(other, TestOfTime)
        return describe_end_of_round(better, other, seat)

    def describe_choice(self, s: State, better: Option, other: Option) -> tuple[str, tuple[int, ...]] | None:
        assert isinstance(s, TestOfTime)
        return describe_choice(s, better, other)

    def name_of(self, kind: str, number: int) -> Arg:
        if kind == "pieces":
            return describe_packed_pieces(number)
        if kind == "dead":
            return describe_deaths(number)
        if kind == "seats":
            return JoinedList([SeatName(seat) for seat in range(number.bit_length()) if (number >> seat) & 1])
        return super().name_of(kind, number)

    def question(self, s: State) -> Message:
        """TT-12.2, TT-12.4  Return the question of a move, and the fate of the Testament that loses most."""
        asked, step = super().question(s), s.asked
        if not isinstance(step, Move):
            return asked
        assert isinstance(s, TestOfTime)
        own = range(step.who * self.c.spaces, (step.who + 1) * self.c.spaces)
        attacked = [slot for slot in own if s.compute_uncovered_attack(slot) > 0]
        if not attacked:
            return asked
        worst = min(
            attacked,
            key=lambda slot: (
                (self.count_sections_after_round(s, slot) - s.visible[slot])
                * compute_prospective_points(s, slot)
                / s.visible[slot]
            ),
        )
        space, kind, before, after = (
            s.get_space_number(worst),
            s.kind[worst],
            s.visible[worst],
            self.count_sections_after_round(s, worst),
        )
        if after == 0:
            return Message("{0} If all pass, your Testament on space {1} ({2:kind}) is buried.", asked, space, kind)
        falls = msgid(
            "{0} If all pass, your Testament on space {1} ({2:kind}) falls from {3} to {4} {4:section|sections}."
        )
        return Message(falls, asked, space, kind, before, after)

    def heading(self, s: State) -> ActionHeading | None:
        """TT-11.7  Return the heading of an action; reversing a rival's past has other stages."""
        own, step = super().heading(s), s.asked
        if (
            not isinstance(step, (ChooseRounds, Past, PayForMark))
            or find_question_slot(step) // self.c.spaces == step.who
        ):
            return own
        parts: list[tuple[Arg, str]] = [(Message(name), rule) for name, rule in stages.REVERSE_A_RIVAL.stages]
        return ActionHeading(Message(stages.REVERSE_A_RIVAL.name), parts, step.stage)

    def count_sections_after_round(self, s: TestOfTime, slot: Slot) -> int:
        """TT-12.4  Return the number of sections that would be left if the round ended now."""
        return max(0, s.visible[slot] - s.compute_uncovered_attack(slot) - (0 if s.keepers[slot] else 1))

    def label(self, s: State, o: Option) -> Message:
        assert isinstance(s, TestOfTime)
        step = s.asked
        if o == REVERSE and isinstance(step, Move) and o in s.legal and not can_change_past(s, step.who):
            return Message("Reverse Time: nothing can be changed, and shamans die for it")  # TT-R13
        if o <= PASS:
            return Message(MOVE_LABELS[o])
        if ON <= o < BUILD:
            return self.label_space(s, step, step.who * self.c.spaces + o - ON)
        if BUILD <= o < FROM:
            return Message("{0}, for {1}", self.c.names[o - BUILD], compute_create_cost(s, step.who, o - BUILD))
        if FROM <= o < AT:
            return Message("{0}, {1} {1:follower|followers} waiting", SeatName(o - FROM), s.waiting[o - FROM])
        if AT <= o < SHAMANS:
            slot = o - AT
            owner = slot // self.c.spaces
            target = self.label_target(s, owner, slot)
            if isinstance(step, ChooseTarget) and s.visible[slot] > 0:
                stake = msgid("{0}, {1} {1:point|points} at the end; {2} waiting to defend")
                return Message(stake, target, compute_prospective_points(s, slot), s.compute_waiting_worth(owner))
            if isinstance(step, ChooseReversed) and o in s.legal:
                return Message(
                    "{0}; {1}",
                    target,
                    describe_reversal_reach(s, step.who, slot, *find_best_round_count(s, step.who, slot)),
                )
            return target
        if SHAMANS <= o < FOLLOWERS:
            shamans = o - SHAMANS
            if isinstance(step, Payment):
                followers = max(0, step.cost - shamans * step.power)
                return Message("{0} {0:shaman|shamans} and {1} {1:follower|followers}", shamans, followers)
            return Message("{0} {0:shaman|shamans}", shamans)
        if FOLLOWERS <= o < ROUNDS:
            if isinstance(step, Meet):
                return self.label_meet(s, step, o - FOLLOWERS)
            return Message("{0} {0:follower|followers}", o - FOLLOWERS)
        if ROUNDS <= o < KEEP:
            n = o - ROUNDS
            dead = count_shamans_for(n, s.get_shaman_power(step.who))
            label = Message("{0} {0:round|rounds}, for {1} {1:shaman|shamans}", n, dead)
            if isinstance(step, ChooseRounds) and o in s.legal:
                who, slot = step.who, step.slot
                effect = describe_reversal_reach(
                    s, who, slot, count_best_sections(s, who, slot, n), count_max_section_changes(s, who, slot, n)
                )
                return Message("{0}: {1}", label, effect)
            return label
        if o == KEEP:
            return Message("Leave it as it was")
        price = step.price if isinstance(step, Past) else 0
        if o == MEND:
            return Message("Preserve it, for {0}", price)
        if price == 0:
            return Message("Spoil this preservation too, for free")  # TT-14.6
        return Message("Spoil its preservation, for {0}", price)

    def label_meet(self, s: TestOfTime, step: Meet, met: int) -> Message:
        """TT-12.2  Return the number of met followers and how many of them die."""
        dead = max(0, met - s.count_deaths_saved(step.rival))
        return Message("{0} of {1}: {2} {2:dies|die}", met, SeatName(step.rival), dead)

    def label_space(self, s: TestOfTime, step: Step[TestOfTime], slot: Slot) -> Message:
        space = s.get_space_number(slot)
        if s.making[slot] != NONE:
            return Message("Space {0}: {1} being created", space, self.c.names[s.making[slot]])
        if s.kind[slot] == NONE:
            return Message("Space {0}, vacant", space)
        kind = self.c.names[s.kind[slot]]
        if s.visible[slot] == 0:
            return Message("Space {0}: {1}, buried", space, kind)
        if isinstance(step, ChoosePreserved):
            return Message("Space {0}: {1}, for {2}", space, kind, compute_preserve_cost(s, slot))
        return Message("Space {0}: {1}, {2} {2:section|sections} visible", space, kind, s.visible[slot])

    def label_target(self, s: TestOfTime, owner: Seat, slot: Slot) -> Message:
        """Return the label of a space in the land of any seat."""
        space, whose = s.get_space_number(slot), SeatName(owner)
        if s.making[slot] != NONE:
            return Message("{0}, space {1}: {2} being created", whose, space, self.c.names[s.making[slot]])
        if s.kind[slot] == NONE:
            return Message("{0}, space {1}: vacant", whose, space)
        kind = self.c.names[s.kind[slot]]
        if s.visible[slot] == 0:
            return Message("{0}, space {1}: {2}, buried", whose, space, kind)
        standing = msgid("{0}, space {1}: {2}, {3} {3:section|sections} visible")
        return Message(standing, whose, space, kind, s.visible[slot])

    def score_line(self, name: str) -> Message:
        kind, *space = name.split()
        kind_name = self.c.names[KINDS.index(kind)]
        return Message("{0} on space {1}", kind_name, int(space[0])) if space else Message("{0}", kind_name)

    def table_notes(self, view: TestOfTimeView) -> Sequence[TableNote]:
        return list(list_table_notes(self.c, view))


def describe_reversal_reach(s: TestOfTime, who: int, slot: Slot, sections: int, changed: int) -> Message:
    """TT-11.7, TT-R13  Return the reach of a reversal, or a warning if nothing can be changed."""
    if changed == 0:
        return Message("nothing can be changed there")
    if sections == 0:
        return Message("it stays buried") if slot // s.c.spaces == who else Message("it can be buried")
    if slot // s.c.spaces == who:
        return Message("from {0} up to {1} {1:section|sections}", s.visible[slot], sections)
    return Message("from {0} down to {1} {1:section|sections}", s.visible[slot], sections)


def describe_packed_pieces(pieces: Pieces) -> Message:
    """Return packed pieces in words."""
    return describe_pieces(count_followers(pieces), count_shamans(pieces))


def describe_deaths(dead: Pieces) -> Message:
    """Return the dead in words."""
    followers, shamans = count_followers(dead), count_shamans(dead)
    if dead == 0:
        return Message("no one dies")
    if shamans == 0:
        return Message("{0} {0:follower dies|followers die}", followers)
    if followers == 0:
        return Message("{0} {0:shaman dies|shamans die}", shamans)
    return Message("{0} {0:follower|followers} and {1} {1:shaman|shamans} die", followers, shamans)
