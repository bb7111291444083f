"""Notes for the text table that follow from several fields of the view."""

from collections.abc import Iterator

from triclinium.engine.core.text import Message, msgid
from triclinium.engine.game_text import TableNote
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.ui.view import EvangelistsView

LEAF = msgid("A leaf for everyone after this round.")
NO_LEAF = msgid("No leaf after this round.")


def list_table_notes(c: Components, view: EvangelistsView) -> Iterator[TableNote]:
    """AE-7.2, AE-10.1  Yield the number of rounds, the coming leaf, and the probability of a white cube."""
    yield TableNote(Message("The match has {0} rounds.", view.rounds))
    if view.over:
        return
    leaf = c.track_leaf[view.marker + 1] and view.marker + 1 < c.track_end
    yield TableNote(Message(LEAF if leaf else NO_LEAF))
    cubes = view.bag.white + view.bag.black
    if cubes:
        chance = round(100 * view.bag.white / cubes)
        yield TableNote(Message("A witness interviewed now is alive with a probability of {0}%.", chance))
