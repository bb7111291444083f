"""The parts of Ierusalem: Anno Domini on paper. The condensed rules have no list, but name them in the setup."""

from typing import Final

from triclinium.boardkit.print_list import (
    CUBE,
    SPACE,
    TOKEN,
    PrintedBoard,
    PrintedPiece,
    PrintedPieces,
    PrintedSheet,
    PrintList,
    Unprinted,
    list_pieces,
    make_tokens,
    make_track,
)
from triclinium.engine.component_kinds import POKER_CARD, CardFace
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import CARDS, FIRST_MAHANE, FIRST_XXXIII, GOODS, LOCATIONS, OWN_CARDS
from triclinium.games.ierusalem.ui.card_faces import LOCATION_TONES
from triclinium.games.ierusalem.ui.component_kinds import (
    BACK_TONES,
    COLOUR_TONES,
    DECK_NAMES,
    GOOD_TONES,
    SHADE_TONES,
    build_kinds,
)
from triclinium.games.ierusalem.ui.reward_text import join_commas, name_reward
from triclinium.games.ierusalem.ui.tracks_and_stacks import draw_parable_track

OFFERINGS, GOODS_EACH, DENARII = 50, 30, 60  # counts from shop listings, because the condensed rules give none
WITHOUT: Final = ("piece", "mcard", "pieces", "dn", "nearness", "judg", "pip", "cover", "own-next")
ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII")


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition, for four players."""
    kind = build_kinds(c)["card"]

    def name_vp(vp: int) -> tuple[Arg, ...]:
        return (Message("{0} VP", vp),)

    def of_each_colour(count: int, title: Arg, sign: str = "") -> list[PrintedPiece]:
        return [token for tone in COLOUR_TONES for token in make_tokens(title, count, tone, sign)]

    decks = [(range(n * OWN_CARDS, (n + 1) * OWN_CARDS), name) for n, name in enumerate(c.colour_names)]
    decks += [(range(FIRST_MAHANE, FIRST_XXXIII), DECK_NAMES[0]), (range(FIRST_XXXIII, CARDS), DECK_NAMES[1])]
    cards = [
        piece
        for (numbers, name), tone in zip(decks, BACK_TONES, strict=True)
        for piece in list_pieces("card", kind, numbers, CardFace(name, tone=tone))
    ]
    apostles = [
        (CardFace(c.apostle_names[n], tone=SHADE_TONES[shade], lines=name_vp(c.shade_value[shade])), n)
        for n, shade in enumerate(c.shade)
    ]
    parables = [
        (CardFace(ROMAN[n], lines=name_vp(vp), emblem="parable"), n)
        for n in range(len(c.parable_names))
        for vp in c.stack_vp
    ]
    favors = [
        PrintedPiece(
            CardFace(join_commas([name_reward(c, kind, n) for kind, n in benefit]), tone=tone, emblem="favor"),
            CardFace(c.location_names[c.marker_location[n]], tone=tone),
            ("marker", n),
        )
        for tone in COLOUR_TONES
        for n, benefit in enumerate(c.marker_benefit)
    ]
    locations = zip(c.location_names, LOCATION_TONES, LOCATIONS, strict=True)
    camp: list[Arg] = [*([""] * c.open_spaces), *([Name("blocked", "print")] * c.blocked_spaces)]
    player_board = (
        make_track(Name("Columns for cards", "print"), "123", POKER_CARD),
        make_track(Name("Camp and Warehouse", "print"), camp, TOKEN),
        draw_parable_track(c),
        make_track(Name("Illumination", "print"), [""]),
    )
    score = make_track(Name("VP", "print"), [str(n) for n in range(101)], SPACE)
    tokens = (
        ("jesus", Name("Jesus", "print"), make_tokens(Name("Jesus", "print"), 1, 6)),
        ("apostles", Name("Apostles", "print"), [PrintedPiece(face, None, ("apostle", n)) for face, n in apostles]),
        (
            "locations",
            Name("Location tiles", "print"),
            [tile for name, tone, id in locations for tile in make_tokens(name, c.tiles_each, tone, id)],
        ),
        (
            "parables",
            Name("Parable tiles", "print"),
            [PrintedPiece(face, None, ("parable", n)) for face, n in parables],
        ),
        (
            "judgments",
            Name("Sanhedrin’s Judgment tiles", "print"),
            [PrintedPiece(CardFace(name, tone=6), None, ("tile", n)) for n, name in enumerate(c.tile_names)],
        ),
        ("sanhedrin", Name("Sanhedrin marker", "print"), make_tokens("", 1, 5, "meeting")),
        ("blocked", Name("Blocked Location tiles", "print"), make_tokens(Name("blocks 2 squares", "print"), 3)),
        ("warehouse", Name("Blocked Warehouse tiles", "print"), of_each_colour(1, Name("blocked", "print"))),
        ("illumination", Name("Illumination tiles", "print"), of_each_colour(1, "", "lamp")),
        ("disks", Name("Favors Fulfilled markers", "print"), of_each_colour(1, "", "favor")),
        ("scores", Name("score markers", "print"), of_each_colour(1, Name("VP", "print"))),
    )
    goods = [
        token for tone, id in zip(GOOD_TONES, GOODS, strict=True) for token in make_tokens("", GOODS_EACH, tone, id)
    ]
    supplies = (
        ("followers", Name("Followers", "print"), of_each_colour(c.followers, "", "follower")),
        ("offerings", Name("Offering counters", "print"), make_tokens("", OFFERINGS, 4, "offering")),
        ("goods", Name("goods", "print"), goods),
        ("denarii", Name("Denarii", "print"), make_tokens("", DENARII, 3, "coin")),
    )
    return PrintList(
        (
            PrintedBoard("board", Name("main board", "print"), "ie-board", 355.0, WITHOUT, ("location",)),
            PrintedSheet("score", Name("main board: score track", "print"), (score,)),
            PrintedSheet(
                "player-boards", Name("player boards", "print"), player_board, len(COLOUR_TONES), ("parable",)
            ),
            PrintedPieces("own", Name("starting cards, ten of each colour", "print"), cards[:FIRST_MAHANE]),
            PrintedPieces("mahane", Name("Mahane cards", "print"), cards[FIRST_MAHANE:FIRST_XXXIII]),
            PrintedPieces("xxxiii", Name("XXXIII A.D. cards", "print"), cards[FIRST_XXXIII:]),
            *(PrintedPieces(id, label, pieces, TOKEN) for id, label, pieces in tokens),
            PrintedPieces("favors", Name("Favor markers", "print"), favors, TOKEN),
            *(PrintedPieces(id, label, pieces, CUBE) for id, label, pieces in supplies),
        ),
        (
            Unprinted(Name("4 Help cards", "print"), Name("the pages of rules replace them", "print")),
            Unprinted(Name("parts for 1–2 players", "print"), Name("the condensed rules leave them out", "print")),
        ),
        Name(
            "The condensed rules have no list of components. Counts that they do not name are those of shops.", "print"
        ),
    )
