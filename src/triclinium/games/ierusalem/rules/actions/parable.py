"""The action Listen to a Parable (IE-4.1)."""

from typing import ClassVar, Final

from triclinium.engine.core.action import Action
from triclinium.engine.core.shared_rows import replace_item
from triclinium.engine.core.state import Option, Seat, Step
from triclinium.games.ierusalem.rules import stages
from triclinium.games.ierusalem.rules.actions.reward import apply_reward
from triclinium.games.ierusalem.rules.events import LISTENED
from triclinium.games.ierusalem.rules.impossible_actions import ALL_HEARD, NO_OBSTACLE, TOO_FEW_FOLLOWERS
from triclinium.games.ierusalem.rules.state import FROM_PARABLES, Ierusalem
from triclinium.games.ierusalem.rules.verbs import LISTEN, SKIP

_LISTEN_OPTIONS: Final = [SKIP, LISTEN]


def get_top_tile_vp(s: Ierusalem, number: int) -> int:
    """Return the VP of the top tile of a Parable's stack. Each player who has listened has taken one tile."""
    taken = 0
    for seat in range(s.seats):
        if s.parables[seat] >= number:
            taken += 1
    return s.c.list_stack_values(s.seats)[taken]


def find_listening_obstacle(s: Ierusalem, who: Seat) -> int:
    """IE-4.1  Return the reason why the next Parable cannot be heard, or NO_OBSTACLE.

    The player needs at least as many Followers at the Supper as the number of the Parable.
    """
    number = s.parables[who] + 1
    if number > len(s.c.parable_names):
        return ALL_HEARD
    return NO_OBSTACLE if s.count_at_supper(who) >= number else TOO_FEW_FOLLOWERS


def can_listen(s: Ierusalem, who: Seat) -> bool:
    """IE-4.1  Return whether the next Parable can be heard."""
    return find_listening_obstacle(s, who) == NO_OBSTACLE


class Listen(Step[Ierusalem]):
    """IE-4.1  The choice to listen to the next Parable.

    The player takes the top tile, scores it, and gains the reward of the track space.
    """

    id: ClassVar[str] = "Listen"
    action: ClassVar[Action | None] = stages.PARABLE
    question: ClassVar[str] = "Listen to Parable {0} ({0:parable}) for {1} VP?"

    def question_parameters(self, s: Ierusalem) -> tuple[int, ...]:
        number = s.parables[self.who] + 1
        return (number, get_top_tile_vp(s, number))

    def candidates(self, s: Ierusalem) -> list[Option]:
        return [SKIP, LISTEN]

    def options(self, s: Ierusalem) -> list[Option]:
        return _LISTEN_OPTIONS

    def apply(self, s: Ierusalem, o: Option) -> None:
        if o == SKIP:
            return
        who = self.who
        number = s.parables[who] + 1
        points = get_top_tile_vp(s, number)
        s.parables = replace_item(s.parables, who, number)
        if s.events is not None:
            s.emit(LISTENED, who, (number, points), "IE-4.1")
        s.score_points(who, points, FROM_PARABLES, "IE-4.1")
        step = apply_reward(
            s, who, s.c.parable_reward[number - 1], s.c.parable_amount[number - 1], FROM_PARABLES, "IE-4.1"
        )
        if step is not None:
            s.stack.append(step)


def begin_listening(s: Ierusalem, who: Seat) -> Step[Ierusalem] | None:
    """IE-4.1  Return the choice to listen, or None if the next Parable cannot be heard."""
    return Listen(who) if can_listen(s, who) else None
