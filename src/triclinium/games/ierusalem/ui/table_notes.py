"""Notes for the text table that follow from several fields of the view."""

from collections.abc import Iterator

from triclinium.engine.core.text import Arg, JoinedList, Message, format_change
from triclinium.engine.game_text import TableNote
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.ui.column_progress import format_progress, list_column_progress
from triclinium.games.ierusalem.ui.reward_text import format_goods, join_commas, list_reward_texts
from triclinium.games.ierusalem.ui.view import IerusalemView


def list_table_notes(c: Components, view: IerusalemView) -> Iterator[TableNote]:
    """Yield the Apostles' worth, and the viewer's deck and goals of columns."""
    apostles = [*view.seated.values(), *(apostle for column in view.apostles for apostle in column.waiting)]
    worths: list[Arg] = [
        Message("{0} {1}", c.apostle_names[apostle], format_change(c.shade_value[c.shade[apostle]]))
        for apostle in sorted(apostles)
    ]
    yield TableNote(Message("Values of the Apostles: {0}.", join_commas(worths)))
    if view.viewer is None:
        return
    player = view.players[view.viewer]
    if player.deck_cards is not None:
        cards: list[Arg] = [c.card_ids[card].upper() for card in player.deck_cards]
        yield TableNote(Message("Deck: {0}", join_commas(cards) if cards else "-"), view.viewer)
    for progress in sorted(list_column_progress(view, player), key=lambda entry: (entry.nth, entry.distance)):
        yield TableNote(
            Message("{0}: {1}", Message("column {0}", progress.nth), format_progress(c, progress)), view.viewer
        )


def list_space_notes(c: Components) -> list[Arg]:
    """Return the price and the immediate reward of each space of the Last Supper."""
    return [describe_space(c, space) for space in range(len(c.space_ids))]


def describe_space(c: Components, space: int) -> Message:
    """IE-6.1  Return the price of a space and its reward."""
    goods: list[Arg] = [format_goods(n, good) for good, n in enumerate(c.space_cost[space]) if n > 0]
    rewards = list_reward_texts(c.space_reward[space], c.space_amount[space])
    if (c.jesus_spaces >> space) & 1:
        rewards = [*rewards, Message("VP of Jesus at the end")]
    price = Message("costs {0}", JoinedList(goods))
    return Message("{0}, gives {1}", price, JoinedList(rewards)) if rewards else price
