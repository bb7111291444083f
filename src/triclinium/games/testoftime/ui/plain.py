"""The table in plain text, from a view, for the terminal and for those who read by ear."""

from triclinium.engine.core.text import Message, Name, Reader, Several, Who
from triclinium.engine.view import items, table_of, whole
from triclinium.games.testoftime.rules.components import KINDS, Components

COVERED = "\N{MULTIPLICATION SIGN}"


def plain_table(c: Components, view: dict[str, object], reader: Reader) -> str:
    """Round and turn, then each player: people, prices, zones, and the Testaments section by section; a reversal."""
    passed = [Who(whole(seat)) for seat in items(view["passed"])]
    heading = [
        Message("Round {0} of {1}, started by {2}.", whole(view["round"]), whole(view["rounds"]), who(view["starter"]))
    ]
    if passed:
        heading.append(Message("Passed since the last move: {0}.", Several(passed)))
    lines = [" ".join(reader.read(message) for message in heading)]
    for seat, player in enumerate(items(view["players"])):
        lines += ["", *player_lines(c, seat, table_of(player), view["who"] == seat, reader)]
    lines += [
        "",
        reader.read(Message("Past rounds, oldest first: = preserved, - decayed, and sections lost by attack.")),
    ]
    if view["reversal"] is not None:
        lines.append(reader.read(reversal(c, view)))
    return "\n".join(lines)


def reversal(c: Components, view: dict[str, object]) -> Message:
    """What the reversal under way would leave if it ended here."""
    now, focus = table_of(view["reversal"]), table_of(view["focus"])
    owner = whole(focus["seat"])
    player = table_of(items(view["players"])[owner])
    cell = table_of(items(player["testaments"])[whole(focus["space"]) - 1])
    return Message(
        "Time is reversed to round {0} for {1} of {2}: {3} {3:section|sections} visible if it ended here, {4} now.",
        whole(now["round"]),
        named(c, cell["kind"]),
        Who(owner),
        whole(now["visible"]),
        whole(cell["visible"]),
    )


def player_lines(c: Components, seat: int, player: dict[str, object], turn: bool, reader: Reader) -> list[str]:
    """A player's people and prices, then the board."""
    waiting, in_play, most = (table_of(player[key]) for key in ("waiting", "in_play", "most"))
    head = Message(
        "{0}: {1} {1:follower|followers} and {2} {2:shaman|shamans} waiting; {3} of {4} and {5} of {6} in play; "
        "{7} {7:point|points}, {8} if nothing more is lost.",
        Who(seat),
        whole(waiting["followers"]),
        whole(waiting["shamans"]),
        whole(in_play["followers"]),
        whole(most["followers"]),
        whole(in_play["shamans"]),
        whole(most["shamans"]),
        whole(player["score"]),
        whole(player["prospect"]),
    )
    sire, sire_shaman, convert = (table_of(player[key]) for key in ("sire", "sire_shaman", "convert"))
    zones = Message(
        "A shaman counts {0}; {1} saved per action. Used: Sire {2} of {3}, Sire Shaman {4} of {5}, Convert {6} of {7}.",
        whole(player["power"]),
        whole(player["saved"]),
        len(items(sire["used"])),
        whole(sire["zones"]),
        len(items(sire_shaman["used"])),
        whole(sire_shaman["zones"]),
        len(items(convert["used"])),
        whole(convert["zones"]),
    )
    create, preserve = table_of(player["create_cost"]), table_of(player["preserve_cost"])
    prices = [
        f"{reader.say(c.names[kind])} {create[KINDS[kind]]}/{preserve[KINDS[kind]]}" for kind in range(len(KINDS))
    ]
    lines = [("> " if turn else "  ") + reader.read(head), "    " + reader.read(zones)]
    lines.append("    " + reader.read(Message("Create/preserve for: {0}.", Name(", ".join(prices)))))
    return lines + [f"    {testament_line(c, table_of(cell), reader)}" for cell in items(player["testaments"])]


def testament_line(c: Components, cell: dict[str, object], reader: Reader) -> str:
    """A space: the card from the top, covered sections crossed out, its age, its past, this round."""
    space = whole(cell["space"])
    parts: list[str] = []
    if cell["kind"] is None:
        parts.append(reader.read(Message("vacant")))
    else:
        parts.append(standing_line(c, cell, reader))
    if cell["creating"] is not None:
        making = table_of(cell["creating"])
        parts.append(reader.read(Message("{0} being created", named(c, making["kind"]))))
    return f"{space} " + " | ".join(parts)


def standing_line(c: Components, cell: dict[str, object], reader: Reader) -> str:
    """A Testament on the board."""
    sections = items(cell["sections"])
    seen = whole(cell["visible"])
    card = " ".join(str(dots) if i < seen else COVERED for i, dots in enumerate(sections))
    kind = reader.say(named(c, cell["kind"]))
    found = [
        f"{kind:<12}[{card}]",
        reader.read(Message("age {0}, {1} {1:point|points}", whole(cell["age"]), whole(cell["points"]))),
    ]
    past = " ".join(past_cell(table_of(record), reader) for record in items(cell["past"]))
    if past:
        found.append(past)
    if seen == 0:
        found.append(reader.read(Message("buried")))
    elif cell["decays"]:
        found.append(reader.read(Message("decays unless preserved for {0}", whole(cell["preserve_cost"]))))
    else:
        found.append(reader.read(Message("preserved this round")))
    if items(cell["attackers"]):
        forces = [force_of(table_of(force)) for force in items(cell["attackers"])]
        found.append(reader.read(Message("attacked by {0}", Several(forces))))
        fight = Message(
            "attack {0}, defence {1}: {2} {2:section|sections} lost if nothing changes",
            whole(cell["attack"]),
            whole(cell["defence"]),
            whole(cell["strips"]),
        )
        found.append(reader.read(fight))
    return " | ".join(found)


def force_of(force: dict[str, object]) -> Message:
    """Attackers that were placed by one move; those placed first die first (TT-R10)."""
    return Message(
        "{0} with {1} {1:follower|followers} and {2} {2:shaman|shamans}",
        who(force["seat"]),
        whole(force["followers"]),
        whole(force["shamans"]),
    )


def past_cell(record: dict[str, object], reader: Reader) -> str:
    """One past round of a Testament: its mark, the sections that attackers took, and who they were."""
    mark = "=" if record["preserved"] else "-"
    strips = whole(record["strips"])
    if strips == 0:
        return mark
    by = Several([who(seat) for seat in items(record["by"])])
    return f"{mark}{strips} ({reader.say(by)})" if by.items else f"{mark}{strips}"


# -- the parts of a view, by their types ------------------------------------------------------------------------------


def named(c: Components, kind: object) -> Name:
    assert isinstance(kind, str)
    return c.names[KINDS.index(kind)]


def who(value: object) -> Who:
    return Who(whole(value))
