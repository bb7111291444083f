"""Effects of a Favor on the player who receives it (IE-4.5), all of which are public."""

from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.games.ierusalem.rules.actions.followers import can_call
from triclinium.games.ierusalem.rules.constants import GIVES_CALL
from triclinium.games.ierusalem.rules.state import Ierusalem
from triclinium.games.ierusalem.ui.icons import ROMAN
from triclinium.games.ierusalem.ui.view import find_missing_symbols


def list_effects_on_receiver(s: Ierusalem, marker: int, receiver: int) -> list[Arg]:
    """Return a Favor's effects on its receiver: a call that is lost, and columns that its symbol opens."""
    calls = any(kind == GIVES_CALL for kind, _ in s.c.marker_benefit[marker])
    messages: list[Arg] = [Message("cannot call a Follower")] if calls and not can_call(s, receiver) else []
    columns = list_opened_columns(s, receiver, s.c.marker_location[marker])
    return [*messages, Message("opens column {0}", JoinedList(columns))] if columns else messages


def list_opened_columns(s: Ierusalem, who: int, symbol: int) -> list[Arg]:
    """IE-2.7  Return the Apostle columns that only one more Favor allows a player to visit."""
    held = s.received[who * 5 : who * 5 + 5]
    more = [n + (place == symbol) for place, n in enumerate(held)]
    return [ROMAN[n + 1] for n in range(3) if can_visit(s, who, n, more) and not can_visit(s, who, n, held)]


def can_visit(s: Ierusalem, who: int, apostles: int, received: list[int]) -> bool:
    """IE-R4  Return whether a player's column, or no card, matches an Apostle column with these Favors."""
    for cards in (b"", *s.columns[who * 3 : who * 3 + 3]):
        missing = find_missing_symbols(s, cards, apostles)
        if missing is not None and all(missing.count(place) <= n for place, n in enumerate(received)):
            return True
    return False
