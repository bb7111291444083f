"""The parts of Ierusalem: Anno Domini on paper. The condensed rules name them in the setup and have no list of them."""

from collections.abc import Iterable, Sequence
from typing import Final

from triclinium.boardkit.print_list import (
    CUBE,
    TOKEN,
    PrintedBoard,
    PrintedPiece,
    PrintedPieces,
    PrintedSheet,
    PrintList,
    SheetRow,
    Unprinted,
    make_tokens,
)
from triclinium.engine.component_kinds import CardFace
from triclinium.engine.core.text import Arg, Message, Name
from triclinium.games.ierusalem.rules.components import Components
from triclinium.games.ierusalem.rules.constants import (
    CARDS,
    COLOURS,
    FIRST_MAHANE,
    FIRST_XXXIII,
    GOODS,
    LOCATIONS,
)
from triclinium.games.ierusalem.ui.component_kinds import (
    BACK_TONES,
    COLOUR_TONES,
    DECK_NAMES,
    GOOD_TONES,
    LOCATION_TONES,
    SHADE_TONES,
    build_kinds,
)
from triclinium.games.ierusalem.ui.reward_text import join_commas, name_reward

COLUMNS: Final = 3
SUPPLY: Final = {"offerings": 50, "goods": 30, "denarii": 60}  # counts that shops name, not the condensed rules
LAST_SCORE: Final = 100
WITHOUT: Final = ("piece", "mcard", "pieces", "dn", "nearness", "judg", "pip", "cover", "own-next")
COLUMN: Final = (63.0, 100.0)
SPACE: Final = (22.0, 18.0)


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition, for four players."""
    players = len(COLOURS)
    kind = build_kinds(c)["card"]
    roman = ("I", "II", "III", "IV", "V", "VI", "VII")

    def list_cards(cards: Iterable[int], name: Arg, tone: int) -> list[PrintedPiece]:
        back = CardFace(name, tone=tone)
        return [PrintedPiece(face, back, ("card", card)) for card in cards if (face := kind.get_face(card))]

    def of_each_colour(count: int, title: Arg, sign: str = "") -> list[PrintedPiece]:
        return [token for tone in COLOUR_TONES for token in make_tokens(title, count, tone, sign)]

    def make_part(
        id: str, label: Name, pieces: Sequence[PrintedPiece], size: tuple[float, float] = TOKEN
    ) -> PrintedPieces:
        return PrintedPieces(id, label, pieces, size)

    own_cards = [
        piece
        for colour in range(players)
        for piece in list_cards(
            range(colour * FIRST_MAHANE // players, (colour + 1) * FIRST_MAHANE // players),
            c.colour_names[colour],
            BACK_TONES[colour],
        )
    ]
    apostles = [
        PrintedPiece(
            CardFace(c.apostle_names[n], tone=SHADE_TONES[shade], lines=(Message("{0} VP", c.shade_value[shade]),)),
            None,
            ("apostle", n),
        )
        for n, shade in enumerate(c.shade)
    ]
    parables = [
        PrintedPiece(CardFace(roman[n], lines=(Message("{0} VP", vp),), emblem="parable"), None, ("parable", n))
        for n in range(len(c.parable_names))
        for vp in c.stack_vp
    ]
    judgments = [PrintedPiece(CardFace(name, tone=6), None, ("tile", n)) for n, name in enumerate(c.tile_names)]
    locations = [
        piece
        for n, id in enumerate(LOCATIONS)
        for piece in make_tokens(c.location_names[n], c.tiles_each, LOCATION_TONES[n], id)
    ]
    markers = [
        PrintedPiece(
            CardFace(join_commas([name_reward(c, kind, n) for kind, n in benefit]), tone=tone, emblem="favor"),
            CardFace(c.location_names[c.marker_location[n]], tone=tone),
            ("marker", n),
        )
        for tone in COLOUR_TONES
        for n, benefit in enumerate(c.marker_benefit)
    ]
    goods = [piece for n, id in enumerate(GOODS) for piece in make_tokens("", SUPPLY["goods"], GOOD_TONES[n], id)]
    score = [str(n) for n in range(LAST_SCORE + 1)]
    parable_track = [
        Message("{0}: {1}", roman[n], name_reward(c, kind, amount) or "–")
        for n, (kind, amount) in enumerate(zip(c.parable_reward, c.parable_amount, strict=True))
    ]
    player_board = (
        SheetRow(Name("Columns for cards", "print"), [str(n + 1) for n in range(COLUMNS)], COLUMN),
        SheetRow(
            Name("Camp and Warehouse", "print"),
            ["" for _ in range(c.open_spaces)] + [Name("blocked", "print")] * c.blocked_spaces,
            SPACE,
        ),
        SheetRow(Name("Parable track", "print"), parable_track, (27.0, 18.0)),
        SheetRow(Name("Illumination", "print"), [""], (27.0, 18.0)),
    )
    return PrintList(
        (
            PrintedBoard("board", Name("main board", "print"), "ie-board", 355.0, WITHOUT, ("location",)),
            PrintedSheet(
                "score", Name("main board: score track", "print"), (SheetRow(Name("VP", "print"), score, (14.0, 14.0)),)
            ),
            PrintedSheet("player-boards", Name("player boards", "print"), player_board, players, ("parable",)),
            make_part("own", Name("starting cards, ten of each colour", "print"), own_cards, kind.millimetres),
            make_part(
                "mahane",
                Name("Mahane cards", "print"),
                list_cards(range(FIRST_MAHANE, FIRST_XXXIII), DECK_NAMES[0], 6),
                kind.millimetres,
            ),
            make_part(
                "xxxiii",
                Name("XXXIII A.D. cards", "print"),
                list_cards(range(FIRST_XXXIII, CARDS), DECK_NAMES[1], 7),
                kind.millimetres,
            ),
            make_part("jesus", Name("Jesus", "print"), make_tokens(Name("Jesus", "print"), 1, 6)),
            make_part("apostles", Name("Apostles", "print"), apostles),
            make_part("locations", Name("Location tiles", "print"), locations),
            make_part("parables", Name("Parable tiles", "print"), parables),
            make_part("judgments", Name("Sanhedrin’s Judgment tiles", "print"), judgments),
            make_part("sanhedrin", Name("Sanhedrin marker", "print"), make_tokens("", 1, 5, "meeting")),
            make_part(
                "blocked", Name("Blocked Location tiles", "print"), make_tokens(Name("blocked", "print"), COLUMNS)
            ),
            make_part(
                "warehouse", Name("Blocked Warehouse tiles", "print"), of_each_colour(1, Name("blocked", "print"))
            ),
            make_part("illumination", Name("Illumination tiles", "print"), of_each_colour(1, "", "lamp")),
            make_part("favors", Name("Favor markers", "print"), markers, (25.0, 25.0)),
            make_part("disks", Name("Favors Fulfilled markers", "print"), of_each_colour(1, "", "favor")),
            make_part("scores", Name("score markers", "print"), of_each_colour(1, Name("VP", "print"))),
            make_part("followers", Name("Followers", "print"), of_each_colour(c.followers, "", "follower"), CUBE),
            make_part(
                "offerings",
                Name("Offering counters", "print"),
                make_tokens("", SUPPLY["offerings"], 4, "offering"),
                CUBE,
            ),
            make_part("goods", Name("goods", "print"), goods, CUBE),
            make_part("denarii", Name("Denarii", "print"), make_tokens("", SUPPLY["denarii"], 3, "coin"), CUBE),
        ),
        (
            Unprinted(Name("4 Help cards", "print"), Name("the pages of rules replace them", "print")),
            Unprinted(Name("parts for 1–2 players", "print"), Name("the condensed rules leave them out", "print")),
        ),
    )
