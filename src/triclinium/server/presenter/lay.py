"""Where the things of the box lay when a match was over."""

from triclinium.boardkit.kinds import kinds_of
from triclinium.boardkit.whereabouts import whereabouts
from triclinium.server.tables.table import Table


def lay(table: Table, kind: str, thing: str, language: str) -> list[tuple[str, str]]:
    """The places of one thing, each with whose it is; nobody's: an empty name. The table's lock is held.

    An edition may have left the thing out, and while a match goes on nothing is told.
    """
    ids = [str(one) for one in kinds_of(table.game)[kind].ids] if kind in table.game.gallery else []
    if table.status != "over" or not table.playing.state.over or thing not in ids:
        return []
    names = table.names()
    reader = table.game.words.reader(language, names)
    found = whereabouts(table.game, table.playing.state, kind, ids.index(thing), reader)
    return [("" if seat is None else names[seat], place) for seat, place in found]
