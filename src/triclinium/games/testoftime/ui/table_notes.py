"""Notes for the text table that follow from several fields of the view."""

from collections.abc import Iterator

from triclinium.engine.core.text import Arg, JoinedList, Message, SeatName
from triclinium.engine.game_text import TableNote
from triclinium.games.testoftime.rules.components import Components
from triclinium.games.testoftime.ui.pieces import describe_pieces
from triclinium.games.testoftime.ui.view import (
    Focus,
    PastRound,
    Player,
    Reversal,
    Testament,
    TestOfTimeView,
    count_attacks,
)


def list_table_notes(c: Components, view: TestOfTimeView) -> Iterator[TableNote]:
    """Yield the last round, the limits of pieces and zones, a pending reversal, and the Testaments' past."""
    yield TableNote(Message("The match has {0} rounds.", view.rounds))
    zones = Message(
        "Each player has {0} followers, {1} shamans, and zones for Sire ({2}), Sire Shaman ({3}) and Convert ({4}).",
        c.max_followers,
        c.max_shamans,
        c.sire_zones,
        c.sire_shaman_zones,
        c.convert_zones,
    )
    yield TableNote(zones)
    if view.reversal is not None and view.focus is not None:
        yield TableNote(describe_reversal(c, view, view.reversal, view.focus))
    for seat, player in enumerate(view.players):
        if view.attacks_per_round:
            made = Message("Attacks this round: {0} of {1}.", count_attacks(view, seat), view.attacks_per_round)
            yield TableNote(made, seat)
        for text in list_testament_notes(player):
            yield TableNote(text, seat)


def describe_reversal(c: Components, view: TestOfTimeView, now: Reversal, focus: Focus) -> Message:
    """TT-11.10  Return the result of the pending reversal if it ended now."""
    cell = view.players[focus.seat].testaments[focus.space - 1]
    assert isinstance(cell, Testament)
    return Message(
        "Time is reversed to round {0} for {1} of {2}: {3} {3:section|sections} visible if it ended here, {4} now.",
        now.round,
        c.names[cell.kind],
        SeatName(focus.seat),
        now.visible,
        cell.visible,
    )


def list_testament_notes(player: Player) -> Iterator[Message]:
    """TT-12.2, TT-12.3  Yield the age, the past rounds and the attackers of each Testament."""
    for cell in player.testaments:
        if not isinstance(cell, Testament):
            continue
        rounds: list[Arg] = [describe_past_round(record) for record in cell.past]
        if rounds:
            yield Message("Space {0}, age {1}, past rounds: {2}.", cell.space, cell.age, JoinedList(rounds))
        else:
            yield Message("Space {0}, age {1}.", cell.space, cell.age)
        if cell.attackers:
            forces = [
                Message("{0} with {1}", SeatName(force.seat), describe_pieces(force.followers, force.shamans))
                for force in cell.attackers
            ]
            yield Message("Space {0} is attacked by {1}.", cell.space, JoinedList(forces))


def describe_past_round(record: PastRound) -> Message:
    """Return one past round of a Testament: preserved or decayed, and the sections that attackers took."""
    kept = Message("preserved") if record.preserved else Message("decayed")
    if record.strips == 0:
        return kept
    if not record.by:
        return Message("{0} with {1} {1:section|sections} lost", kept, record.strips)
    by = JoinedList([SeatName(seat) for seat in record.by])
    return Message("{0} with {1} {1:section|sections} lost to {2}", kept, record.strips, by)
