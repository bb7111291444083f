"""The table in plain text, from a view, for the terminal and for those who read by ear."""

from triclinium.engine.core.text import Message, Name, Reader, Who
from triclinium.engine.view import items, table_of, whole, word
from triclinium.games.missionnaires.rules.components import KINDS, SEA, Components


def plain_table(c: Components, view: dict[str, object], reader: Reader) -> str:
    """Round and piles, gendarmes, overseers, each player, then the spaces round the viewer's pawn."""
    decks = table_of(view["decks"])
    heading = Message(
        "Round {0} of {1}. Stock: {2} {2:periodical|periodicals}. Cards: {3} territory, {4} sea, {5} in reserve.",
        whole(view["round"]),
        whole(view["round_limit"]),
        whole(view["stock"]),
        whole(table_of(decks["territories"])["size"]),
        whole(table_of(decks["sea"])["size"]),
        len(items(view["reserve"])),
    )
    guards = ", ".join(f"{g.upper()} {called(c, space, reader)}" for g, space in table_of(view["gendarmes"]).items())
    lines = [reader.read(heading), titled("Gendarmes", guards, reader)]
    lines += [overseer_line(c, x, table_of(table_of(view["overseers"])[c.overseers[x]]), reader) for x in range(2)]
    players = [table_of(player) for player in items(view["players"])]
    distances = table_of(view["distances"]) if "distances" in view else {}
    for player in players:
        lines += ["", *player_lines(c, player, whole(view["turn"]), distances, reader)]
    viewer = view["viewer"]
    if isinstance(viewer, int) and viewer >= 0 and players[viewer]["at"] is not None:
        lines += ["", *round_about(c, word(players[viewer]["at"]), view, players, reader)]
    return "\n".join(lines)


def overseer_line(c: Components, x: int, overseer: dict[str, object], reader: Reader) -> str:
    """Where an overseer is."""
    if overseer["with"] is not None:
        where = Message("with {0}", Who(whole(overseer["with"])))
    elif overseer["at"] is not None:
        where = Message("in {0}", space_name(c, overseer["at"]))
    else:
        where = Message("off the board")
    who = f"{c.overseers[x].upper()}, {reader.say(c.overseer_names[x])}"
    return reader.read(Message("{0}: {1}", Name(who), where))


def player_lines(
    c: Components, player: dict[str, object], turn: int, distances: dict[str, object], reader: Reader
) -> list[str]:
    """A player: where, with what and with whom; then the congregations, visited and not."""
    seat = whole(player["seat"])
    mark = "> " if seat == turn and player["rank"] is None else "  "
    if player["rank"] is not None:
        state = Message("left the match") if player["resigned"] else Message("home, rank {0}", whole(player["rank"]))
    else:
        state = Message("in {0}", Message("{0} ({1})", space_name(c, player["at"]), grid(c, player["at"])))
    head = Message(
        "{0} ({1}): {2}; {3} {3:periodical|periodicals}",
        Who(seat),
        c.colour_names[c.colours.index(word(player["colour"]))],
        state,
        whole(player["periodicals"]),
    )
    parts = [reader.read(head)]
    if player["company"] is not None:
        parts.append(reader.read(Message("with the {0}", c.overseer_names[c.overseers.index(word(player["company"]))])))
    if player["missed"]:
        parts.append(reader.read(Message("misses {0} {0:turn|turns}", whole(player["missed"]))))
    lines = [mark + reader.translate("; ").join(parts)]
    if player["bons"]:
        bons = [reader.say(c.card_names[c.card_ids.index(word(card))]) for card in items(player["bons"])]
        lines.append("    " + titled("Vouchers", ", ".join(bons), reader))
    visited = [called(c, space, reader) for space in items(player["visited"])]
    lines.append("    " + titled("Visited", ", ".join(visited) or "-", reader))
    lines.append("    " + titled("To visit", to_visit(c, player, distances, reader), reader))
    return lines


def to_visit(c: Components, player: dict[str, object], distances: dict[str, object], reader: Reader) -> str:
    """The unvisited cards that the viewer knows, the nearest first, with grid and distance; and how many others."""
    slots = [table_of(slot) for slot in items(player["unvisited"])]
    known = [word(slot["card"]) for slot in slots if slot["card"] is not None]
    known.sort(key=lambda space: whole(distances.get(space, 0)))
    far = {space: f" ({distances[space]})" if space in distances else "" for space in known}
    shown = [f"{called(c, space, reader)} {grid(c, space).en}{far[space]}" for space in known]
    hidden = len(slots) - len(known)
    if hidden:
        shown.append(reader.read(Message("{0} hidden {0:card|cards}", hidden)))
    return ", ".join(shown) or "-"


def round_about(
    c: Components, here: str, view: dict[str, object], players: list[dict[str, object]], reader: Reader
) -> list[str]:
    """The neighbouring spaces, how they are reached, their kind, and who stands there."""
    lines = [reader.read(Message("Round about {0}:", space_name(c, here)))]
    for space in c.near[c.ids.index(here)]:
        identity = c.ids[space]
        way = "sea" if c.is_lane(c.ids.index(here), space) else "road"
        kind = reader.translate(KINDS[c.kind[space]])
        if c.port[space]:
            kind += ", " + reader.translate("port")
        pawns = [g.upper() for g, at in table_of(view["gendarmes"]).items() if at == identity]
        pawns += [x.upper() for x, o in table_of(view["overseers"]).items() if table_of(o)["at"] == identity]
        pawns += [reader.say(Who(seat)) for seat, player in enumerate(players) if player["at"] == identity]
        there = f"  \N{LEFTWARDS ARROW} {', '.join(pawns)}" if pawns else ""
        mark = "~" if c.kind[space] == SEA else "-"
        name = reader.say(c.space_names[space])
        lines.append(f"  {mark} {identity}  {name:<24} {reader.translate(way)}, {kind}{there}")
    return lines


def titled(what: str, text: str, reader: Reader) -> str:
    """``Visited: Lyon, Rome``."""
    return reader.read(Message("{0}: {1}", Message(what), Name(text)))


def space_name(c: Components, space: object) -> Name:
    return c.space_names[c.ids.index(word(space))]


def called(c: Components, space: object, reader: Reader) -> str:
    return reader.say(space_name(c, space))


def grid(c: Components, space: object) -> Name:
    return Name(c.grids[c.ids.index(word(space))])
