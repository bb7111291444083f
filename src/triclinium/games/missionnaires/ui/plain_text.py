"""Table in plain text, made from a view, for the terminal and for screen readers."""

from triclinium.engine.core.text import Message, Reader, SeatName, msgid
from triclinium.games.missionnaires.rules.components import SEA, Components
from triclinium.games.missionnaires.ui.view import MissionnairesDecks, MissionnairesView, Overseer, Player

# Kinds of spaces, in the order of the rules
KIND_LABELS = (msgid("Bethel"), msgid("congregation"), msgid("gendarmerie"), msgid("green town"), msgid("sea point"))


def format_table(c: Components, view: MissionnairesView, reader: Reader) -> str:
    """Return round and piles, gendarmes, overseers, each player, then the neighbours of the viewer's pawn."""
    heading = Message(
        "Round {0} of {1}. Stock: {2} {2:periodical|periodicals}. Cards: {3} territory, {4} sea, {5} in reserve.",
        view.round,
        view.round_limit,
        view.stock,
        view.decks.territories.size,
        view.decks.sea.size,
        len(view.reserve),
    )
    gendarmes = zip(c.gendarmes, view.gendarmes, strict=True)
    guards = ", ".join(f"{id.upper()} {name_space(c, space, reader)}" for id, space in gendarmes)
    lines = [
        reader.read(heading),
        *format_discards(c, view.decks, reader),
        format_titled(msgid("Gendarmes"), guards, reader),
    ]
    lines += [format_overseer(c, x, overseer, reader) for x, overseer in enumerate(view.overseers)]
    for player in view.players:
        lines += ["", *format_player(c, player, view, reader)]
    here = None if view.viewer is None else view.players[view.viewer].at
    if here is not None:
        lines += ["", *format_neighbours(c, here, view, reader)]
    return "\n".join(lines)


def format_discards(c: Components, decks: MissionnairesDecks, reader: Reader) -> list[str]:
    """Return the top card of both discard piles."""
    piles = ((msgid("Last territory card"), decks.territories), (msgid("Last sea card"), decks.sea))
    return [
        format_titled(what, reader.format_arg(c.card_names[pile.discards[-1]]), reader)
        for what, pile in piles
        if pile.discards
    ]


def format_overseer(c: Components, x: int, overseer: Overseer, reader: Reader) -> str:
    """Return the location of an overseer."""
    if overseer.with_ is not None:
        where = Message("with {0}", SeatName(overseer.with_))
    elif overseer.at is not None:
        where = Message("in {0}", c.space_names[overseer.at])
    else:
        where = Message("off the board")
    who = f"{c.overseers[x].upper()}, {reader.format_arg(c.overseer_names[x])}"
    return reader.read(Message("{0}: {1}", who, where))


def format_player(c: Components, player: Player, view: MissionnairesView, reader: Reader) -> list[str]:
    """Return the lines of a player: location, holdings and company, then visited and unvisited congregations."""
    mark = "> " if player.seat == view.turn and player.rank is None else "  "
    head = Message(
        "{0} ({1}): {2}; {3} {3:periodical|periodicals}",
        SeatName(player.seat),
        c.colour_names[player.colour],
        describe_location(c, player),
        player.periodicals,
    )
    parts = [reader.read(head)]
    if player.seat == view.leader:  # LM-R1
        parts.append(reader.translate("leader"))
    if player.company is not None:
        company = reader.read(Message("with the {0}", c.overseer_names[player.company]))
        parts.append(f"{company}, {reader.translate('from the next coup')}" if player.newly_joined else company)
    if player.missed:
        parts.append(reader.read(Message("misses {0} {0:turn|turns}", player.missed)))
    lines = [mark + reader.translate("; ").join(parts)]
    if player.bons:
        bons = [reader.format_arg(c.card_names[card]) for card in player.bons]
        lines.append("    " + format_titled(msgid("Vouchers"), ", ".join(bons), reader))
    visited = [name_space(c, space, reader) for space in player.visited]
    lines.append("    " + format_titled(msgid("Visited"), ", ".join(visited) or "-", reader))
    lines.append("    " + format_titled(msgid("To visit"), format_unvisited(c, player, view.distances, reader), reader))
    return lines


def describe_location(c: Components, player: Player) -> Message:
    """Return the space of a player, or that the player is home or has left."""
    if player.at is not None:
        return Message("{0:space} ({1})", player.at, c.grids[player.at])
    if player.stopped:
        return Message("stopped playing")
    if player.resigned or player.rank is None:
        return Message("left the match")
    return Message("home, rank {0}", player.rank)


def format_unvisited(c: Components, player: Player, distances: list[int] | None, reader: Reader) -> str:
    """Return the unvisited cards known to the viewer, nearest first, and the number of others."""
    known = [slot.card for slot in player.unvisited if slot.card is not None]
    if distances is None:
        shown = [f"{name_space(c, space, reader)} {c.grids[space]}" for space in known]
    else:
        known.sort(key=distances.__getitem__)
        shown = [f"{name_space(c, space, reader)} {c.grids[space]} ({distances[space]})" for space in known]
    hidden = len(player.unvisited) - len(known)
    if hidden:
        shown.append(reader.read(Message("{0} hidden {0:card|cards}", hidden)))
    return ", ".join(shown) or "-"


def format_neighbours(c: Components, here: int, view: MissionnairesView, reader: Reader) -> list[str]:
    """Return the neighbouring spaces, with the way there, their kind, and the pawns on them."""
    lines = [reader.read(Message("Around {0}:", c.space_names[here]))]
    for space in c.near[here]:
        way = reader.translate("sea lane" if c.is_lane(here, space) else "road")
        kind = reader.translate(KIND_LABELS[c.kind[space]])
        if c.port[space]:
            kind += ", " + reader.translate("port")
        pawns = [id.upper() for id, at in zip(c.gendarmes, view.gendarmes, strict=True) if at == space]
        pawns += [id.upper() for id, overseer in zip(c.overseers, view.overseers, strict=True) if overseer.at == space]
        pawns += [reader.format_arg(SeatName(player.seat)) for player in view.players if player.at == space]
        there = f"  \N{LEFTWARDS ARROW} {', '.join(pawns)}" if pawns else ""
        mark = "~" if c.kind[space] == SEA else "-"
        name = reader.format_arg(c.space_names[space])
        lines.append(f"  {mark} {c.ids[space]}  {name:<24} {way}, {kind}{there}")
    return lines


def format_titled(what: str, text: str, reader: Reader) -> str:
    """Return a line such as ``Visited: Lyon, Rome``."""
    return reader.read(Message("{0}: {1}", Message(what), text))


def name_space(c: Components, space: int, reader: Reader) -> str:
    return reader.format_arg(c.space_names[space])
