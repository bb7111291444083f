"""The parts of The Acts of the Evangelists on paper, in the order of the rulebook's game equipment."""

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
    make_tokens,
    make_track,
)
from triclinium.engine.component_kinds import CardFace
from triclinium.engine.core.text import Message, Name
from triclinium.games.evangelists.rules.components import TRACKS, Components
from triclinium.games.evangelists.ui.card_faces import list_tradition_faces
from triclinium.games.evangelists.ui.component_kinds import TRACKS as TRACK_NAMES

PLAYERS: Final = 5  # the maximum; the sixth colour gives players more choice
LEAF: Final = (94.0, 132.0)  # millimetres; two cards fit on it sideways
PRINTED_SLOTS: Final = 2
LEAF_FACE: Final = CardFace(Name("Codex leaf", "print"), style="is-slots")
WHITE_BACK: Final = CardFace(Name("Secondary deck", "print"), style="is-white")


def print_list(c: Components) -> PrintList:
    """Return the parts of an edition."""
    faces = [face.printed for face in list_tradition_faces(c)]
    themes = list(zip(c.theme_ids, c.theme_names, c.theme_colours, strict=True))
    theme_backs = [CardFace(name, emblem=f"t-{id}", style=f"bk-{id}") for id, name, _ in themes]
    primary = [PrintedPiece(faces[card], theme_backs[c.back[card]], ("card", card)) for card in range(len(faces))]
    secondary = [PrintedPiece(faces[card], WHITE_BACK, ("card", card)) for card in range(len(faces))]
    witnesses = [
        PrintedPiece(CardFace(name, emblem=f"w-{id}"), None, ("witness", n))
        for n, (id, name) in enumerate(zip(c.witness_ids, c.witness_names, strict=True))
    ]
    interviews = [piece for piece in witnesses for _ in range(c.interview_cards)]
    pawns = [pawn for id, _, colour in themes for pawn in make_tokens(colour, 1, style=f"bk-{id}")]
    cubes = [cube for id, _, colour in themes for cube in make_tokens("", TRACKS, style=f"bk-{id}")]
    black = c.black_in_bag + c.black_in_supply
    tokens = c.tokens_stenographer + (PLAYERS - 1) * c.tokens_other + c.tokens_last
    theme_cards = [
        PrintedPiece(CardFace(name, band=colour, emblem=f"t-{id}", style=f"bk-{id}"), None, ("theme", tone))
        for tone, (id, name, colour) in enumerate(themes)
    ]

    slots = c.slots_per_leaf  # A leaf with other than two slots is as many cards, side by side.
    leaf = [PrintedPiece(CardFace(Message("slot {0} of {1}", slot + 1, slots))) for slot in range(slots)]
    if slots == PRINTED_SLOTS:
        leaf = [PrintedPiece(LEAF_FACE)]

    def label_round(space: int) -> Message | Name | str:
        starts = [seats for seats, start in c.track_start.items() if start == space]
        if starts:
            return Message("start, {0} players", f"{starts[0]}–{starts[-1]}" if len(starts) > 1 else starts[0])
        if space == c.track_end:
            return Name("Game end", "print")
        return Name("new leaf", "print") if c.track_leaf[space] else ""

    tracks = (
        make_track(Name("Time track", "print"), [label_round(space) for space in range(c.track_end + 1)]),
        *(make_track(Message(name), [str(level) for level in range(c.slots_most + 1)], SPACE) for name in TRACK_NAMES),
        make_track(
            Name("Points behind the leader of a track", "print"),
            [Message("{0} behind: {1}", behind, points) for behind, points in enumerate(c.levels)],
        ),
        make_track(
            Name("Octagons for each action", "print"),
            [Message("weak: {0}", c.cost_weak), Message("strong: {0}", c.cost_strong)],
        ),
    )
    return PrintList(
        (
            PrintedBoard(
                "board",
                Name("game board: map", "print"),
                "ae-map",
                370.0,
                ("pieces", "witness", "pip", "tile"),
                ("place",),
            ),
            PrintedSheet("tracks", Name("game board: time track and devices", "print"), tracks),
            PrintedPieces("pawns", Name("player pawns", "print"), pawns, TOKEN),
            PrintedPieces("cubes", Name("player cubes", "print"), cubes, CUBE),
            PrintedPieces(
                "boats", Name("boats", "print"), make_tokens("", c.boats_start.bit_count(), 1, "boat"), TOKEN
            ),
            PrintedPieces("primary", Name("tradition cards, primary deck", "print"), primary),
            PrintedPieces("secondary", Name("tradition cards, secondary deck", "print"), secondary),
            PrintedPieces("interviews", Name("interview cards", "print"), interviews),
            PrintedPieces(
                "leaves",
                Name("codex leaf cards", "print"),
                leaf * (PLAYERS * c.leaves_most),
                LEAF,
            ),
            PrintedPieces("themes", Name("theme cards", "print"), theme_cards),
            PrintedPieces("white", Name("white status cubes", "print"), make_tokens("", c.white_in_bag), CUBE),
            PrintedPieces("black", Name("black status cubes", "print"), make_tokens("", black, 5), CUBE),
            PrintedPieces("octagons", Name("action octagons", "print"), make_tokens("", c.octagons, 6, "oct"), TOKEN),
            PrintedPieces("discs", Name("eyewitness discs", "print"), witnesses, TOKEN),
            PrintedPieces("follow", Name("follow tokens", "print"), make_tokens("", tokens, 2, "tok"), TOKEN),
            PrintedPieces("marker", Name("time track marker", "print"), make_tokens("", 1, 5, "oct"), TOKEN),
        ),
        (
            Unprinted(Name("1 pad of score sheets", "print"), Name("write tally marks on any paper", "print")),
            Unprinted(Name("1 bag", "print"), Name("use any bag or cup", "print")),
        ),
    )
