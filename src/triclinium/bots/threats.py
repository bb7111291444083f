"""What the others could do after one option and not after another: ``Ben sails from Corinth to Rome``.

It is told by the sentences of the log, as everybody reads them, and only where every world that the deciding seat can
think of agrees: what hangs on a hidden card is in some of them only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from triclinium.engine.core.event import BOOKKEEPING, Event
from triclinium.engine.core.state import Option, Seat, State

MIN_WORLDS = 3  # worlds: two may hold the same hidden card by chance


@dataclass(frozen=True, order=True)
class Threat:
    """Something that a rival did in answer to an option."""

    hits_decider: bool  # it is done to the seat that decides
    weight: int
    seat: Seat  # who did it
    option: Option  # the option by which it was done
    sentence: str  # the line of the log, as everybody reads it
    facts: tuple[int, ...]


@dataclass
class RivalAnswers:
    """What the rivals did in one world, and all that they could have done."""

    done: set[Threat] = field(default_factory=set)
    possible: set[tuple[Seat, Option]] = field(default_factory=set)
    had_turns: bool = False  # they have had turns of their own

    def play_option(self, s: State, o: Option, decider: Seat) -> None:
        """Play an option of a rival and listen."""
        who = s.who
        self.possible.update((who, other) for other in s.legal)
        s.events = []
        s.choose(o)
        self.done.update(_build_threat(event, o, decider) for event in s.events if _is_threat(event, who))
        s.events = None


def _is_threat(event: Event, who: Seat) -> bool:
    return event.seat == who and event.type.weight > BOOKKEEPING and bool(event.type.text)


def _build_threat(event: Event, o: Option, decider: Seat) -> Threat:
    return Threat(event.target_seat == decider, event.type.weight, event.seat, o, event.type.text, event.facts)


def find_avoided_threats(best: Sequence[RivalAnswers], other: Sequence[RivalAnswers], secrets: bool) -> list[Threat]:
    """What rivals do in every world after the other option and cannot do after the better one; the gravest first.

    What is done to the seat itself is worth a word if it is not done after the better one, possible or not.
    """
    if secrets and len(other) < MIN_WORLDS:
        return []
    common = set.intersection(*(answers.done for answers in other))
    possible = {threat for answers in best for threat in answers.possible}
    done = {threat for answers in best for threat in answers.done}
    threats = [
        threat for threat in common - done if threat.hits_decider or (threat.seat, threat.option) not in possible
    ]
    return sorted(threats, reverse=True)
