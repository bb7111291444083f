"""Threats: moves of rivals that one option allows and another avoids, such as ``Ben sails from Corinth to Rome``.

A threat is described with the public sentence of the log. It is given only if all sampled worlds agree, because a move
that depends on a hidden card is possible in some worlds only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, Event
from triclinium.engine.core.state import Option, Seat, State

MIN_WORLDS = 3  # minimum number of worlds, because two may hold the same hidden card by chance


@dataclass(frozen=True, order=True)
class Threat:
    """A rival's answer to an option."""

    weight: int
    hits_decider: bool  # whether it affects the deciding seat
    seat: Seat  # the rival's seat
    option: Option  # the rival's option
    sentence: str  # the public template of the log line
    facts: tuple[int, ...]


@dataclass
class RivalAnswers:
    """The rivals' answers in one world, and all their possible options."""

    done: set[Threat] = field(default_factory=set)
    possible: set[tuple[Seat, Option]] = field(default_factory=set)
    had_turns: bool = False  # whether the rivals had their own turns

    def play_option(self, s: State, o: Option, decider: Seat) -> None:
        """Play an option of a rival and note its events."""
        who = s.who
        self.possible.update((who, other) for other in s.legal)
        s.events = []
        s.choose(o)
        self.done.update(_build_threat(event, o, decider) for event in s.events if _is_threat(event, who))
        s.events = None


def _is_threat(event: Event, who: Seat) -> bool:
    return event.seat == who and event.type.weight > BOOKKEEPING and bool(event.type.text)


def _build_threat(event: Event, o: Option, decider: Seat) -> Threat:
    return Threat(event.type.weight, event.target_seat == decider, event.seat, o, event.type.text, event.facts)


def find_avoided_threats(best: Sequence[RivalAnswers], other: Sequence[RivalAnswers], secrets: bool) -> list[Threat]:
    """Return answers that occur in every world after the other option and are impossible after the better one.

    The worst threat comes first. A threat to the deciding seat only needs to be absent after the better option, not
    impossible. Ordinary moves that do not affect the deciding seat are no threats.
    """
    if secrets and len(other) < MIN_WORLDS:
        return []
    common = set.intersection(*(answers.done for answers in other))
    possible = {threat for answers in best for threat in answers.possible}
    done = {threat for answers in best for threat in answers.done}
    threats = [
        threat
        for threat in common - done
        if threat.hits_decider or (threat.weight >= IMPORTANT and (threat.seat, threat.option) not in possible)
    ]
    return sorted(threats, reverse=True)
