"""How near a column of cards is to an Apostle column (IE-2.7, IE-R4), and what it takes to get there.

Cards are only ever laid at the end. So a symbol before the last card that fits can come from a Favor alone; one after
it may come from the next card too. Favors received count first where nothing else helps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.ui.view import IerusalemView, Player


@dataclass(frozen=True, slots=True)
class ColumnProgress:
    """A column on its way to an Apostle column, both counted from 1; what is lacking, by Location."""

    apostles: int
    nth: int
    by_favor: tuple[int, ...]  # which only a Favor can bring
    by_card: tuple[int, ...]  # which the next cards can bring as well

    @property
    def opens(self) -> bool:
        return not self.by_favor and not self.by_card

    @property
    def distance(self) -> tuple[int, int, int]:
        """The nearest is the least; a Favor is a rival's to do, and harder to get than a card."""
        return (2 * len(self.by_favor) + len(self.by_card), self.apostles, self.nth)


def measure_progress(
    apostles: int, wanted: Sequence[int], nth: int, laid: Sequence[int], received: Mapping[int, int]
) -> ColumnProgress | None:
    """From the symbols of a column to those that are wanted; None: these cards never fit."""
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
    """The symbols for which no Favor is left; those that are used are taken off."""
    unmet: list[int] = []
    for symbol in symbols:
        if left.get(symbol, 0):
            left[symbol] -= 1
        else:
            unmet.append(symbol)
    return tuple(unmet)


def list_column_progress(view: IerusalemView, player: Player) -> list[ColumnProgress]:
    """Every way from a player's columns to an Apostle column."""
    candidates = [
        measure_progress(apostles, seen.symbols, nth, own.symbols, player.received)
        for apostles, seen in enumerate(view.apostles, start=1)
        for nth, own in enumerate(player.columns, start=1)
    ]
    return [progress for progress in candidates if progress is not None]


def format_progress(c: Components, progress: ColumnProgress) -> Message:
    """What a column is on the way to, and what it lacks."""
    if progress.opens:
        return Message("opens Apostle column {0}", progress.apostles)
    by_card: list[Arg] = [c.location_names[place] for place in progress.by_card]
    by_favor = [Message("{0:location} (by a Favor alone)", place) for place in progress.by_favor]
    return Message("needs {1} for Apostle column {0}", progress.apostles, JoinedList([*by_card, *by_favor]))


def find_nearest_progress(candidates: Iterable[ColumnProgress]) -> ColumnProgress | None:
    """The one that takes least; None: nothing fits."""
    return min(candidates, key=lambda progress: progress.distance, default=None)
