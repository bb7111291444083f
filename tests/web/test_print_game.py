"""Tests of print and play: the parts of every game against its rulebook, the pages, and who may print."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from markupsafe import escape

from tests.server.api_client import make_client, make_settings
from tests.server.test_workshop import Designer
from tests.slow import mark_slow_except
from triclinium import web
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.print_list import PrintedBoard, PrintedPiece, PrintedPieces
from triclinium.engine.component_kinds import CardFace
from triclinium.engine.registry import load_game
from triclinium.server.workshop.access import MEMBERS
from triclinium.web.app import create_app
from triclinium.web.assets import load_credits, load_print_list, make_default_list
from triclinium.web.pages.print_booklet import break_rules
from triclinium.web.pages.rules import render_rules
from triclinium.web.print_layout import PAPERS, PiecesPage, RulesPage, SheetPage, TilePage, lay_out

# The rulebooks' lists of components: the id of each part, its count, and the words of the rulebook.
RULEBOOKS = {
    # "Game Equipment"
    "evangelists": {
        "board": (1, "1 game board"),
        "tracks": (1, "1 game board, with the time track and the tracks of the devices"),
        "pawns": (6, "6 player pawns"),
        "cubes": (24, "24 player cubes"),
        "boats": (3, "3 boats"),
        "primary": (36, "72 tradition cards (2 decks)"),
        "secondary": (36, "72 tradition cards (2 decks)"),
        "interviews": (36, "36 interview cards"),
        "leaves": (25, "25 codex leaf cards"),
        "themes": (6, "6 theme cards"),
        "white": (6, "15 status cubes; Game Setup 4: six white"),
        "black": (9, "15 status cubes; Game Setup 4: the others are black"),
        "octagons": (3, "3 action octagons"),
        "discs": (9, "9 eyewitness discs"),
        "follow": (5, "5 follow tokens"),
        "marker": (1, "1 time track marker"),
    },
    # "CONTENTS"
    "portals": {
        "board": (1, "1 Game Board"),
        "tracks": (1, "1 Game Board, with timeline, fuel gauge and score track"),
        "pawns": (10, "10 Colored pawns (two of each color)"),
        "portals": (3, "3 Geography Portals"),
        "genesis": (18, "18 Genesis Cards"),
        "old": (70, "70 Old Testament Cards"),
        "new": (20, "20 New Testament Cards"),
        "capsule": (1, "1 Time Capsule"),
        "fuel": (1, "1 Fuel Marker"),
    },
    # "Contenu de la boîte"; the last entry, "Une règle du jeu", is the booklet
    "missionnaires": {
        "board": (1, "Un plateau de jeu"),
        "pawns": (4, "Quatre pions « proclamateur »"),
        "gendarmes": (8, "Huit pions « Gendarmes »"),
        "overseers": (2, "Un pion « Surveillant de circonscription » (C), un pion « Surveillant de district » (D)"),
        "sea": (36, "36 cartes « Voyage en mer »"),
        "territories": (36, "36 cartes « Territoires »"),
        "periodicals": (32, "32 périodiques"),
        "congregations": (48, "48 cartes « Congrégation »"),
    },
    # The condensed rules have no list; "Setup" names the parts for four players. Counts of supplies are public figures.
    "ierusalem": {
        "board": (1, "the main board"),
        "score": (1, "score track of the main board"),
        "player-boards": (4, "the player board"),
        "own": (40, "the deck of 10 starting cards for their color"),
        "mahane": (20, "Shuffle the 20 Mahane cards"),
        "xxxiii": (10, "Shuffle the 10 XXXIII A.D. cards"),
        "jesus": (1, "Put Jesus in the center of the Last Supper table"),
        "apostles": (12, "If all 12 Apostles are seated"),
        "locations": (15, "9 of the 15 Location tiles"),
        "parables": (28, "Group the Parable tiles by type (I to VII); public: 28"),
        "judgments": (6, "the 6 Sanhedrin's Judgment tiles"),
        "sanhedrin": (1, "the Sanhedrin marker"),
        "blocked": (3, "in each of the Desert, Mountain, and Lake Locations with a Blocked Location tile"),
        "warehouse": (4, "1 Blocked Warehouse tile"),
        "illumination": (4, "1 Illumination tile"),
        "favors": (32, "8 Favor markers of their color"),
        "disks": (4, "the Favors Fulfilled marker (disk) of each player"),
        "scores": (4, "the score marker of player 1/2/3/4"),
        "followers": (60, "14 Followers of their color, and 1 in a corner space"),
        "offerings": (50, "1 Offering counter, set the rest aside; public: 50"),
        "goods": (90, "1 each of Stone, Bread, and Fish; public: 90"),
        "denarii": (60, "4/5/6/7 Denarii; public: 60"),
    },
    # "EQUIPMENT", for each of five players
    "testoftime": {
        "boards": (5, "1 player board"),
        "tools": (15, "3 Tools cards"),
        "art": (15, "3 Artwork cards"),
        "burial": (15, "3 Burial Site cards"),
        "temple": (15, "3 Temple cards"),
        "monument": (15, "3 Monument cards"),
        "followers": (150, "tokens to use as followers, at least 30 of one"),
        "priests": (50, "10 of the other, as priest"),
    },
}
# Parts of these lists that are not printed; the cover says what players use instead.
UNPRINTED: dict[str, set[str]] = {
    "evangelists": {"1 pad of score sheets", "1 bag"},
    "portals": set(),
    "missionnaires": set(),
    "ierusalem": {"4 Help cards", "parts for 1–2 players"},
    "testoftime": {"decay strips", "preservation tokens"},
}
OURS = tuple(RULEBOOKS)


@pytest.mark.parametrize("id", OURS)
def test_the_parts_are_those_of_the_rulebook(id: str) -> None:
    print_list = load_print_list(load_game(id))
    assert {part.id: part.count for part in print_list.parts} == {
        part: count for part, (count, _) in RULEBOOKS[id].items()
    }
    assert {str(getattr(each.label, "text", each.label)) for each in print_list.unprinted} == UNPRINTED[id]


@pytest.mark.parametrize("id", OURS)
def test_every_card_is_printed(id: str) -> None:
    """AE-1.8  There are two decks of the same traditions; every player of Test of Time has three of each Testament."""
    kind = "kind" if id == "testoftime" else "card"
    pieces = [piece for part in load_print_list(load_game(id)).parts for piece in getattr(part, "pieces", ())]
    numbers = [piece.thing[1] for piece in pieces if piece.thing and piece.thing[0] == kind]
    copies = {"evangelists": 2, "testoftime": 15}.get(id, 1)
    assert sorted(numbers) == sorted(n for n in range(len(load_game(id).kinds()[kind].ids)) for _ in range(copies))


def test_counts_follow_the_edition() -> None:
    """AE-1.11, PP-1.7  An edition with two octagons or two portals has as many on paper."""
    for id, number, part in (
        ("evangelists", "game.octagons_per_turn", "octagons"),
        ("portals", "numbers.portals", "portals"),
    ):
        game = load_game(id)
        edition = game.with_components(game.file.with_changes({number: 2}))
        assert {each.id: each.count for each in load_print_list(edition).parts}[part] == 2


def test_a_game_without_a_list_has_its_cards() -> None:
    """A game of another package needs no list: its cards are printed once, and the cover says what is missing."""
    game = load_game("portals")
    kinds = {name: kind for name, kind in map_kinds_by_name(game).items() if name in game.gallery}
    print_list = make_default_list(game)
    assert [part.id for part in print_list.parts] == [name for name, kind in kinds.items() if kind.shape == "card"]
    assert print_list.parts[0].count == 108
    assert len(print_list.unprinted) == 1


def test_every_browser_knows_the_sizes() -> None:
    """Browsers without typed `attr()` need a rule for each size of the five games."""
    css = (Path(str(web.__file__)).parent / "static" / "print_game.css").read_text(encoding="utf-8")
    known = {
        "w": {"63", *re.findall(r'\[data-w="(\d+)"\] \{', css)},
        "h": {"88", *re.findall(r'\[data-h="(\d+)"\] \{', css)},
    }
    for id in OURS:
        for part in load_print_list(load_game(id)).parts:
            for each in (part, *getattr(part, "rows", ())):
                width, height = getattr(each, "millimetres", (63.0, 88.0))
                assert f"{width:g}" in known["w"]
                assert f"{height:g}" in known["h"]


# -- pages -------------------------------------------------------------------------------------------------------------

FACE = CardFace("a card")
SHEET = '<section class="pr-page'


def make_pieces(count: int, size: tuple[float, float] = (63.0, 88.0), back: bool = True) -> PrintedPieces:
    return PrintedPieces("cards", "cards", [PrintedPiece(FACE, FACE if back else None)] * count, size)


@pytest.mark.parametrize("paper", PAPERS)
def test_nine_cards_are_on_a_sheet_and_every_front_has_an_odd_number(paper: str) -> None:
    pages = lay_out([make_pieces(20)], {}, paper, True, 0)
    assert len(pages) == 2 + 2 * 3  # the cover with its empty back, and three sheets
    fronts, backs = pages[2::2], pages[3::2]
    assert all(page.is_back for page in backs)
    assert not any(page.is_back for page in fronts)
    for front, back in zip(fronts, backs, strict=True):
        assert isinstance(front, PiecesPage)
        assert isinstance(back, PiecesPage)
        assert (front.rows, front.marks) == (back.rows, back.marks)
    last = fronts[-1]
    assert isinstance(last, PiecesPage)
    assert [len(row) for row in last.rows] == [3]  # an incomplete row keeps its empty places for mirrored backs
    assert last.rows[0][2] is None
    assert len(lay_out([make_pieces(20)], {}, paper, False, 0)) == 1 + 3
    assert lay_out([make_pieces(4, back=False)], {}, paper, True, 0)[3].content == "blank"


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [(63.0, 88.0), (20.0, 20.0), (10.0, 10.0), (94.0, 132.0)])
def test_crop_marks_are_at_the_cuts_and_never_on_a_piece(paper: str, size: tuple[float, float]) -> None:
    page = lay_out([make_pieces(1000, size)], {}, paper, False, 0)[1]
    assert isinstance(page, PiecesPage)
    width, height = PAPERS[paper]
    across, down = len(page.rows[0]), len(page.rows)
    left, right = (width - across * size[0]) / 2, (width + across * size[0]) / 2
    top = min(y for x1, y, x2, y2 in page.marks if y == y2)
    bottom = max(y for x1, y, x2, y2 in page.marks if y == y2)
    assert bottom - top == pytest.approx(down * size[1], abs=0.02)
    assert len(page.marks) == 2 * (across + 1) + 2 * (down + 1)
    for x1, y1, x2, y2 in page.marks:
        assert x2 < left or x1 > right or y2 < top or y1 > bottom
        assert min(x1, y1) >= 2.5
        assert max(x1, x2) <= width - 2.5
        assert max(y1, y2) <= height - 2.5


@pytest.mark.parametrize(("size", "tiles"), [((180.0, 200.0), 1), ((370.0, 230.0), 2), ((508.0, 337.0), 4)])
@pytest.mark.parametrize("paper", PAPERS)
def test_tiles_cover_a_board_with_an_overlap(paper: str, size: tuple[float, float], tiles: int) -> None:
    """A board is turned on its side if it then needs fewer tiles."""
    board = PrintedBoard("board", "board", "map", size[0])
    pages = [page for page in lay_out([board], {"board": size[1]}, paper, False, 0) if isinstance(page, TilePage)]
    assert len(pages) == tiles
    width, height = reversed(size) if pages[0].turned_by else size
    assert max(page.window[0] + page.window[2] for page in pages) >= width
    assert max(page.window[1] + page.window[3] for page in pages) >= height
    columns = sorted({page.window[0] for page in pages})
    assert all(b - a == pytest.approx(pages[0].window[2] - 10, abs=0.02) for a, b in pairwise(columns))


def test_a_long_track_is_continued_on_the_next_page() -> None:
    """IE-R16  An edition can have a Camp of two hundred spaces."""
    game = load_game("ierusalem")
    edition = game.with_components(game.file.with_changes({"camp.open_spaces": 200}))
    sheet = next(part for part in load_print_list(edition).parts if part.id == "player-boards")
    pages = [page for page in lay_out([sheet], {}, "letter", False, 0) if isinstance(page, SheetPage)]
    assert len(pages) == 3 * sheet.count
    camp = [row for page in pages[:3] for row in page.rows if row.millimetres == (20.0, 20.0)]
    assert sum(len(row.spaces) for row in camp) == 200 + edition.components.blocked_spaces  # type: ignore[attr-defined]
    assert len(camp) == 3


def test_the_rules_are_a_booklet() -> None:
    """Folded sheets on top of each other: the first and the last page are next to each other on the outside."""
    sides = [page for page in lay_out([], {}, "a4", True, 6) if isinstance(page, RulesPage)]
    assert [(page.left, page.right) for page in sides] == [(0, 1), (2, 0), (6, 3), (4, 5)]
    assert [page.is_back for page in sides] == [False, True, False, True]
    sides = [page for page in lay_out([], {}, "a4", False, 5) if isinstance(page, RulesPage)]
    assert [(page.left, page.right) for page in sides] == [(1, 2), (3, 4), (5, 0)]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("id", OURS)
def test_the_booklet_has_every_rule_with_the_numbers_of_the_edition(id: str, language: str) -> None:
    game = load_game(id)
    pages, spoken = break_rules(game, language, "a4")
    numbers = re.findall(rf"<strong>({game.prefix}-R?[\d.]+)</strong>", "".join(pages))
    assert numbers == re.findall(rf"<strong>({game.prefix}-R?[\d.]+)</strong>", render_rules(game, language)[0])
    assert len(numbers) > 60
    assert (spoken, "<a " in "".join(pages)) == (language, False)


def test_the_rules_mark_changed_numbers() -> None:
    """AE-2.3"""
    game = load_game("evangelists")
    edition = game.with_components(game.file.with_changes({"game.octagons_per_turn": 4}))
    assert '<mark title="printed: three">four' in "".join(break_rules(edition, "en", "letter")[0])


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", mark_slow_except(list(OURS), "portals"))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_is_printed_without_script(client: TestClient, id: str, language: str) -> None:
    """Every page is a sheet; the cover has credits, contents, a QR code, the designers' line and marks."""
    client.cookies.set("language", language)
    text = client.get(f"/print/{id}").text
    sheets = text.count(SHEET)
    assert re.search(rf"Page {sheets} (of|sur) {sheets}<", text)
    for count, _ in RULEBOOKS[id].values():
        assert f'<td class="num">{count}</td>' in text
    credits = load_credits(load_game(id)).lines
    assert all(str(escape(line)) in text for line in credits)
    assert "<svg" in text[text.index('class="qr"') :][:200]
    assert ("belongs to its designers" if language == "en" else "appartient à ses auteurs") in text
    assert 'class="pr-source is-own"' in text
    assert text.count("<h1>") == 1


def test_readers_choose_paper_sides_and_parts(client: TestClient) -> None:
    text = client.get("/print/portals?paper=letter&sides=fronts&part=new&part=fuel").text
    assert text.count(SHEET) == 1 + 1 + 3  # the cover, the fuel marker, twenty cards
    assert 'class="printing letter"' in text
    assert "is-mirrored" not in text
    assert re.findall(r'name="part" value="(\w+)" checked', text) == ["new", "fuel"]
    assert (
        client.get("/print/portals?paper=b5&part=nothing").text.count(SHEET) == 2
    )  # Unknown parts leave only the cover.


def test_the_owner_can_switch_printing_off(tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    settings.printing = False
    with TestClient(create_app(settings)) as client:
        answer = client.get("/print/portals")
        assert answer.status_code == 403
        assert "The owner of this server has switched off the printing of games." in answer.text
        assert client.get("/print/shared/nothing").status_code == 403
        assert "/print/" not in client.get("/rules/portals").text
        assert "/print/" not in client.get("/rules/portals/components").text


def test_an_edition_is_printed_by_its_owner_or_by_its_link(tmp_path: Path) -> None:
    settings = make_settings(tmp_path)
    settings.workshop = MEMBERS
    with TestClient(create_app(settings)) as running:
        designer, stranger = Designer(running), make_client(running)
        id = designer.create("portals", "Two portals")
        designer.save(id, {"numbers.portals": "2"})
        text = designer.client.get(f"/print/portals/{id}?part=portals").text
        assert "Portals: 2, printed: 3" in text
        assert text.count("<b>Portal</b>") == 2
        assert "Two portals" in text
        assert stranger.get(f"/print/portals/{id}").status_code == 404
        assert designer.client.get(f"/print/evangelists/{id}").status_code == 404
        link = designer.client.put(f"/api/v1/editions/{id}/share", json={"shared": True}).json()["shared"]
        shared = link.replace("/workshop/", "/print/")
        assert "Two portals" in stranger.get(f"{shared}?part=portals").text
        assert shared in designer.client.get(f"/print/portals/{id}?part=portals").text
        assert shared in stranger.get(link).text
        designer.save(id, {"numbers.portals": "0"})
        refused = designer.client.get(f"/print/portals/{id}")
        assert refused.status_code == 409
        assert "This edition cannot be played yet" in refused.text
