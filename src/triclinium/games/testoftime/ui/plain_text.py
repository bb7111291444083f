"""Table in plain text, made from a view, for the terminal and for screen readers."""

from triclinium.engine.core.text import JoinedList, Message, Reader, SeatName
from triclinium.games.testoftime.rules.components import Components
from triclinium.games.testoftime.ui.view import (
    Attackers,
    Focus,
    PastRound,
    Player,
    Reversal,
    Testament,
    TestamentSpace,
    TestOfTimeView,
    count_attacks,
)

COVERED_MARK = "\N{MULTIPLICATION SIGN}"


def format_table(c: Components, view: TestOfTimeView, reader: Reader) -> str:
    """Return round and turn, each player with people, prices, zones and Testaments, and a pending reversal."""
    heading = [Message("Round {0} of {1}, started by {2}.", view.round, view.rounds, SeatName(view.starter))]
    if view.passed:
        heading.append(
            Message("Passed since the last move: {0}.", JoinedList([SeatName(seat) for seat in view.passed]))
        )
    lines = [" ".join(reader.read(message) for message in heading)]
    for seat, player in enumerate(view.players):
        lines += ["", *format_player(c, seat, player, view.who == seat, reader)]
        if view.attacks_per_round:
            made = Message("Attacks this round: {0} of {1}.", count_attacks(view, seat), view.attacks_per_round)
            lines.insert(-c.spaces, "    " + reader.read(made))
    lines += [
        "",
        reader.read(Message("Past rounds, oldest first: = preserved, - decayed, and sections lost by attack.")),
    ]
    if view.reversal is not None and view.focus is not None:
        lines.append(reader.read(describe_reversal(c, view, view.reversal, view.focus)))
    return "\n".join(lines)


def describe_reversal(c: Components, view: TestOfTimeView, now: Reversal, focus: Focus) -> Message:
    """Return the result of the pending reversal if it ended now."""
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


def format_player(c: Components, seat: int, player: Player, turn: bool, reader: Reader) -> list[str]:
    """Return a player's people and prices, then the board."""
    head = Message(
        "{0}: {1} {1:follower|followers} and {2} {2:shaman|shamans} waiting; {3} of {4} and {5} of {6} in play; "
        "{7} {7:point|points}, {8} if nothing more is lost.",
        SeatName(seat),
        player.waiting.followers,
        player.waiting.shamans,
        player.in_play.followers,
        player.most.followers,
        player.in_play.shamans,
        player.most.shamans,
        player.score,
        player.prospect,
    )
    zones = Message(
        "Force {0}; a shaman counts {1}; {2} saved per action. "
        "Used: Sire {3} of {4}, Sire Shaman {5} of {6}, Convert {7} of {8}.",
        player.worth,
        player.power,
        player.saved,
        len(player.sire.used),
        player.sire.zones,
        len(player.sire_shaman.used),
        player.sire_shaman.zones,
        len(player.convert.used),
        player.convert.zones,
    )
    costs = zip(c.names, player.create_cost, player.preserve_cost, strict=True)
    prices = [f"{reader.format_arg(name)} {create}/{preserve}" for name, create, preserve in costs]
    lines = [("> " if turn else "  ") + reader.read(head), "    " + reader.read(zones)]
    lines.append("    " + reader.read(Message("Create/preserve for: {0}.", ", ".join(prices))))
    return lines + [f"    {format_space(c, cell, reader)}" for cell in player.testaments]


def format_space(c: Components, cell: TestamentSpace, reader: Reader) -> str:
    """Return a space: its Testament, and the one being created."""
    parts: list[str] = []
    if isinstance(cell, Testament):
        parts.append(format_testament(c, cell, reader))
    else:
        parts.append(reader.read(Message("vacant")))
    if cell.creating is not None:
        parts.append(reader.read(Message("{0} being created", c.names[cell.creating.kind])))
    return f"{cell.space} " + " | ".join(parts)


def format_testament(c: Components, cell: Testament, reader: Reader) -> str:
    """Return a Testament: sections from the top with covered ones crossed out, age, past, and this round's events."""
    card = " ".join(str(dots) if i < cell.visible else COVERED_MARK for i, dots in enumerate(cell.sections))
    kind = reader.format_arg(c.names[cell.kind])
    parts = [
        f"{kind:<12}[{card}]",
        reader.read(Message("age {0}, {1} {1:point|points}", cell.age, cell.points)),
    ]
    if cell.past:
        parts.append(" ".join(format_past_round(record, reader) for record in cell.past))
    if cell.visible == 0:
        parts.append(reader.read(Message("buried")))
    elif cell.decays:
        parts.append(reader.read(Message("decays unless preserved for {0}", cell.preserve_cost)))
    else:
        parts.append(reader.read(Message("preserved this round")))
    if cell.attackers:
        forces = [describe_attackers(force) for force in cell.attackers]
        parts.append(reader.read(Message("attacked by {0}", JoinedList(forces))))
        fight = Message(
            "attack {0}, defence {1}: {2} {2:section|sections} lost if nothing changes",
            cell.attack,
            cell.defence,
            cell.strips,
        )
        parts.append(reader.read(fight))
    if cell.defenders.followers or cell.defenders.shamans:
        parts.append(
            reader.read(Message("defended by {0}", describe_pieces(cell.defenders.followers, cell.defenders.shamans)))
        )
    return " | ".join(parts)


def describe_attackers(force: Attackers) -> Message:
    """Return the attackers placed by one move."""
    return Message("{0} with {1}", SeatName(force.seat), describe_pieces(force.followers, force.shamans))


def describe_pieces(followers: int, shamans: int) -> Message:
    """Return followers and shamans in words, without a kind that has none."""
    if shamans == 0:
        return Message("{0} {0:follower|followers}", followers)
    if followers == 0:
        return Message("{0} {0:shaman|shamans}", shamans)
    return Message("{0} {0:follower|followers} and {1} {1:shaman|shamans}", followers, shamans)


def format_past_round(record: PastRound, reader: Reader) -> str:
    """Return one past round of a Testament: its mark, the sections that attackers took, and the attackers."""
    mark = "=" if record.preserved else "-"
    if record.strips == 0:
        return mark
    by = JoinedList([SeatName(seat) for seat in record.by])
    return f"{mark}{record.strips} ({reader.format_arg(by)})" if by.items else f"{mark}{record.strips}"
