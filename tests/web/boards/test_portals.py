"""Tests of the board of Portals and Prophets: the page shows exactly what the view says, in the right places."""

import gzip
import random
import re
from html import escape, unescape
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.locked_tables import make_move
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.games.portals import GAME
from triclinium.games.portals.rules.state import Portals
from triclinium.games.portals.ui.board import draw, subtract_points
from triclinium.games.portals.ui.board_layout import HEIGHT, NEAR_MAX_WIDTH, WIDTH, X0, Y0, BoardPlace, build_board_map
from triclinium.games.portals.ui.view import OwnEvent, PortalsView, list_possible_hand_cards
from triclinium.web import assets

C = GAME.components
MOVES = 50


class Table:
    """Three people at a table, and their views."""

    def __init__(self, client: TestClient, seats: int = 3, **variants: str) -> None:
        self.company = Visitors(client, "portals", seats, **variants)
        self.chance = random.Random(11)

    @property
    def state(self) -> Portals:
        state = self.company.table.current_match.state
        assert isinstance(state, Portals)
        return state

    def go_on(self, wanted: str | None = None) -> None:
        """Play the wanted move, or preferably a card or a step rather than the end of the turn."""
        said = [GAME.format_option(o) for o in self.state.legal]
        plays = [option for option in said if option.startswith("play")]
        lively = [option for option in said if option.split()[0] not in ("end", "discard")]
        option = wanted or self.chance.choice(plays or lively or said)
        table = self.company.table
        self.company.portal.call(make_move, self.company.server, table, table.who, option, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> PortalsView:
        return GAME.view(self.state, None if viewer == NOBODY else viewer)


@pytest.fixture
def table(client: TestClient) -> Table:
    return Table(client)


@pytest.fixture(scope="module")
def later_table(shared_client: TestClient) -> Table:
    """Return a table some moves later, for tests that only read it."""
    table = Table(shared_client)
    for _ in range(MOVES):
        table.go_on()
    return table


def extract_between(page: str, start: str, end: str) -> str:
    found = re.search(f"{start}.*?{end}", page, re.DOTALL)
    assert found is not None, start
    return found[0]


def check_board(page: str, view: PortalsView) -> None:
    """Check that pieces and cards of the page are those of the view, in the right places."""
    spots = build_board_map(C).spots
    pawns = re.findall(r'id="pawn-(\d)"\s+data-place="(\w+)" transform="translate\(([\d.]+) ([\d.]+)\)"', page)
    there = {int(seat): (place, float(x), float(y)) for seat, place, x, y in pawns}
    assert len(pawns) == len(there)
    for who in view.players:
        if who.place is None:
            assert who.seat not in there
        else:
            assert there[who.seat] == (C.place_ids[who.place], spots[who.place].x, spots[who.place].y)
    board = extract_between(page, '<svg class="pp-map', r"</svg>\s*<div class=\"zoom")
    rings = re.findall(r'id="p-(\w+)"(?:(?!<g ).)*?<circle class="portal" ', board, re.DOTALL)
    assert rings == [C.place_ids[place] for place in view.portals]
    assert not re.search(r"\b0 steps from you", board)  # the viewer's own place shows no distance
    assert re.findall(r'class="piece capsule at-(\d+)"', page) == [str(view.capsule)]
    styles = re.findall(r'<li class="(st(?: [^"]*)?)"', page)
    lit = [n for n, style in enumerate(styles) if "in" in style.split()]
    assert len(styles) == C.spaces
    assert lit == sorted(view.in_range)
    row = extract_between(page, '<div class="k-row k-market"', "</section>")
    card = r'class="choose(?: can)? k-card s [^"]*on-r\d[^>]*data-enlarge="k-(\w+)"'
    dealt = re.findall(card + '|<span class="k-card s (is-empty)', row)
    assert [card or None for card, _ in dealt] == [None if card is None else C.card_ids[card] for card in view.row]
    hand = re.findall(r'<li class="k-card m [^"]*" data-key="(\w+)"', page)
    assert sorted(hand) == sorted(C.card_ids[own.card] for own in view.hand or [])
    gone = extract_between(page, '<template id="gone">', "</template>")
    assert gone.count('<li class="k-entry') == len(view.gone) + len(view.buried)
    assert [written(C.titles[card].text) for card in view.gone if written(C.titles[card].text) not in gone] == []
    seats = re.findall(r'<div class="k-seat pp-seat">.*?<template', page, re.DOTALL)
    for who, seat in zip(view.players, seats, strict=True):
        for deck, n in zip(C.deck_ids, who.backs, strict=True):
            assert len(re.findall(rf'class="k-back {deck}[ "]', seat)) == n
        counts = [int(n) for n in re.findall(r"<b>(\d+)</b>", seat)]
        assert counts == [*who.regions, *who.symbols]


def offers(page: str, legal: list[str]) -> None:
    """Check that all clickable options are legal and that the form has all legal options."""
    form = extract_between(page, '<form id="decision"', "</form>")
    assert sorted(unescape(one) for one in re.findall(r'name="option" value="([^"]*)"', form)) == sorted(legal)
    pressed = re.findall(r'<button[^>]*form="decision" name="option" value="([^"]*)"', page)
    assert {unescape(value).split("; ")[0] for value in pressed} <= set(legal)
    clicked = [value for value in pressed if "; " not in value]
    verbs = ("portal ", "stand ", "take ", "draw ", "move ", "play ", "burn ", "drop ", "hide ")
    assert set(map(unescape, clicked)) == {option for option in legal if option.startswith(verbs)}


def list_hidden_titles(state: Portals, viewer: Seat) -> list[str]:
    """Return the titles of events that this viewer cannot know: in decks, in other hands, or removed face down.

    PP-R12  Cards taken in public and perhaps discarded face down since are known to be in one of two places.
    """
    doubtful = {card for who in range(state.seats) for card in list_possible_hand_cards(state, who, viewer)}
    cards = [*state.old, *state.new, *state.unused]
    cards += [card for i, card in enumerate(state.buried) if not state.knows_buried(viewer, i)]
    for who, hand in enumerate(state.hands):
        if who != viewer:
            cards += [card for i, card in enumerate(hand) if not (state.known_in_hand[who] >> i) & 1]
    return [C.titles[card].text for card in cards if card < C.events and card not in doubtful]


def test_the_board_shows_the_view(table: Table) -> None:
    for n in range(MOVES):
        asked = table.state.who
        both = (asked, (asked + 1) % 3 if n % 3 else NOBODY)
        for viewer in both[n // 2 % 2 :][: 1 - n % 2]:
            page = table.page(viewer)
            check_board(page, table.view(viewer))
            for title in list_hidden_titles(table.state, viewer):
                assert written(title) not in page
            if viewer == asked:
                offers(page, [GAME.format_option(o) for o in table.state.legal])
            else:
                assert 'form="decision"' not in page
        table.go_on()


def test_face_down_discards_are_hidden_from_others(client: TestClient) -> None:
    """PP-R12, PP-R26, PP-R32  A partner does not see it either.

    A team's panel adds up both players' cards (PP-12.1).
    """
    table = Table(client, 4, team="on", discards="hidden", sweep_row="on")
    assert table.state.v.hidden_discards
    table.chance = random.Random(3)
    while len(table.state.buried) < 4:
        option = next(
            (said for said in map(GAME.format_option, table.state.legal) if said in ("discard", "hide 1")), None
        )
        table.go_on(option if len(table.state.buried) < table.state.round * 2 else None)
    for viewer in (NOBODY, *range(4)):
        page = table.page(viewer)
        told = [title for title in list_hidden_titles(table.state, viewer) if written(title) in page]
        assert told == []
        known = [card for i, card in enumerate(table.state.buried) if table.state.knows_buried(viewer, i)]
        assert all(written(C.titles[card].text) in page for card in known if card < C.events)
        view = table.view(viewer)
        seats = re.findall(r'<div class="k-seat pp-seat">.*?<template', page, re.DOTALL)
        assert view.teams is not None
        for who, seat in zip(view.players, seats, strict=True):
            side = view.teams[who.seat % 2]
            assert [int(n) for n in re.findall(r"<b>(\d+)</b>", seat)] == [*side.regions, *side.symbols]


def written(title: str) -> str:
    """Return the text as a page shows it."""
    return escape(title, quote=False).replace("'", "&#39;")


def test_every_card_on_the_table_can_be_enlarged(later_table: Table) -> None:
    page = later_table.page(later_table.state.who)
    wanted = set(re.findall(r'data-enlarge="([\w-]+)"', page))
    assert wanted
    assert wanted <= set(re.findall(r'<template id="([\w-]+)"', page))


def test_a_distant_card_shows_its_path(table: Table) -> None:
    for _ in range(12):
        table.go_on()
    viewer = table.state.who
    page = table.page(viewer)
    view = table.view(viewer)
    drawn = draw(C, view)["cards"]
    assert isinstance(drawn, dict)
    for own in view.hand or []:
        if isinstance(own, OwnEvent) and own.steps:
            held = drawn[C.card_ids[own.card].lower()]
            assert held.steps == own.steps == len(held.way.marks)
            assert f'class="route for-{held.slot}"' in page


def test_no_roads_cross_on_the_map() -> None:
    """The map stretches the schematic of the components, and PP-C17 must hold for it too."""
    spots = build_board_map(C).by_id
    roads = [(spots[row.text("a")], spots[row.text("b")]) for row in C.file.row("roads").rows("road", "a")]
    for (a, b), (p, q) in combinations(roads, 2):
        if len({a, b, p, q}) == 4:
            assert is_left_of(a, b, p) == is_left_of(a, b, q) or is_left_of(p, q, a) == is_left_of(p, q, b), (
                a.id,
                b.id,
                p.id,
            )
    assert min(hypot(a.x - b.x, a.y - b.y) for a, b in combinations(spots.values(), 2)) > 30


def is_left_of(a: BoardPlace, b: BoardPlace, p: BoardPlace) -> bool:
    return (b.x - a.x) * (p.y - a.y) > (b.y - a.y) * (p.x - a.x)


@pytest.mark.parametrize("place", range(C.places))
def test_a_small_screen_begins_at_the_pawn(place: int) -> None:
    around = C.neighbours[place]
    x, y, width, height = map(int, build_board_map(C).choose_near_window(place, around).split())
    assert X0 <= x <= x + width <= X0 + WIDTH
    assert Y0 <= y <= y + height <= Y0 + HEIGHT
    here = build_board_map(C).spots[place]
    assert x <= here.x <= x + width
    assert y <= here.y <= y + height
    assert width * HEIGHT == pytest.approx(height * WIDTH, rel=0.01)
    if width < NEAR_MAX_WIDTH:
        assert all(x <= build_board_map(C).spots[one].x <= x + width for one in around)


def test_the_page_is_small(later_table: Table) -> None:
    page = later_table.page(later_table.state.who)
    assert len(gzip.compress(page.encode(), 5)) < 120_000


def test_every_style_rule_is_used() -> None:
    """Each class in style.css is a class of a template, of the drawing or of the server."""
    folder = assets.game_folder(GAME)
    styled = set(
        re.findall(
            r"\.(-?[a-z][\w-]*)",
            re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", (folder / "style.css").read_text(), flags=re.DOTALL),
        )
    )
    sources = [
        *folder.glob("*.jinja"),
        folder / "board.py",
        folder / "card_faces.py",
        *(assets.BOARDKIT_FOLDER).glob("*.jinja"),
        folder.parent / "data" / "components.toml",
        *server_sources(),
    ]
    written = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    counted = (("at-", 13), ("on-h", 7), ("for-h", 7), ("on-r", 5), ("for-r", 5))
    made = {f"{name}{n}" for name, most in counted for n in range(most)}
    assert not [name for name in styled - made if not re.search(rf"\b{name}\b", written)]


def test_styles_depend_only_on_the_size_of_the_frame() -> None:
    style = (assets.game_folder(GAME) / "style.css").read_text()
    assert "@media" not in style


def test_a_total_lists_its_parts_besides_cards() -> None:
    assert subtract_points(30, 20) == 10
    assert subtract_points((25, 44), 20) == (5, 24)
    assert subtract_points(None, 20) is None


def server_sources() -> list[Path]:
    web = Path(assets.__file__).parent
    return [*(web / "templates").rglob("*.jinja"), web / "html_snippets.py", web / "static" / "board.js"]
