"""The table in plain text, made from a view, for terminals and screen readers."""

from triclinium.engine.core.text import Message, Name, Reader, SeatName, format_change, msgid
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    CARDS,
    GIVES_CALL,
    GIVES_DENARII,
    GIVES_JESUS,
    GIVES_MAHANE,
    GIVES_MEETING,
    GIVES_VP,
)
from triclinium.games.ierusalem.ui.board_layout import build_card_face
from triclinium.games.ierusalem.ui.column_progress import format_progress, list_column_progress
from triclinium.games.ierusalem.ui.reward_text import join_commas, name_reward
from triclinium.games.ierusalem.ui.view import ApostleColumn, IerusalemView, LocationSquares, Player, Sanhedrin

EMPTY = "."
UNUSED = "x"
GOOD_LETTERS = "SBF"  # Stone, Bread and Fish in prices
# signs of the rewards of empty spaces
REWARD_SIGNS = {GIVES_MEETING: "M", GIVES_MAHANE: "C", GIVES_CALL: ">", GIVES_JESUS: "J"}
BACKS = (Name("mahane", "back"), Name("xxxiii", "back"))  # the backs of cards that belong to no player


def format_table(c: Components, view: IerusalemView, reader: Reader) -> str:
    """Return the table: track, Apostle columns, room, Locations, stacks and decks, then each player."""
    lines = [
        *format_sanhedrin(c, view.sanhedrin, view.turn, reader),
        *format_apostles(c, view.apostles, reader),
        "",
        *format_room(c, view, reader),
        "",
        *format_locations(c, view.locations, reader),
        *format_piles(c, view, reader),
    ]
    for seat, player in enumerate(view.players):
        lines += ["", *format_player(c, seat, player, view.active, reader)]
        if seat == view.viewer:
            lines += format_own_columns(c, view, player, reader)
    return "\n".join(lines)


def format_sanhedrin(c: Components, track: Sanhedrin, turn: int, reader: Reader) -> list[str]:
    """IE-5.1  Return the turn, the marker, and the future Judgments with their score for each player."""
    lines = [reader.read(Message("Turn {0}. Sanhedrin {1} of {2}.", turn, track.marker, track.last))]
    for judgment in track.ahead:
        counts = format_counts_by_seat(judgment.counts, reader)
        message = Message("At {0}: {1} ({2}).", judgment.space, c.tile_names[judgment.tile], counts)
        lines.append("    " + reader.read(message))
    return lines


def format_counts_by_seat(counts: list[int], reader: Reader) -> str:
    """Return a number for each player, after a colon, because a bot's name can end in a number."""
    return ", ".join(reader.read(Message("{0}: {1}", SeatName(seat), n)) for seat, n in enumerate(counts))


def format_apostles(c: Components, columns: list[ApostleColumn], reader: Reader) -> list[str]:
    """Return the three Apostle columns: symbols and waiting Apostles."""
    lines = []
    for i, column in enumerate(columns):
        symbols = ", ".join(reader.format_arg(c.location_names[symbol]) for symbol in column.symbols)
        names = [
            f"{reader.format_arg(c.apostle_names[a])} {format_change(c.shade_value[c.shade[a]])}"
            for a in column.waiting
        ]
        waiting = ", ".join(names) or EMPTY
        lines.append(reader.read(Message("Apostle column {0}: {1}. Waiting: {2}", i + 1, symbols, waiting)))
    return lines


def format_room(c: Components, view: IerusalemView, reader: Reader) -> list[str]:
    """Return the room from above: Apostles in brackets, a digit for a player's Follower, prices on the right."""
    cells: dict[tuple[int, int], str] = {}
    for space in range(len(c.space_ids)):
        owner = view.supper.get(space)
        cells[c.space_x[space], c.space_y[space]] = (
            get_reward_sign(c, space) if owner is None else UNUSED if owner == "unused" else str(owner)
        )
    for seat in range(len(c.seat_ids)):
        apostle = view.seated.get(seat)
        cells[c.seat_x[seat], c.seat_y[seat]] = (
            c.seat_ids[seat].upper() if apostle is None else f"[{format_change(c.shade_value[c.shade[apostle]])}]"
        )
    lines = ["         " + "".join(f"{column:^5}" for column in range(1, len(c.column_cost) + 1))]
    for row, name in enumerate(c.row_ids):
        y = c.row_y[row]
        cost = "".join(GOOD_LETTERS[good] for good in (c.row_cost[row] or c.table_cost))
        lines.append(f"{name:>3} " + "".join(f"{cells.get((x, y), ''):^5}" for x in range(10)) + cost)
        if y == 3:
            lines.append("    " + "=" * 20 + f" {reader.translate('Jesus')} ".center(10, "=") + "=" * 20)
    prices = "".join(f"{GOOD_LETTERS[good]:^5}" for good in c.column_cost)
    lines.append("         " + prices)
    players = ", ".join(f"{seat} {reader.format_arg(SeatName(seat))}" for seat in range(len(view.players)))
    lines.append(reader.read(Message("Followers: {0}; x: the unused colour", players)))
    lines.append(reader.translate("S Stone, B Bread, F Fish; S01: an open seat; [+5]: an Apostle's worth"))
    lines.append(
        reader.translate(
            "Empty spaces give: +3 VP, 2D Denarii, 1F a good, M a Meeting, C a Mahane card, > a call; "
            "J: VP of Jesus at the end"
        )
    )
    return lines


def get_reward_sign(c: Components, space: int) -> str:
    """Return the sign of an empty space's reward."""
    kind = c.space_reward[space]
    amount = c.space_amount[space]
    if kind < GIVES_DENARII:
        return f"{amount}{GOOD_LETTERS[kind]}"
    if kind == GIVES_DENARII:
        return f"{amount}D"
    if kind == GIVES_VP:
        return f"+{amount}"
    return REWARD_SIGNS.get(kind, EMPTY)


def format_locations(c: Components, places: list[LocationSquares], reader: Reader) -> list[str]:
    """Return Desert, Mountain and Lake: their Followers, and the number of empty squares."""
    lines = []
    for place, seen in enumerate(places):
        name = c.location_full_names[place]
        there = format_counts_by_seat(seen.followers, reader)
        lines.append(reader.read(Message("{0}: {1}; empty squares: {2}", name, there, seen.empty)))
    return lines


def format_piles(c: Components, view: IerusalemView, reader: Reader) -> list[str]:
    """Return Parable stacks, Mahane cards, decks, and the benefits of Favors."""
    stacks = " ".join(f"{stack.number}:{stack.top or EMPTY}" for stack in view.parables)
    decks = Message(
        "Mahane: {0}; deck {1}. XXXIII A.D.: deck {2}.",
        ", ".join(c.card_ids[card].upper() for card in view.mahane.display) or EMPTY,
        view.mahane.deck,
        view.xxxiii.deck,
    )
    favors = ", ".join(reader.read(format_favor(c, marker)) for marker in range(len(c.marker_ids)))
    return [
        reader.read(Message("Parables, top tiles: {0}", stacks)),
        reader.read(decks),
        *format_cards(c, view.mahane.display, reader),
        reader.read(Message("Favors: {0}", favors)),
    ]


def format_favor(c: Components, marker: int) -> Message:
    """Return the benefit of a Favor, and the symbol on its other side."""
    gifts = join_commas([name_reward(c, kind, amount) for kind, amount in c.marker_benefit[marker]])
    return Message("{0} ({1}; {2})", c.marker_ids[marker].upper(), gifts, c.location_names[c.marker_location[marker]])


def format_cards(c: Components, cards: list[int], reader: Reader) -> list[str]:
    """Return cards with Location, actions and VP, one line each."""
    return ["      " + reader.format_arg(build_card_face(c, card).description) for card in cards]


def format_player(c: Components, seat: int, player: Player, active: int, reader: Reader) -> list[str]:
    """Return a player: VP and pieces, then columns, Favors and hand."""
    lines = [
        ("> " if seat == active else "  ") + reader.read(format_player_heading(c, seat, player, reader)),
        "    " + reader.read(format_pieces(player)),
    ]
    columns = []
    for column in player.columns:
        cards = zip(column.cards, column.symbols, strict=True)
        text = " > ".join(f"{c.card_ids[card].upper()} {reader.format_arg(c.location_names[at])}" for card, at in cards)
        columns.append(f"[{text or EMPTY}]")
    rest = [
        (msgid("Columns: {0}"), " ".join(columns)),
        (msgid("Favors to give: {0}"), " ".join(c.marker_ids[marker].upper() for marker in player.markers)),
    ]
    if player.received:
        favors = [f"{reader.format_arg(c.location_names[place])} {n}" for place, n in player.received.items()]
        rest.append((msgid("Favors received: {0}"), ", ".join(favors)))
    rest.append((msgid("Hand: {0}"), " ".join(format_card_or_back(c, card, reader) for card in player.hand)))
    if player.deck_cards is not None:
        rest.append((msgid("Deck: {0}"), " ".join(c.card_ids[card].upper() for card in player.deck_cards)))
    return lines + ["    " + reader.read(Message(template, text or EMPTY)) for template, text in rest]


def format_own_columns(c: Components, view: IerusalemView, player: Player, reader: Reader) -> list[str]:
    """Return the viewer's possibilities: the goals of the columns (IE-2.7), and the hand in full."""
    progress_list = sorted(list_column_progress(view, player), key=lambda progress: (progress.nth, progress.distance))
    columns = [
        "      " + reader.read(Message("{0}: {1}", Message("column {0}", progress.nth), format_progress(c, progress)))
        for progress in progress_list
    ]
    return [*columns, *format_cards(c, player.hand, reader)]


def format_player_heading(c: Components, seat: int, player: Player, reader: Reader) -> Message:
    """Return a player's name, VP, money and goods."""
    held = ", ".join(f"{reader.format_arg(c.good_names[i])} {n}" for i, n in enumerate(player.goods))
    return Message(
        "{0} ({1}): {2} VP, {3} if it ended now; {4} {4:Denarius|Denarii}; {5}",
        SeatName(seat),
        "?" if player.colour is None else c.colour_names[player.colour],
        player.vp,
        player.total,
        player.denarii,
        held,
    )


def format_pieces(player: Player) -> Message:
    """Return a player's Camp and progress on the tracks."""
    return Message(
        "Camp {0} of {1} ({2} {2:Follower|Followers}, {3} {3:Offering|Offerings}); at the Last Supper {4}; "
        "Parables {5}; Favors done {6}; Illumination {7}",
        player.camp.fill,
        player.camp.spaces,
        player.camp.followers,
        player.offerings,
        player.at_supper,
        player.parables,
        player.favors_done,
        Message("kept") if player.illumination else Message("used"),
    )


def format_card_or_back(c: Components, card: int, reader: Reader) -> str:
    """Return a card by its id, or a back in brackets."""
    if card < CARDS:
        return c.card_ids[card].upper()
    return f"({reader.format_arg([*c.colour_names, *BACKS][card - CARDS])})"
