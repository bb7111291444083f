"""Displacements of pawns: storms, the return to port, and cards that move another player (LM-4.6, LM-R11, L124)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import NOBODY, Option, Seat, Step
from triclinium.games.missionnaires.rules import stages
from triclinium.games.missionnaires.rules.actions.obstacles import Onward, end_move
from triclinium.games.missionnaires.rules.components import CONGREGATION, OFF, RIVAL, SEA, TO
from triclinium.games.missionnaires.rules.events import CAST_ASHORE, DISPLACED, MOVED, STAYS
from triclinium.games.missionnaires.rules.refusals import (
    AT_THE_BETHEL,
    NOT_AT_SEA,
    NOT_EMPTY,
    PORT_TAKEN,
    RIVAL_STUCK,
    TO_THE_BETHEL,
)
from triclinium.games.missionnaires.rules.state import ASHORE, Missionnaires


def can_be_put(s: Missionnaires, who: Seat, space: int) -> bool:
    """Return whether a card may put the proclaimer on a space.

    Another proclaimer or a gendarme prevents it. If an overseer accompanies the proclaimer, another overseer on the
    space prevents it too. The Bethel is always allowed.
    """
    if space == s.c.bethel:
        return True
    if s.is_barred_by_proclaimer(space) or s.has_gendarme(space):
        return False
    return s.find_overseer(who) == OFF or not s.has_lone_overseer(space)


def displace_pawn(s: Missionnaires, who: Seat, space: int, territory: int) -> None:
    """LM-4.6  Put a pawn on a space by a card."""
    s.emit(MOVED, who, (s.at[who], space), "LM-4.6")
    place_and_arrive(s, who, space, territory)


def place_and_arrive(s: Missionnaires, who: Seat, space: int, territory: int) -> None:
    """Put the pawn on a space and start the arrival; `territory` is 1 if a green town gives its card."""
    s.place_pawn(who, space)
    s.flow.arrive_on_space(s, who, territory)


class OnPass(Step[Missionnaires]):
    """LM-R4  A marker beneath a territory card that was taken on the way; the move continues once it is obeyed."""

    id: ClassVar[str] = "OnPass"

    def run(self, s: Missionnaires) -> None:
        pass


def end_move_on_pass(s: Missionnaires) -> None:
    """LM-R4  End the move after a *skip*, *goto* or *advance* card taken on the way, and drop its pending arrival."""
    if s.v.card_on_pass and s.stack and isinstance(s.stack[-1], OnPass):
        while not isinstance(s.stack.pop(), Onward):
            pass
        s.stack.pop()  # Drop the arrival at the end of the move.


def apply_storm(s: Missionnaires, who: Seat) -> None:
    """Let the next player put the pawn ashore in an empty port joined to its sea point, and end the move.

    Without such a port the pawn stays.
    """
    end_move(s)
    here = s.at[who]
    if s.c.kind[here] == SEA:
        for port in s.c.lanes[here]:
            if s.c.kind[port] != SEA and s.is_empty(port):
                # Drop the arrival at the end of the move, because the storm adds its own arrival.
                s.stack.pop()
                s.push(make_storm_step(s))
                return
    s.emit(STAYS, who, (here,), "LM-8.1")


def make_storm_step(s: Missionnaires) -> Step[Missionnaires]:
    """LM-R11, LM-R15  Return the choice of the port by the next active player, or a random choice."""
    chooser = s.get_next_seat(s.turn)
    return Castaway(NOBODY) if chooser == s.turn else StormPort(chooser)


class Castaway(Step[Missionnaires]):
    """LM-R11  A random choice of the port when nobody else plays on."""

    id: ClassVar[str] = "Castaway"

    def run(self, s: Missionnaires) -> None:
        here = s.at[s.turn]
        ports = [port for port in s.c.lanes[here] if s.c.kind[port] != SEA and s.is_empty(port)]
        s.undo_barrier += 1
        s.shuffle_again(ASHORE, ports)
        displace_pawn(s, s.turn, ports[0], 1)


class StormPort(Step[Missionnaires]):
    """LM-R11  The choice by the next player of the port where the storm casts the pawn ashore."""

    id: ClassVar[str] = "StormPort"
    action: ClassVar[Action | None] = stages.AT_SEA
    question: ClassVar[str] = "A storm: in which port does {0:seat} come ashore?"

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [TO + port for port in s.c.lanes[s.at[s.turn]] if s.c.kind[port] != SEA]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (s.turn,)

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        return None if s.is_empty(o - TO) else PORT_TAKEN

    def apply(self, s: Missionnaires, o: Option) -> None:
        who = s.turn
        s.emit(CAST_ASHORE, self.who, (s.at[who], o - TO, who), "LM-4.6")
        block_undo_at_congregation(s, o - TO)
        place_and_arrive(s, who, o - TO, 1)


def return_to_port(s: Missionnaires, who: Seat) -> None:
    """Return a pawn at sea to the last port it sailed from, if the port is free, and end the move.

    Otherwise the pawn stays.
    """
    end_move(s)
    here = s.at[who]
    port = s.sailed_from[who]
    if s.c.kind[here] == SEA and port != OFF and can_be_put(s, who, port):
        s.stack.pop()  # Drop the arrival at the end of the move, because the port adds its own arrival.
        displace_pawn(s, who, port, 1)
    else:
        s.emit(STAYS, who, (here,), "LM-8.1")


def block_undo_at_congregation(s: Missionnaires, town: int) -> None:
    """LM-4.2, LM-R17  Block undo of a move that put another player into a congregation.

    The move shows whether the card of the congregation is in that player's hand.
    """
    if s.c.kind[town] == CONGREGATION:
        s.undo_barrier += 1


def forbids_move_to(s: Missionnaires, town: int) -> Rule | None:
    """L124, LM-R11  Return why a card may not move another proclaimer to a space, or None."""
    if s.c.kind[town] == SEA:
        return NOT_AT_SEA
    if town == s.c.bethel:
        return TO_THE_BETHEL
    return None if s.is_empty(town) else NOT_EMPTY


class MoveRival(Step[Missionnaires]):
    """*displace*  The choice of the other proclaimer to move; nothing happens if none can move."""

    id: ClassVar[str] = "MoveRival"
    action: ClassVar[Action | None] = stages.RIVAL
    question: ClassVar[str] = "Which other proclaimer do you move?"

    def applies(self, s: Missionnaires) -> bool:
        return len(self.options(s)) > 0

    def candidates(self, s: Missionnaires) -> list[Option]:
        return sorted([RIVAL + s.colour[other] for other in s.list_unfinished_seats() if other != self.who])

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        here = s.at[s.colour.index(o - RIVAL)]
        if here == s.c.bethel:
            return AT_THE_BETHEL
        for town in s.c.roads[here]:
            if forbids_move_to(s, town) is None:
                return None
        return RIVAL_STUCK

    def apply(self, s: Missionnaires, o: Option) -> None:
        s.push(RivalTo(self.who, s.colour.index(o - RIVAL)))


class RivalTo(Step[Missionnaires]):
    """*displace*  The choice of the space: along one road, to an empty town that is not the Bethel (LM-R11)."""

    id: ClassVar[str] = "RivalTo"
    action: ClassVar[Action | None] = stages.RIVAL
    stage: ClassVar[int] = 2
    question: ClassVar[str] = "Where do you move {0:seat}?"

    def __init__(self, who: Seat, rival: Seat) -> None:
        super().__init__(who)
        self.rival: Final = rival

    def fields(self) -> tuple[int, ...]:
        return (self.rival,)

    def applies(self, s: Missionnaires) -> bool:
        return s.is_playing(self.rival)

    def candidates(self, s: Missionnaires) -> list[Option]:
        return [TO + town for town in s.c.near[s.at[self.rival]]]

    def question_parameters(self, s: Missionnaires) -> tuple[int, ...]:
        return (self.rival,)

    def forbids(self, s: Missionnaires, o: Option) -> Rule | None:
        return forbids_move_to(s, o - TO)

    def apply(self, s: Missionnaires, o: Option) -> None:
        s.emit(DISPLACED, self.who, (s.at[self.rival], o - TO, self.rival), "LM-R11")
        block_undo_at_congregation(s, o - TO)
        place_and_arrive(s, self.rival, o - TO, 0)
