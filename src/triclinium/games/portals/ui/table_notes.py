"""Notes for the text table that follow from several fields of the view."""

from collections.abc import Iterator

from triclinium.engine.core.text import Arg, JoinedList, Message
from triclinium.engine.game_text import TableNote
from triclinium.engine.visible_scores import describe_number
from triclinium.games.portals.rules.components import NONE, Components
from triclinium.games.portals.ui.view import OwnEvent, Player, PortalsView


def list_table_notes(c: Components, view: PortalsView) -> Iterator[TableNote]:
    """Yield the end of the match, and for each player the score, leading symbols and known Symbol cards."""
    if view.ending is not None:
        yield TableNote(Message("The game is over."))
    for player in view.players:
        yield TableNote(describe_score(c, view, player), player.seat)
        ahead = list_led_symbols(c, view, player)
        if ahead:
            yield TableNote(Message("Symbol majorities: {0}.", JoinedList(ahead)), player.seat)
        symbols = list_known_symbols(c, view, player)
        if symbols:
            yield TableNote(Message("Known Symbol cards add one each to: {0}.", JoinedList(symbols)), player.seat)
    blocked = list_blocked_events(c, view)
    if blocked:
        yield TableNote(Message("In range, path blocked: {0}.", JoinedList(blocked)), view.viewer)


def describe_score(c: Components, view: PortalsView, player: Player) -> Message:
    """PP-R27, PP-R32  Return the total if the game ended now, and the New Testament cards that bring the end."""
    score = view.standing[player.seat]
    total = describe_number(score.shown_total)
    if view.ending is not None:
        text = Message("Total: {0}.", total)
    elif score.is_provisional:
        text = Message("Total if the game ended now: {0}, without unseen cards.", total)
    else:
        text = Message("Total if the game ended now: {0}.", total)
    if not view.third_card_ends:
        return text
    return Message("{0} New Testament cards: {1} of {2}.", text, player.new_played, c.new_to_end)


def list_led_symbols(c: Components, view: PortalsView, player: Player) -> list[Arg]:
    """PP-11.6  Return the symbols of which nobody has more, with a remark if an unseen card could change it."""
    led = [symbol for symbol, seats in enumerate(view.leaders) if player.seat in seats]
    return [
        Message("{0} (an unseen Symbol card could change it)", c.symbol_names[symbol])
        if view.unsettled[symbol]
        else c.symbol_names[symbol]
        for symbol in led
    ]


def list_known_symbols(c: Components, view: PortalsView, player: Player) -> list[Arg]:
    """PP-11.5  Return the symbols of the Symbol cards that are known in a player's or partner's hand."""
    side = [
        entry for entry in view.players if entry is player or (player.team is not None and entry.team == player.team)
    ]
    cards = [held.card for entry in side for held in entry.hand if held.card is not None]
    held_symbols = {c.symbol_card[card] for card in cards} - {NONE}
    return [name for symbol, name in enumerate(c.symbol_names) if symbol in held_symbols]


def list_blocked_events(c: Components, view: PortalsView) -> list[Arg]:
    """PP-1.9  Return the events in the viewer's hand that are in range but have no way, once the pawn is placed."""
    if view.viewer is None or view.hand is None or view.players[view.viewer].place is None:
        return []
    return [c.titles[own.card] for own in view.hand if isinstance(own, OwnEvent) and own.in_range and own.steps is None]
