"""Tests of the table of The Acts of the Evangelists: the page shows exactly what the view says."""

import random
import re
from html import escape, unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.server.locked_tables import make_move
from tests.web.test_secrets import Visitors
from triclinium.engine.core.state import NOBODY, Seat
from triclinium.games.evangelists import GAME
from triclinium.games.evangelists.rules.devices import compute_device_levels
from triclinium.games.evangelists.rules.state import EMPTY, Evangelists
from triclinium.games.evangelists.ui.board import TimeTrack, draw
from triclinium.games.evangelists.ui.board_layout import POSITIONS
from triclinium.games.evangelists.ui.device_reasons import find_device_lanes
from triclinium.games.evangelists.ui.gospels import DeviceTrack, Gospel
from triclinium.games.evangelists.ui.preview import rearrange_slots
from triclinium.games.evangelists.ui.view import EvangelistsView, Player
from triclinium.web import assets
from triclinium.web.i18n import Localizer

C = GAME.components
MOVES = 50


class Table:
    """Players at a table, and their views."""

    def __init__(self, client: TestClient, seats: int) -> None:
        self.company = Visitors(client, "evangelists", seats)
        self.chance = random.Random(seats)

    @property
    def state(self) -> Evangelists:
        state = self.company.table.current_match.state
        assert isinstance(state, Evangelists)
        return state

    def go_on(self, moves: int = 1) -> None:
        """Play random moves, preferably with cards and witnesses."""
        for _ in range(moves):
            said = [GAME.format_option(o) for o in self.state.legal]
            lively = [option for option in said if option.split()[0] not in ("end", "none", "decline")]
            cards = [option for option in lively if option.split()[0] in ("tradition", "interview", "keep", "copy")]
            chosen = self.chance.choice(cards or said if self.chance.random() < 0.6 else lively or said)
            table = self.company.table
            self.company.portal.call(make_move, self.company.server, table, table.who, chosen, table.version)

    def page(self, viewer: Seat) -> str:
        return self.company.browsers[viewer].get(self.company.path)

    def view(self, viewer: Seat) -> EvangelistsView:
        return GAME.view(self.state, None if viewer == NOBODY else viewer)


@pytest.mark.parametrize("seats", [2, 5])
def test_the_pieces_on_the_page_are_those_of_the_view(client: TestClient, seats: int) -> None:
    table = Table(client, seats)
    for n in range(MOVES):
        table.go_on()
        if n % 3:
            continue
        viewer = table.state.who if n % 4 else NOBODY
        page, view = table.page(viewer), table.view(viewer)
        pawns_and_boats(page, view)
        boxes(page, view)
        gospels(page, view, viewer)
        check_buttons(page, table, viewer)
        traditions(page, view)
        check_hidden_cards(page, view, table.state)


def pawns_and_boats(page: str, view: EvangelistsView) -> None:
    """Check that each pawn is next to its place, each boat in its city, and each cube on its witness."""
    placed = {seat: C.place_ids[player.pawn] for seat, player in enumerate(view.players) if player.pawn is not None}
    pawns = re.findall(r'id="pawn-(\d)"\s+data-place="(\w+)" transform="translate\(([-\d.]+) ([-\d.]+)\)"', page)
    assert {int(seat): place for seat, place, _, _ in pawns} == placed
    for _, place, x, y in pawns:
        assert abs(float(x) - POSITIONS[place][0]) + abs(float(y) - POSITIONS[place][1]) < 40
    assert len({(x, y) for _, _, x, y in pawns}) == len(pawns)  # No two pawns are in the same position.
    moored = dict(re.findall(r'class="piece boat" id="boat-(\d)" data-place="(\w+)"', page))
    assert sorted(moored.values()) == sorted(C.place_ids[city] for city in view.boats)
    on_discs = {witness: state for state, witness in re.findall(r'class="piece status (\w+)" id="cube-(\w+)"', page)}
    assert sorted(on_discs) == sorted(C.witness_ids)  # each has one, whether visible or not
    for city in view.cities:
        cube = {"white": "alive", "black": "dead", None: "unknown"}[city.cube]
        assert on_discs[C.witness_ids[city.witness]] == cube
    inside = page[page.index('<div class="when"') : page.index('<div class="zoom"')]
    cubes = re.findall(r'<span class="k-tokens cubelets (alive|dead)">(.*?)</span>', inside)
    counts = {status: drawn.count("is-on") for status, drawn in cubes}
    assert counts == {"alive": view.bag.white, "dead": view.bag.black}


def boxes(page: str, view: EvangelistsView) -> None:
    """Check backs, known numbers and the face-up card at each place."""
    for city in view.cities:
        id = C.place_ids[city.id]
        drawn = page[page.index(f'id="city-{id}"') :]
        drawn = re.split(r'<g class="(?:city|pieces)', drawn)[0]
        assert f"#w-{C.witness_ids[city.witness]}" in drawn
        assert drawn.count('class="pip"') == city.interviews_left
        assert drawn.count('class="gone"') == city.box.count(None)
        for at, card in enumerate(city.box):
            tile = re.search(rf'<g class="tile( open)?" id="card-{id}-{at}".*?</g>', drawn, re.DOTALL)
            assert (tile is None) == (card is None)
            if tile is not None and card is not None:
                assert bool(tile[1]) == card.face_up
                assert f"bk-{C.theme_ids[card.back]}" in tile[0]
                numbers = re.findall(r'<text class="(?:fn|kn)"[^>]*>(\d+)<', tile[0])
                assert numbers == ([] if card.card is None else [str(C.numbers[card.card])])


def numbers_in(player: Player) -> list[int | None]:
    """Return the printed numbers on the cards of a gospel, slot by slot."""
    return [None if card is None else C.numbers[card] for card in player.slots]


def pages_of(drawn: str, player: Player) -> None:
    """Check the pages of a gospel, slot by slot, each card with its motifs and witnesses."""
    cells = re.findall(
        r'<div class="folio(?! empty)(?:(?!<div ).)*?<b class="init">(\d+)</b>|<div class="folio (empty)',
        drawn,
        re.DOTALL,
    )
    assert [int(number) if number else None for number, _ in cells] == numbers_in(player)
    for number, card in re.findall(r'<b class="init">(\d+)</b>(.*?)</div>', drawn, re.DOTALL):
        at = C.numbers.index(int(number))
        assert card.count("#m-") == C.motifs[at].bit_count()
        assert card.count("#w-") == C.circles[at].bit_count()


def gospels(page: str, view: EvangelistsView, viewer: Seat) -> None:
    """Check the viewer's gospel in the codex, the others in the seats' panels, and the cubes on the tracks."""
    players = view.players
    shown = viewer if viewer != NOBODY else view.turn
    own = page[page.index('<div class="gospel') :]
    pages_of(own[: own.index('<table class="k-seats themes">')], players[shown])
    minis = page.split('<div class="leaves mini"')[1:]
    others = [player for seat, player in enumerate(players) if seat != viewer]
    assert len(minis) == len(others)
    for mini, player in zip(minis, others, strict=True):
        pages_of(mini[: mini.index("</article>")], player)
    for track, device in enumerate(("inc", "emp", "chi", "chr")):
        row = re.search(rf'<ol class="k-track slim t-{device}".*?</ol>', own, re.DOTALL)
        assert row is not None
        for space in re.findall(r'<li class="tc.*?</li>', row[0], re.DOTALL):
            label = re.search(r"<span>(.*?)</span>", space)
            assert label is not None
            for seat in re.findall(r'class="seat s(\d)', space):
                level = players[int(seat)].levels[track]
                assert level == (0 if label[1] == "–" else int(label[1]))
        assert len(re.findall(r'class="seat s\d', row[0])) == len(players)


def check_buttons(page: str, table: Table, viewer: Seat) -> None:
    """Check that each button on the board has a legal option, and that each legal option is in the form."""
    legal = [GAME.format_option(o) for o in table.state.legal] if viewer == table.state.who else []
    form = page[page.index('<form id="decision"') :] if legal else ""
    in_form = [unescape(value) for value in re.findall(r'<button class="option[^>]*? value="([^"]*)"', form)]
    assert sorted(in_form) == sorted(legal)
    on_board = [unescape(value) for value in re.findall(r'form="decision" name="option" value="([^"]*)"', page)]
    assert {value.split("; ")[0] for value in on_board} <= set(legal)
    assert len(on_board) == len(set(on_board))
    places = ("to", "start", "sail", "displace", "keep", "face", "slot", "leaf", "position", "tradition", "interview")
    assert {option for option in legal if option.split()[0] in places} <= set(on_board)


LIST = re.compile(r'<template id="t-all">.*?</template>', re.DOTALL)


def traditions(page: str, view: EvangelistsView) -> None:
    """Check all 36 traditions, which are public (AE-1.8), each with the gospels that have it."""
    listed = LIST.findall(page)
    assert len(listed) == 1
    rows = re.findall(r'<tr>\s*<th scope="row">(\d+)</th>(.*?)</tr>', listed[0], re.DOTALL)
    assert [int(number) for number, _ in rows] == C.numbers
    for number, row in rows:
        holders = [int(seat) for seat in re.findall(r'class="seat s(\d)', row)]
        assert holders == [seat for seat, player in enumerate(view.players) if int(number) in numbers_in(player)]


def check_hidden_cards(page: str, view: EvangelistsView, s: Evangelists) -> None:
    """Check that no card title that this viewer cannot see is in the document."""
    told = {card for player in view.players for card in player.slots}
    told |= {place.card for city in view.cities for place in city.box if place is not None}
    secret = {card for card in s.box if card != EMPTY} - told
    # without the log, which remembers cards
    board = page[page.index('<div class="board"') : page.index('<section class="rail tabs"')]
    board = LIST.sub("", board)  # without the list that is the same for all
    for card in secret - set(view.kept):
        assert escape(C.titles[card].text) not in board
        assert f'id="k-{C.numbers[card]}"' not in page


def test_the_preview_shows_a_last_card_that_is_played_automatically() -> None:
    """AE-6.4  Two cards kept for the last two slots: placing one places both."""
    found = 0
    chance = random.Random(1)
    for seed in range(400, 406):
        s = GAME.deal(4, seed)
        while not s.over:
            assert isinstance(s, Evangelists)
            for o in s.legal if GAME.format_option(s.legal[0]).startswith("slot") else []:
                after = s.clone()
                after.play(o)
                if s.slots[s.who].count(EMPTY) - after.slots[s.who].count(EMPTY) == 2:
                    drawing = draw(C, GAME.view(s, s.who))
                    mine, doing = drawing["mine"], drawing["doing"]
                    assert isinstance(mine, Gospel)
                    assert isinstance(doing, dict)
                    levels = list(mine.levels)
                    for change in doing[GAME.format_option(o)].moves:
                        levels[change.track] = change.after
                    assert levels == [after.get_level(s.who, track) for track in range(4)]
                    found += 1
            cards = [o for o in s.legal if GAME.format_option(o).split()[0] in ("tradition", "keep", "copy")]
            s.choose(chance.choice(cards or s.legal))
    assert found


@pytest.mark.parametrize("seats", [3, 4])
def test_the_reasons_are_the_rules(client: TestClient, seats: int) -> None:
    """The lanes under the codex give the level by the rules, and the previews show the real result."""
    table = Table(client, seats)
    checked = 0
    while checked < 60:
        table.go_on()
        s = table.state
        if s.over:
            break
        for seat in range(seats):
            lanes = find_device_lanes(C, s.slots[seat], s.interviews[seat], s.emphasis_once)
            levels = compute_device_levels(C, s.slots[seat], s.interviews[seat], s.emphasis_once)
            made = [len(lanes[0]), len(lanes[1]), len(lanes[2]), sum(len(lane.dots) for lane in lanes[3])]
            assert made == levels
        drawing = draw(C, table.view(s.who))
        mine = drawing["mine"]
        assert isinstance(mine, Gospel)
        for o in s.legal:
            said = GAME.format_option(o)
            if said.split()[0] not in ("slot", "flip", "position"):
                continue
            after = s.clone()
            after.play(o)
            assert isinstance(after, Evangelists)
            doing = drawing["doing"]
            assert isinstance(doing, dict)
            levels = list(mine.levels)
            for change in doing[said].moves:
                assert levels[change.track] == change.before
                levels[change.track] = change.after
            assert levels == [after.get_level(s.who, track) for track in range(4)]
            checked += 1
    assert checked


def test_a_leaf_moved_there_and_back_is_unchanged() -> None:
    slots = (1, EMPTY, 5, 9, EMPTY, 20)
    assert rearrange_slots(C, slots, 0, -1) == (EMPTY, 1, 5, 9, EMPTY, 20)
    assert rearrange_slots(C, slots, 0, 2) == (5, 9, EMPTY, 20, 1, EMPTY)
    assert rearrange_slots(C, rearrange_slots(C, slots, 0, 2), 2, 0) == slots


def test_every_sentence_of_the_table_is_in_french() -> None:
    """The French catalogue of the game or of the server has every message of the templates."""
    folder = assets.game_folder(GAME)
    known = Localizer("fr", GAME.words).reader.catalogue
    for path in folder.glob("*.jinja"):
        for sentence in re.findall(r"\b_\('((?:[^'\\]|\\.)*)'", path.read_text("utf-8")):
            assert sentence in known, f"{path.name}: {sentence}"


def test_templates_are_formatted() -> None:
    """Lines fit a screen, and each macro or file has a comment about its purpose."""
    for path in assets.game_folder(GAME).glob("*.jinja"):
        text = path.read_text("utf-8")
        assert text.startswith("{#"), path.name
        assert max(len(line) for line in text.splitlines()) <= 120, path.name


def test_every_style_rule_is_used() -> None:
    """Each class in style.css is drawn, and its size depends on the container and never on the screen."""
    folder = assets.game_folder(GAME)
    css = re.sub(r"/\*.*?\*/", "", (folder / "style.css").read_text("utf-8"), flags=re.DOTALL)
    assert "@media" not in css
    web = Path(assets.__file__).parent
    sources = [path for each in (folder, web / "templates", assets.BOARDKIT_FOLDER) for path in each.rglob("*.jinja")]
    sources += [web / "html_snippets.py", web / "static" / "board.js", *folder.glob("*.py")]
    written = "\n".join(path.read_text("utf-8") for path in sources)
    made = re.compile(r"(?:bk|is|of|pv-keep|[dnps])-?\d?(?:-\w+)?|w\d+")  # These classes are built from values.
    names = set(re.findall(r"\.(-?[a-z][\w-]*)", re.sub(r"\{[^{}]*\}", "", css)))
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", written) and not made.fullmatch(name)] == []


def test_a_track_shows_what_each_level_scores() -> None:
    """AE-E2, AE-E3  8, 8, 7, 5 score 15, 15, 11, 6, and the two on 8 share their space."""
    track = DeviceTrack(C, 3, [8, 8, 7, 5])
    assert track.points == [15, 15, 11, 6]
    cells = {space.name: space for space in track.line.spaces}
    assert (cells["8"].seats, cells["8"].lit, cells["8"].style) == ([0, 1], True, "tc tie")
    assert GAME.words.reader().format_arg(cells["8"].text).endswith("15 points, −1 for sharing (AE-11.5)")
    assert cells["7"].style == "tc"
    assert "9" in cells  # one space beyond the foremost
    off = DeviceTrack(C, 0, [0, 0]).line.spaces[0]
    assert (off.name, off.seats, off.lit, off.style) == ("–", [0, 1], False, "tc off")


def test_the_time_track_shows_when_a_leaf_comes(client: TestClient) -> None:
    """AE-R2  With two to four players a leaf comes after rounds 2 and 4, with five after 1 and 3."""
    for seats, leaves in ((3, [2, 4]), (5, [1, 3])):
        time = TimeTrack(C, Table(client, seats).view(0))
        assert [space.name for space in time.track.spaces if space.signs] == [str(leaf) for leaf in leaves]
        assert [space.name for space in time.track.spaces if space.at] == ["1"]
        assert time.leaf_comes == (1 in leaves)
        assert time.chance == 75  # six white and two black cubes


def test_options_highlight_reachable_places(client: TestClient) -> None:
    """AE-4.1, AE-5.1  Pointing at Travel or at the boat shows every space it can lead to, and no other."""
    table = Table(client, 2)
    while table.state.asked.id != "ChooseAction":
        table.go_on()
    page, s = table.page(table.state.who), table.state
    for option in (o for o in s.legal if GAME.format_option(o).split()[0] in ("travel", "boat")):
        there = s.clone()
        there.choose(option)
        reached = {GAME.format_option(o).split()[1] for o in there.legal}
        said = GAME.format_option(option).replace(" ", "-")
        circles = re.findall(r'<circle class="k-reach" cx="([\d.]+)" cy="([\d.]+)" r="\d+" data-shown="([^"]*)"', page)
        assert sum(said in shown.split() for *_, shown in circles) == len(reached)
