"""The table in plain text, from a view, for the terminal and for those who read by ear."""

from triclinium.engine.core.text import Message, Name, Reader, Who
from triclinium.engine.view import items, table_of, whole, word
from triclinium.games.evangelists.rules.components import TRACK_IDS, Components

MOTIF_LETTERS = "PCFOX"  # palm, crown, feet, coin, clash


def plain_table(c: Components, view: dict[str, object], reader: Reader) -> str:
    """Round, bag, cities, then each player with the gospel."""
    heading = Message(
        "Round {0} of {1}. Bag: {2} white, {3} black; supply: {4} black.",
        whole(view["round"]),
        whole(view["rounds"]),
        whole(table_of(view["bag"])["white"]),
        whole(table_of(view["bag"])["black"]),
        whole(table_of(view["bag"])["supply"]),
    )
    lines = [reader.read(heading), ""]
    boats = items(view["boats"])
    players = [table_of(player) for player in items(view["players"])]
    for city in items(view["cities"]):
        lines.append(city_line(c, table_of(city), boats, players, reader))
    afield = [f"{seat}: {place}" for seat, place in waypoints(c, players, reader)]
    if afield:
        lines.append("  " + ", ".join(afield))
    for seat, player in enumerate(players):
        lines += ["", *player_lines(c, seat, player, whole(view["turn"]), reader)]
    return "\n".join(lines)


def city_line(
    c: Components, city: dict[str, object], boats: list[object], players: list[dict[str, object]], reader: Reader
) -> str:
    """A city: boat, witness and cube, box, pawns."""
    place = reader.say(c.place_names[c.place_ids.index(word(city["id"]))])
    witness = reader.say(c.witness_names[c.witness_ids.index(word(city["witness"]))])
    cube = {"white": "\N{WHITE CIRCLE}", "black": "\N{BLACK CIRCLE}"}.get(str(city["cube"]), " ")
    boat = "\N{ANCHOR}" if city["id"] in boats else " "
    box = " ".join(box_cell(c, cell) for cell in items(city["box"]))
    here = [str(seat) for seat, player in enumerate(players) if player["pawn"] == city["id"]]
    pawns = f"  \N{LEFTWARDS ARROW} {', '.join(here)}" if here else ""
    return f"{boat} {place:<14}{cube} {witness:<30.30} {whole(city['interviews_left'])}  {box}{pawns}"


def box_cell(c: Components, cell: object) -> str:
    """A place of a box: the mark of its back, the number if known, a star if face up."""
    if cell is None:
        return "  --  "
    data = table_of(cell)
    number = "" if data["card"] is None else str(data["card"])
    star = "*" if data["face_up"] else ""
    return f"{word(data['back'])[:3]}{number + star:<3}"


def waypoints(c: Components, players: list[dict[str, object]], reader: Reader) -> list[tuple[int, str]]:
    """The pawns that stand in no city."""
    cities = c.place_ids[: c.cities]
    return [
        (seat, reader.say(c.place_names[c.place_ids.index(word(player["pawn"]))]))
        for seat, player in enumerate(players)
        if player["pawn"] is not None and player["pawn"] not in cities
    ]


def player_lines(c: Components, seat: int, player: dict[str, object], turn: int, reader: Reader) -> list[str]:
    """A player: name, theme, tracks, tokens, tally; then the gospel, leaf by leaf."""
    theme = c.theme_names[c.theme_ids.index(word(player["theme"]))]
    levels = table_of(player["levels"])
    tracks = ", ".join(f"{reader.translate(track)} {levels[track]}" for track in TRACK_IDS)
    held = [c.witness_names[c.witness_ids.index(word(name))] for name in items(player["interviews"])]
    head = Message(
        "{0} ({1}): {2} {2:mark|marks}, {3} {3:token|tokens}; {4}",
        Who(seat),
        theme,
        whole(player["tally"]),
        whole(player["tokens"]),
        Name(tracks),
    )
    lines = [("> " if seat == turn else "  ") + reader.read(head)]
    if held:
        lines.append("    " + reader.translate("interviewed") + ": " + ", ".join(reader.say(name) for name in held))
    cells = [slot_cell(c, number) for number in items(player["slots"])]
    size = c.slots_per_leaf
    lines.append("    " + " ".join("[" + " | ".join(cells[i : i + size]) + "]" for i in range(0, len(cells), size)))
    return lines


def slot_cell(c: Components, number: object) -> str:
    """A slot: number, motifs, circles; dots when empty."""
    if number is None:
        return "." * 9
    card = c.numbers.index(whole(number))
    motifs = "".join(MOTIF_LETTERS[m] for m in range(len(c.motif_ids)) if (c.motifs[card] >> m) & 1)
    circles = "".join(c.witness_marks[w] for w in range(len(c.witness_ids)) if (c.circles[card] >> w) & 1)
    return f"{whole(number):>2}{motifs}{circles:<6}"[:11]
