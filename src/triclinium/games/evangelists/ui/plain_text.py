"""The table in plain text, made from a view, for terminals and screen readers."""

from triclinium.engine.core.text import JoinedList, Message, Name, Reader, SeatName, msgid
from triclinium.games.evangelists.rules.components import Components
from triclinium.games.evangelists.ui.view import BoxCard, City, EvangelistsView, Player

TRACKS = (msgid("inclusio"), msgid("emphasis"), msgid("chiasm"), msgid("chronology"))
MOTIF_LETTERS = "PCFOX"  # letters for palm, crown, feet, coin and clash
LEAF = msgid("A leaf for everyone after this round")
NO_LEAF = msgid("No leaf after this round")
CUBES = {"white": "\N{WHITE CIRCLE}", "black": "\N{BLACK CIRCLE}", None: " "}


def format_table(c: Components, view: EvangelistsView, reader: Reader) -> str:
    """Return the table: round, bag, turn, cities, known cards, each player's gospel, and a legend."""
    lines = [*format_heading(c, view, reader), ""]
    lines += [format_city(c, city, view, reader) for city in view.cities]
    afield = [
        reader.read(Message("{0}: {1}", SeatName(seat), place))
        for seat, place in list_pawns_at_waypoints(c, view.players)
    ]
    if afield:
        lines.append("  " + ", ".join(afield))
    lines += format_known_cards(c, view, reader)
    for seat, player in enumerate(view.players):
        lines += ["", *format_player(c, seat, player, view.turn, reader)]
    return "\n".join([*lines, "", *format_legend(c, reader)])


def format_heading(c: Components, view: EvangelistsView, reader: Reader) -> list[str]:
    """Return the heading: round and coming leaf, bag with the probability of a white cube, and turn with its limits."""
    bag = view.bag
    lines = [reader.read(Message("Round {0} of {1}.", view.round, view.rounds))]
    if not view.over:
        leaf = c.track_leaf[view.marker + 1] and view.marker + 1 < c.track_end
        lines[0] += f" {reader.read(Message(LEAF if leaf else NO_LEAF))}."
    inside = Message("Bag: {0} white, {1} black; supply: {2} black.", bag.white, bag.black, bag.supply)
    lines.append(reader.read(inside))
    if bag.white + bag.black and not view.over:
        chance = round(100 * bag.white / (bag.white + bag.black))
        lines[-1] += " " + reader.read(Message("A witness interviewed now: {0} % chance to be alive.", chance))
    if not view.over and all(player.pawn is not None for player in view.players):
        left = Message("{0}: {1} {1:octagon|octagons} left.", SeatName(view.turn), view.octagons)
        lines.append(reader.read(left))
        done = list_used_actions(c, view)
        if done:
            lines[-1] += " " + reader.read(Message("Done this turn: {0}.", JoinedList(done)))
    return lines


def list_used_actions(c: Components, view: EvangelistsView) -> list[Message]:
    """AE-2.7  Return the once-only actions that this turn has already used."""
    limits = (("Travel", view.used.travel), ("Rearrange", view.used.rearrange), ("Boat", view.used.boat))
    boxes = [Message("Tradition ({0})", c.place_names[city]) for city in view.told]
    return [*[Message(name) for name, done in limits if done], *boxes]


def format_city(c: Components, city: City, view: EvangelistsView, reader: Reader) -> str:
    """Return the line of a city: boat, witness, cube, box and pawns."""
    place = reader.format_arg(c.place_names[city.id])
    witness = reader.format_arg(c.witness_names[city.witness])
    boat = "\N{ANCHOR}" if city.id in view.boats else " "
    box = " ".join(format_box_place(c, card) for card in city.box)
    here = [reader.format_arg(SeatName(seat)) for seat, player in enumerate(view.players) if player.pawn == city.id]
    pawns = f"  \N{LEFTWARDS ARROW} {', '.join(here)}" if here else ""
    return f"{boat} {place:<14}{CUBES[city.cube]} {witness:<30.30} {city.interviews_left}  {box}{pawns}"


def format_box_place(c: Components, card: BoxCard | None) -> str:
    """Return a place in a box: the mark of its back, its number if known, and a star if it is face up."""
    if card is None:
        return "  --  "
    number = "" if card.card is None else str(c.numbers[card.card])
    star = "*" if card.face_up else ""
    return f"{c.theme_marks[card.back]} {number + star:<3}"


def list_pawns_at_waypoints(c: Components, players: list[Player]) -> list[tuple[int, Name]]:
    """Return the seats and places of the pawns that are not in a city."""
    return [
        (seat, c.place_names[player.pawn])
        for seat, player in enumerate(players)
        if player.pawn is not None and player.pawn >= c.cities
    ]


def format_known_cards(c: Components, view: EvangelistsView, reader: Reader) -> list[str]:
    """Return cards in full: known cards in the box at the viewer's pawn, face-up cards elsewhere, cards just kept."""
    lines: list[str] = []
    pawn = None if view.viewer is None else view.players[view.viewer].pawn
    if pawn is not None and pawn < c.cities:
        known = [card.card for card in view.cities[pawn].box if card is not None and card.card is not None]
        if known:
            lines += ["", reader.read(Message("In this city's box ({0}):", c.place_names[pawn]))]
            lines += [format_card(c, card, reader) for card in known]
    others = [city for city in view.cities if city.id != pawn]
    face_up_cards = [(card.card, city.id) for city in others for card in city.box if card is not None and card.face_up]
    if face_up_cards:
        lines += ["", reader.translate(msgid("Face up elsewhere:"))]
        for card, place in face_up_cards:
            assert card is not None  # Face-up cards are known to all.
            lines.append(f"{format_card(c, card, reader)} ({reader.format_arg(c.place_names[place])})")
    kept_cards = [*view.kept, *([] if view.placing is None or view.placing in view.kept else [view.placing])]
    if kept_cards:
        lines += ["", reader.translate(msgid("Kept just now:"))]
        lines += [format_card(c, card, reader) for card in kept_cards]
    return lines


def format_card(c: Components, card: int, reader: Reader) -> str:
    """Return a tradition with the names of its motifs, witnesses and themes."""
    lead = c.back[card]
    motifs = [reader.format_arg(name) for m, name in enumerate(c.motif_names) if (c.motifs[card] >> m) & 1]
    witnesses = [reader.format_arg(name) for w, name in enumerate(c.witness_names) if (c.circles[card] >> w) & 1]
    others = [t for t in range(len(c.theme_ids)) if (c.themes[card] >> t) & 1 and t != lead]
    themes = [reader.format_arg(c.theme_names[theme]) for theme in (lead, *others)]
    title = f"{c.numbers[card]} {reader.format_arg(c.titles[card])}"
    return "    " + " / ".join([title, " + ".join(motifs), " + ".join(witnesses), " + ".join(themes)])


def format_legend(c: Components, reader: Reader) -> list[str]:
    """Return the legend of the letters for motifs, witnesses and themes."""
    motifs = zip(MOTIF_LETTERS, c.motif_names, strict=False)
    witnesses = zip(c.witness_marks, c.witness_names, strict=True)
    themes = zip(c.theme_marks, c.theme_names, strict=True)
    return [" · ".join(f"{mark} {reader.format_arg(name)}" for mark, name in of) for of in (motifs, witnesses, themes)]


def format_player(c: Components, seat: int, player: Player, turn: int, reader: Reader) -> list[str]:
    """Return a player: name, theme and matching cards, tracks, tokens, tally; then the gospel, leaf by leaf."""
    levels = zip(TRACKS, player.levels, strict=True)
    tracks = ", ".join(f"{reader.translate(track)} {level}" for track, level in levels)
    held = ", ".join(reader.format_arg(c.witness_names[witness]) for witness in player.interviews)
    head = Message(
        "{0} ({1}, {5} of {6}): {2} {2:mark|marks}, {3} {3:token|tokens}; {4}",
        SeatName(seat),
        c.theme_names[player.theme],
        player.tally,
        player.tokens,
        tracks,
        player.matches,
        len([card for card in player.slots if card is not None]),
    )
    lines = [("> " if seat == turn else "  ") + reader.read(head)]
    if held:
        lines.append("    " + reader.read(Message("interviewed: {0}", held)))
    cells = [format_slot(c, card) for card in player.slots]
    size = c.slots_per_leaf
    lines.append("    " + " ".join("[" + " | ".join(cells[i : i + size]) + "]" for i in range(0, len(cells), size)))
    return lines


def format_slot(c: Components, card: int | None) -> str:
    """Return a slot: number, motifs, circles and themes, or dots.

    The leading theme comes first. The text has no spaces, so that it is never split across lines.
    """
    if card is None:
        return "....."
    motifs = "".join(MOTIF_LETTERS[m] for m in range(len(c.motif_ids)) if (c.motifs[card] >> m) & 1)
    circles = "".join(c.witness_marks[w] for w in range(len(c.witness_ids)) if (c.circles[card] >> w) & 1)
    lead = c.back[card]
    others = [t for t in range(len(c.theme_ids)) if (c.themes[card] >> t) & 1 and t != lead]
    themes = "".join(c.theme_marks[theme] for theme in (lead, *others))
    return f"{c.numbers[card]}{motifs}/{circles}/{themes}"
