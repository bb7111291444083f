"""Reasons why an action cannot be done. Players read them before they play the card and when the action is due."""

from typing import Final

from triclinium.engine.core.rule import Rule
from triclinium.engine.core.state import Seat
from triclinium.games.ierusalem.rules.events import IMPOSSIBLE
from triclinium.games.ierusalem.rules.state import Ierusalem

NO_OBSTACLE: Final = -1  # The action can be done.

NO_MONEY: Final = 0
CAMP_EMPTY: Final = 1
NO_SQUARE: Final = 2
NOBODY_TO_CALL: Final = 3
NOWHERE_TO_CALL: Final = 4
NOBODY_OUT: Final = 5
SUPPER_FULL: Final = 6
SUPPER_TOO_EXPENSIVE: Final = 7
NO_EMPTY_SPACE: Final = 8
TOO_FEW_FOLLOWERS: Final = 9
ALL_HEARD: Final = 10
NO_MARKER: Final = 11
NOTHING_TO_OFFER: Final = 12
NO_MAHANE: Final = 13
NO_XXXIII: Final = 14
NOBODY_GATHERS: Final = 15
MEETINGS_OVER: Final = 16
NOTHING_TO_DRAW: Final = 17

OBSTACLES: Final = (  # reasons, indexed by the numbers above
    Rule("IE-3.3", "no money: no Follower is sent out"),
    Rule("IE-3.3", "no Follower in the Camp: none is sent out"),
    Rule("IE-3.3", "no square available: no Follower is sent out"),
    Rule("IE-4.6", "no Follower in the Camp: none is called"),
    Rule("IE-4.6", "no empty square: no Follower is called"),
    Rule("IE-R19", "no Follower at a Location: none goes to the Last Supper"),
    Rule("IE-R36", "no empty space: no Follower goes to the Last Supper"),
    Rule("IE-R28", "too few goods: no Follower goes to the Last Supper"),
    Rule("IE-R36", "no empty space: no Follower changes places"),
    Rule("IE-4.1", "too few Followers at the Last Supper: no Parable is heard"),
    Rule("IE-4.1", "all Parables are heard"),
    Rule("IE-R17", "no marker left: no Favor is done"),
    Rule("IE-3.1", "no money and no goods: nothing is traded"),
    Rule("IE-R14", "no Mahane card is left: none is drawn"),
    Rule("IE-R14", "no XXXIII A.D. card is left: none is drawn"),
    Rule("IE-3.2", "no Follower at this Location: nothing is gathered"),
    Rule("IE-R10", "the marker is on its last space and moves no further"),
    Rule("IE-R13", "own deck and discard pile are empty: no more cards are drawn"),
)


def emit_obstacle(s: Ierusalem, who: Seat, obstacle: int) -> None:
    """Report the reason why an action does nothing, if events are recorded."""
    if obstacle != NO_OBSTACLE and s.events is not None:
        s.emit(IMPOSSIBLE, who, (obstacle,), OBSTACLES[obstacle].number)
