"""Distance of a column of cards from an Apostle column (IE-2.7, IE-R4), and the symbols that it lacks.

Cards are only laid at the end. So a missing symbol before the last fitting card needs a Favor; one after it can also
come from the next card. Received Favors fill the gaps first that cards cannot fill.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from triclinium.engine.core.text import JoinedList, Message
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.ui.view import IerusalemView, Player


@dataclass(frozen=True, slots=True)
class ColumnProgress:
    """The progress of a column towards an Apostle column, both counted from 1, with the missing Locations."""

    apostles: int
    nth: int
    by_favor: tuple[int, ...]  # missing symbols that only a Favor can bring
    by_card: tuple[int, ...]  # missing symbols that the next cards can bring too

    @property
    def opens(self) -> bool:
        return not self.by_favor and not self.by_card

    @property
    def distance(self) -> tuple[int, int, int]:
        """Return the sort key of the distance: a missing Favor counts twice, because it depends on a rival."""
        return (2 * len(self.by_favor) + len(self.by_card), self.apostles, self.nth)


def measure_progress(
    apostles: int, wanted: Sequence[int], nth: int, laid: Sequence[int], received: Mapping[int, int]
) -> ColumnProgress | None:
    """Return the progress from the symbols of a column to the wanted ones, or None if the cards never fit."""
    gaps: list[int] = []
    rest: list[int] = []
    used = 0
    for symbol in wanted:
        if used < len(laid) and laid[used] == symbol:
            used += 1
        else:
            (gaps if used < len(laid) else rest).append(symbol)
    if used < len(laid) or not laid:
        return None
    left = dict(received)
    return ColumnProgress(apostles, nth, _list_unmet_symbols(gaps, left), _list_unmet_symbols(rest, left))


def _list_unmet_symbols(symbols: Sequence[int], left: dict[int, int]) -> tuple[int, ...]:
    """Return the symbols for which no Favor is left, and remove the used Favors from ``left``."""
    unmet: list[int] = []
    for symbol in symbols:
        if left.get(symbol, 0):
            left[symbol] -= 1
        else:
            unmet.append(symbol)
    return tuple(unmet)


def list_column_progress(view: IerusalemView, player: Player) -> list[ColumnProgress]:
    """Return all possible pairs of a player's column and an Apostle column."""
    candidates = [
        measure_progress(apostles, seen.symbols, nth, own.symbols, player.received)
        for apostles, seen in enumerate(view.apostles, start=1)
        for nth, own in enumerate(player.columns, start=1)
    ]
    return [progress for progress in candidates if progress is not None]


def format_progress(c: Components, progress: ColumnProgress) -> Message:
    """Return the goal of a column and the symbols that it lacks."""
    if progress.opens:
        return Message("opens column {0:roman}", progress.apostles)
    by_card = JoinedList([c.location_names[place] for place in progress.by_card])
    if not progress.by_favor:
        return Message("still needs {1} for column {0:roman}", progress.apostles, by_card)
    places = JoinedList([c.location_names[place] for place in progress.by_favor])
    by_favor = Message("{0} by {1:a Favor|Favors}", places, len(progress.by_favor))
    if not progress.by_card:
        return Message("still needs {1} for column {0:roman}", progress.apostles, by_favor)
    return Message("still needs {1}, and {2}, for column {0:roman}", progress.apostles, by_card, by_favor)


def find_nearest_progress(candidates: Iterable[ColumnProgress]) -> ColumnProgress | None:
    """Return the progress with the shortest distance, or None if there is none."""
    return min(candidates, key=lambda progress: progress.distance, default=None)
