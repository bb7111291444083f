"""The recap in the terminal: events since the person's last decision, those that affect the person first."""

from collections.abc import Sequence

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.text_table import find_seat_tones
from triclinium.cli.ansi import Ansi
from triclinium.engine.auto_replies import build_auto_reply_message
from triclinium.engine.core.event import BOOKKEEPING
from triclinium.engine.core.state import Seat
from triclinium.engine.core.text import Message, Reader, format_change
from triclinium.engine.match import Match
from triclinium.engine.recap import (
    Recap,
    RecapLine,
    build_recap,
    build_recap_lines,
    count_turns,
    find_finished_round,
    select_unread_lines,
)


def format_recap(match: Match, first: int, seat: Seat, reader: Reader, cli_reader: Reader, ansi: Ansi) -> list[str]:
    """Return the lines of the recap from this move on: results of own decisions, then the moves of others.

    Events that affect the person are marked, come first and say "you". The events of each player follow in their order
    under the player's name, and minor events come last. ``cli_reader`` reads the terminal's own messages.
    """
    lines = [line for n in range(first, len(match.events)) for line in list_move_lines(match, n, seat, reader)]
    fresh = select_unread_lines(lines, match.list_deciders(), seat, first)
    output = [ansi.dim(f"  {line.text}") for line in _exclude_lines(lines, fresh)]
    return output + _format_groups(match, fresh, seat, reader, cli_reader, ansi)


def format_round_summary(
    match: Match, first: int, seat: Seat, reader: Reader, cli_reader: Reader, ansi: Ansi
) -> list[str]:
    """Return a summary of the round that ended since this move, if the person had several turns in it."""
    lines = [line for n in range(len(match.events)) for line in list_move_lines(match, n, seat, reader)]
    over = find_finished_round(lines, [line for line in lines if line.n >= first])
    if count_turns(over, match.list_deciders(), seat) < 2:
        return []
    output = [ansi.bold(cli_reader.translate("The round that just ended"))]
    points = _compute_points_gained(match, over[0].n, over[-1].n, seat)
    output += [f"  {reader.seats[n]}: {format_change(gain)}" for n, gain in enumerate(points) if gain]
    return output + _format_groups(match, over, seat, reader, cli_reader, ansi)


def _compute_points_gained(match: Match, before: int, after: int, seat: Seat) -> list[int]:
    """Return the change of each visible total between two positions. It is 0 where a total is unknown."""
    scores = [
        match.game.visible_scores(match.rebuild_before(len(match.record.options) - n).state, seat)
        for n in (before, after)
    ]
    both = [(old.shown_total, new.shown_total) for old, new in zip(*scores, strict=True)]
    return [new - old if isinstance(old, int) and isinstance(new, int) else 0 for old, new in both]


def _format_groups(
    match: Match, lines: Sequence[RecapLine], seat: Seat, reader: Reader, cli_reader: Reader, ansi: Ansi
) -> list[str]:
    summary: Recap[RecapLine] = build_recap(lines, seat)
    tones = find_seat_tones(match.game.view(match.state, seat), map_kinds_by_name(match.game))
    output = [ansi.bold(f"! {line.counted_text}") for line in summary.hits]
    for group in summary.groups:
        if group.seat is None:
            output.append(ansi.bold(cli_reader.translate("Game")))
        else:
            output.append(ansi.bold(ansi.tone(tones[group.seat], reader.seats[group.seat])))
        output += [ansi.dim(f"  {line.counted_text}") for line in group.lines]
    if summary.small:
        output.append(ansi.dim(cli_reader.read(Message("and {0} minor {0:event|events}", len(summary.small)))))
        output += [ansi.dim(f"  {line.counted_text}") for line in summary.small]
    return output


def list_move_lines(match: Match, n: int, seat: Seat, reader: Reader) -> list[RecapLine]:
    """Return the lines of move n for the person, with a remark if an auto-reply made the move."""
    auto_reply = build_auto_reply_message(match, n, seat)
    lines = build_recap_lines(match.game.words, n, match.events[n], seat, reader)
    if auto_reply is None:
        return lines
    return [RecapLine(n, seat, reader.read(auto_reply), weight=BOOKKEEPING, automatic=True), *lines]


def _exclude_lines(lines: Sequence[RecapLine], fresh: Sequence[RecapLine]) -> list[RecapLine]:
    fresh_ids = {id(line) for line in fresh}
    return [line for line in lines if id(line) not in fresh_ids]
