"""Notes for the text table that follow from several fields of the view."""

from collections.abc import Iterator

from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.engine.game_text import TableNote
from triclinium.games.missionnaires.rules.components import Components
from triclinium.games.missionnaires.ui.view import MissionnairesView, Player


def list_table_notes(c: Components, view: MissionnairesView) -> Iterator[TableNote]:
    """Yield the last round, overseers off the board, and for each player colour, place and way to go."""
    yield TableNote(Message("The match has at most {0} rounds.", view.round_limit))
    for name, overseer in zip(c.overseer_names, view.overseers, strict=True):
        if overseer.with_ is None and overseer.at is None:
            yield TableNote(Message("{0}: {1}", name, Message("off the board")))
    for player in view.players:
        yield TableNote(Message("{0}: {1}", c.colour_names[player.colour], describe_location(c, player)), player.seat)
        if player.newly_joined:
            yield TableNote(Message("The overseer helps from the next coup on."), player.seat)
    if view.viewer is not None and view.distances is not None:
        known = [slot.card for slot in view.players[view.viewer].unvisited if slot.card is not None]
        known.sort(key=view.distances.__getitem__)
        towns: list[Arg] = [Message("{0} ({1})", name_with_grid(c, space), view.distances[space]) for space in known]
        if towns:
            yield TableNote(Message("To visit, with distances: {0}.", JoinedList(towns)), view.viewer)


def name_with_grid(c: Components, space: int) -> Message:
    """Return a space with its square on the map."""
    return Message("{0} {1}", c.space_names[space], c.grids[space])


def describe_location(c: Components, player: Player) -> Message:
    """Return the space of a player, or that the player is home or has left."""
    if player.at is not None:
        return name_with_grid(c, player.at)
    if player.stopped:
        return Message("stopped playing")
    if player.resigned or player.rank is None:
        return Message("left the match")
    return Message("home, rank {0}", player.rank)
