"""The table in plain text, from a view, for the terminal and for those who read by ear."""

from triclinium.engine.core.text import Message, Name, Reader, Who
from triclinium.engine.view import items, table_of, whole, word
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.kinds import (
    COLOURS,
    GIVES_CALL,
    GIVES_DENARII,
    GIVES_JESUS,
    GIVES_MAHANE,
    GIVES_MEETING,
    GIVES_VP,
    LOCATIONS,
    TILES,
)

EMPTY = "."
UNUSED = "x"
LETTERS = "SBF"  # Stone, Bread, Fish, in prices
SIGNS = {GIVES_MEETING: "M", GIVES_MAHANE: "C", GIVES_CALL: ">", GIVES_JESUS: "J"}  # what an empty space gives


def plain_table(c: Components, view: dict[str, object], reader: Reader) -> str:
    """Track, Apostle columns, room, Locations, stacks and decks, then each player."""
    lines = [
        sanhedrin_line(c, table_of(view["sanhedrin"]), whole(view["turn"]), reader),
        *apostle_lines(c, items(view["apostles"]), reader),
        "",
        *room_lines(c, view, reader),
        "",
        *location_lines(c, table_of(view["locations"]), reader),
        *pile_lines(view, reader),
    ]
    for seat, player in enumerate(items(view["players"])):
        lines += ["", *player_lines(c, seat, table_of(player), whole(view["active"]), reader)]
    return "\n".join(lines)


def sanhedrin_line(c: Components, track: dict[str, object], turn: int, reader: Reader) -> str:
    """Turn, marker, and the Judgments ahead."""
    marker = whole(track["marker"])
    text = reader.read(Message("Turn {0}. Sanhedrin {1} of {2}.", turn, marker, whole(track["last"])))
    for tile in items(track["ahead"]):
        ahead = table_of(tile)
        name = c.tile_names[TILES.index(word(ahead["tile"]))]
        text += " " + reader.read(Message("At {0}: {1}.", whole(ahead["space"]), name))
    return text


def apostle_lines(c: Components, columns: list[object], reader: Reader) -> list[str]:
    """The three Apostle columns: symbols and who waits."""
    lines = []
    for i, column in enumerate(columns):
        data = table_of(column)
        symbols = ", ".join(location(c, word(symbol), reader) for symbol in items(data["symbols"]))
        waiting = [c.apostle_ids.index(word(apostle)) for apostle in items(data["waiting"])]
        names = [f"{reader.say(c.apostle_names[a])} {c.shade_value[c.shade[a]]:+d}" for a in waiting]
        said = Name(", ".join(names) or EMPTY)
        lines.append(reader.read(Message("Apostle column {0}: {1}. Waiting: {2}", i + 1, Name(symbols), said)))
    return lines


def room_lines(c: Components, view: dict[str, object], reader: Reader) -> list[str]:
    """The room seen from above: seats in brackets, a digit for a player's Follower, the row's price on the right."""
    supper = table_of(view["supper"])
    seated = table_of(view["seated"])
    cells: dict[tuple[int, int], str] = {}
    for space, name in enumerate(c.space_ids):
        owner = supper.get(name)
        cells[c.space_x[space], c.space_y[space]] = (
            given(c, space) if owner is None else UNUSED if owner == "unused" else str(owner)
        )
    for seat, name in enumerate(c.seat_ids):
        apostle = seated.get(name)
        shown = "[ ]"
        if apostle is not None:
            shown = f"[{c.shade_value[c.shade[c.apostle_ids.index(word(apostle))]]:+d}]"
        cells[c.seat_x[seat], c.seat_y[seat]] = shown
    lines = []
    for row, name in enumerate(c.row_ids):
        y = c.row_y[row]
        cost = "".join(LETTERS[good] for good in (c.row_cost[row] or c.table_cost))
        lines.append(f"{name:>3} " + "".join(f"{cells.get((x, y), ''):^5}" for x in range(10)) + cost)
        if y == 3:
            lines.append("    " + "=" * 20 + f" {reader.translate('Jesus')} ".center(10, "=") + "=" * 20)
    prices = "".join(f"{LETTERS[good]:^5}" for good in c.column_cost)
    lines.append("         " + prices)
    lines.append(reader.translate("S Stone, B Bread, F Fish; x: the unused colour; [+5]: an Apostle's worth"))
    lines.append(
        reader.translate(
            "Empty spaces give: +3 VP, 2D Denarii, 1F a good, M a Meeting, C a Mahane card, > a call; "
            "J: VP of Jesus at the end"
        )
    )
    return lines


def given(c: Components, space: int) -> str:
    """What an empty space gives, as a sign of the room's picture."""
    kind = c.space_reward[space]
    amount = c.space_amount[space]
    if kind < GIVES_DENARII:
        return f"{amount}{LETTERS[kind]}"
    if kind == GIVES_DENARII:
        return f"{amount}D"
    if kind == GIVES_VP:
        return f"+{amount}"
    return SIGNS.get(kind, EMPTY)


def location_lines(c: Components, places: dict[str, object], reader: Reader) -> list[str]:
    """Desert, Mountain and Lake: who stands there, and how many squares are empty."""
    lines = []
    for name in LOCATIONS[:3]:
        data = table_of(places[name])
        there = ", ".join(f"{reader.say(Who(i))} {n}" for i, n in enumerate(items(data["followers"])))
        place = c.location_full_names[LOCATIONS.index(name)]
        lines.append(reader.read(Message("{0}: {1}; empty squares: {2}", place, Name(there), whole(data["empty"]))))
    return lines


def pile_lines(view: dict[str, object], reader: Reader) -> list[str]:
    """Parable stacks, Mahane cards, decks."""
    stacks = " ".join(f"{whole(s['number'])}:{s['top'] or EMPTY}" for s in map(table_of, items(view["parables"])))
    mahane = table_of(view["mahane"])
    shown = ", ".join(word(card).upper() for card in items(mahane["display"]))
    decks = Message(
        "Mahane: {0}; deck {1}. XXXIII A.D.: deck {2}.",
        Name(shown or EMPTY),
        whole(mahane["deck"]),
        whole(table_of(view["xxxiii"])["deck"]),
    )
    return [reader.read(Message("Parables, top tiles: {0}", Name(stacks))), reader.read(decks)]


def player_lines(c: Components, seat: int, player: dict[str, object], active: int, reader: Reader) -> list[str]:
    """A player: VP and pieces, then columns, Favors and hand."""
    camp = table_of(player["camp"])
    goods = table_of(player["goods"])
    held = ", ".join(f"{reader.say(c.good_names[i])} {n}" for i, n in enumerate(goods.values()))
    picked = player["colour"]  # None: not yet
    colour = Name("?") if picked is None else c.colour_names[COLOURS.index(word(picked))]
    head = Message(
        "{0} ({1}): {2} VP, {3} if it ended now; {4} {4:Denarius|Denarii}; {5}",
        Who(seat),
        colour,
        whole(player["vp"]),
        whole(player["total"]),
        whole(player["denarii"]),
        Name(held),
    )
    pieces = Message(
        "Camp {0} of {1} ({2} {2:Follower|Followers}, {3} {3:Offering|Offerings}); at the Last Supper {4}; "
        "Parables {5}; Favors done {6}; Illumination {7}",
        whole(camp["fill"]),
        whole(camp["spaces"]),
        whole(camp["followers"]),
        whole(player["offerings"]),
        whole(player["at_supper"]),
        whole(player["parables"]),
        whole(player["favors_done"]),
        Message("kept") if player["illumination"] else Message("spent"),
    )
    columns = []
    for data in map(table_of, items(player["columns"])):
        cards = zip(items(data["cards"]), items(data["symbols"]), strict=True)
        said = " > ".join(f"{word(card).upper()} {location(c, word(symbol), reader)}" for card, symbol in cards)
        columns.append(f"[{said or EMPTY}]")
    favors = ", ".join(f"{location(c, name, reader)} {n}" for name, n in table_of(player["received"]).items())
    hand = " ".join(hand_card(c, word(card), reader) for card in items(player["hand"]))
    lines = [
        ("> " if seat == active else "  ") + reader.read(head),
        "    " + reader.read(pieces),
        "    " + reader.read(Message("Columns: {0}", Name(" ".join(columns)))),
        "    " + reader.read(Message("Hand: {0}", Name(hand or EMPTY))),
    ]
    if "deck_cards" in player:
        deck = " ".join(word(card).upper() for card in items(player["deck_cards"]))
        lines.append("    " + reader.read(Message("Deck: {0}", Name(deck or EMPTY))))
    to_give = " ".join(word(marker).upper() for marker in items(player["markers"]))
    lines.insert(3, "    " + reader.read(Message("Favors to give: {0}", Name(to_give or EMPTY))))
    if favors:
        lines.insert(4, "    " + reader.read(Message("Favors received: {0}", Name(favors))))
    return lines


def hand_card(c: Components, card: str, reader: Reader) -> str:
    """A card by its id; a back in brackets."""
    if card in COLOURS:
        return f"({reader.say(c.colour_names[COLOURS.index(card)])})"
    return card.upper() if card in c.card_ids else f"({card})"


def location(c: Components, name: str, reader: Reader) -> str:
    """A Location's name."""
    return reader.say(c.location_names[LOCATIONS.index(name)])
