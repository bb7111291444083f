"""The recap in the terminal: what happened since the person last decided, what matters most first."""

from collections.abc import Sequence

from triclinium.cli.ansi import Ansi
from triclinium.engine.auto_replies import answered_for
from triclinium.engine.core.event import BOOKKEEPING
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message, Reader, change
from triclinium.engine.match import Match
from triclinium.engine.recap import Line, Recap, last_round, lines_of, recap, since, turns_in


def recap_lines(match: Match, first: int, seat: Seat, reader: Reader, own: Reader, ansi: Ansi) -> list[str]:
    """All of it from this move on: what came of the person's own decisions, then what the others did.

    What was done to the person is marked, and comes first; then each player's doings under their name; small things
    last. ``own`` reads the terminal's own sentences.
    """
    lines = [line for n in range(first, len(match.events)) for line in lines_of_move(match, n, seat, reader)]
    fresh = since(lines, match.deciders(), seat, first)
    found = [ansi.dim(f"  {line.text}") for line in _left_out(lines, fresh)]
    return found + _listed(recap(fresh, seat), reader, own, ansi)


def round_over(match: Match, first: int, seat: Seat, reader: Reader, own: Reader, ansi: Ansi) -> list[str]:
    """The round that ended since this move, if it held several turns of the person: who gained what, who did what."""
    lines = [line for n in range(len(match.events)) for line in lines_of_move(match, n, seat, reader)]
    over = last_round(lines, [line for line in lines if line.n >= first])
    if turns_in(over, match.deciders(), seat) < 2:
        return []
    found = [ansi.bold(own.translate("The round that has ended"))]
    points = _gained(match, over[0].n, over[-1].n, seat)
    found += [f"  {reader.seats[n]}: {change(many)}" for n, many in enumerate(points) if many]
    return found + _listed(recap(over, seat), reader, own, ansi)


def _gained(match: Match, before: int, after: int, seat: Seat) -> list[int]:
    """What each total grew by between two positions, as far as the person can tell."""
    scores = [match.game.scores_for(match.earlier(len(match.record.options) - n).state, seat) for n in (before, after)]
    both = [(old.told, new.told) for old, new in zip(*scores, strict=True)]
    return [new - old if isinstance(old, int) and isinstance(new, int) else 0 for old, new in both]


def _listed(told: Recap[Line], reader: Reader, own: Reader, ansi: Ansi) -> list[str]:
    found = [ansi.bold(f"! {line.counted}") for line in told.hits]
    for group in told.groups:
        name = own.translate("The game itself") if group.seat is None else reader.seats[group.seat]
        found += [ansi.bold(name), *(ansi.dim(f"  {line.counted}") for line in group.lines)]
    if told.small:
        found.append(ansi.dim(own.read(Message("and {0} small {0:thing|things}", len(told.small)))))
        found += [ansi.dim(f"  {line.counted}") for line in told.small]
    return found


def lines_of_move(match: Match, n: int, seat: Seat, reader: Reader) -> list[Line]:
    """What the person reads of move n, and that it was made for them where it was."""
    unasked = answered_for(match, n, seat)
    told = lines_of(match.game.words, n, match.events[n], seat, reader)
    if unasked is None:
        return told
    return [Line(n, seat, reader.read(unasked), weight=BOOKKEEPING, automatic=True), *told]


def _left_out(lines: Sequence[Line], fresh: Sequence[Line]) -> list[Line]:
    told = {id(line) for line in fresh}
    return [line for line in lines if id(line) not in told]
