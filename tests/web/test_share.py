"""Tests of shared matches: only by a link that a player makes, readable without a cookie, names with consent."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import make_client, make_settings
from tests.server.server_driver import ServerDriver
from tests.web.png import pixels
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.registry import list_games, load_game
from triclinium.server.accounts.users import Person
from triclinium.server.http.auth import SESSION_COOKIE
from triclinium.server.optional_dependencies import PICTURES
from triclinium.server.personal_data import deletion
from triclinium.server.rasterize import HEIGHT, MAX_BYTES, WIDTH, convert_svg_to_png, render_png
from triclinium.server.tables import resign
from triclinium.server.tables.table import Table
from triclinium.web import assets, svg_colours
from triclinium.web.app import create_app
from triclinium.web.i18n import Localizer
from triclinium.web.pages.shared_picture import SEAT_SHAPES, PictureRow, render_picture

GOLDEN = Path(__file__).parent / "share.png"


class ShareScene:
    """A finished match of Quintilla and Ambrosius, shared by Ambrosius without his own name."""

    def __init__(self, client: TestClient) -> None:
        self.driver = ServerDriver(client)
        self.people = [self.driver.create_person("Quintilla"), self.driver.create_person("Ambrosius")]
        self.table: Table = self.driver.play(self.driver.open_table(*self.people, game_id="evangelists"))
        self.api = f"/api/v1/tables/{self.table.id}/share"

    def as_(self, person: Person | None) -> TestClient:
        client = make_client(self.driver.client)
        if person is not None:
            client.cookies.set(SESSION_COOKIE, self.driver.cookies[person.name])
        return client

    def make(self, who: int = 1, named: bool = False) -> str:
        answer = self.as_(self.people[who]).post(self.api, json={"show_name": named})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["path"])


@pytest.fixture(scope="module")
def server_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("sharing")
    with TestClient(create_app(make_settings(folder)), follow_redirects=True) as running:
        yield running


@pytest.fixture(scope="module")
def share_scene(server_client: TestClient) -> ShareScene:
    return ShareScene(server_client)


def pages_of(path: str) -> list[str]:
    """Return all pages behind a link except the review, which the bots compute."""
    return [
        path,
        f"{path}/positions/0",
        f"{path}/positions/20?as=0",
        f"{path}/file",
        f"{path}/record",
        f"{path}/shuffle",
    ]


@pytest.mark.parametrize("id", list_games())
def test_a_shared_match_of_every_game_shows_its_result(server_client: TestClient, id: str) -> None:
    """Every game shows how a shared match ended, even if it draws a score sheet of its own."""
    found = ServerDriver(server_client)
    seats = next(seats for seats in load_game(id).seats if seats > 1)
    people = [found.create_person(f"{name} of {id}") for name in ("Anna", "Ben", "Noa")[:seats]]
    table = found.play(found.open_table(*people, game_id=id))
    client = make_client(server_client)
    client.cookies.set(SESSION_COOKIE, found.cookies[people[0].name])
    path = client.post(f"/api/v1/tables/{table.id}/share", json={"show_name": True}).json()["path"]
    for page in (path, f"{path}/positions/20?as=0", f"{path}/record"):
        assert make_client(server_client).get(page).status_code == 200, page
    assert people[0].name in make_client(server_client).get(path).text


def test_a_match_is_shared_by_those_who_played_it_when_it_is_over(
    server_client: TestClient, share_scene: ShareScene
) -> None:
    ben, stranger = share_scene.driver.create_person("Ben"), share_scene.as_(None)
    assert stranger.post(share_scene.api, json={}).status_code in (403, 404)
    assert share_scene.as_(ben).post(share_scene.api, json={}).status_code in (403, 404)
    running = share_scene.driver.open_table(share_scene.people[0], ben)
    refused = share_scene.as_(ben).post(f"/api/v1/tables/{running.id}/share", json={})
    assert refused.status_code == 409
    assert "when it is over" in refused.json()["message"]
    path = share_scene.make()
    assert len(path.removeprefix("/matches/")) >= 20  # long enough that it cannot be guessed
    assert share_scene.make(0) == path
    assert stranger.get(path).status_code == 200
    assert stranger.get(f"/tables/{share_scene.table.id}").status_code == 404  # the table itself stays private
    assert share_scene.as_(share_scene.people[0]).delete(share_scene.api).json()["share"] is None
    for page in (*pages_of(path), f"{path}.png", f"{path}/positions/3/embed", f"/api/v1{path}"):
        assert stranger.get(page).status_code == 404, page
    assert share_scene.make() != path


def test_a_shared_match_shows_names_with_permission(server_client: TestClient, share_scene: ShareScene) -> None:
    """A name appears on pages, in the log and in the API only with its owner's consent."""
    first, second = (person.name for person in share_scene.people)
    path, stranger = share_scene.make(1), share_scene.as_(None)
    seen = "".join(stranger.get(page).text for page in pages_of(path))
    facts = stranger.get(f"/api/v1{path}").json()
    box = "/rules/evangelists/components/card"
    cards = map_kinds_by_name(share_scene.table.game)["card"].ids
    boxed = "".join(stranger.get(f"{box}/{id}?back={path}").text for id in cards)
    assert "Place at the end of the match" in boxed
    assert first not in boxed + seen
    assert second not in boxed + seen
    assert share_scene.table.id not in seen
    assert "Player 1" in seen
    assert "Player 2" in seen
    assert [seat["name"] for seat in facts["seats"]] == ["", ""]
    assert (
        share_scene.as_(share_scene.people[0]).put(share_scene.api, json={"show_name": True}).json()["show_name"]
        is True
    )
    page = stranger.get(path).text
    assert first in page
    assert second not in page
    assert "Player 2" in page
    assert 'id="board"' in page  # The page shows the last position.
    stranger.cookies.set("language", "fr")
    french = stranger.get(f"{path}/positions/20").text
    assert "Joueur 2" in french
    assert second not in french
    share_scene.as_(share_scene.people[0]).put(share_scene.api, json={"show_name": False})
    assert first not in stranger.get(path).text


def test_a_link_preview_shows_the_winner(server_client: TestClient, share_scene: ShareScene) -> None:
    share_scene.make(0, named=True)
    path = share_scene.make(1, named=True)
    answer = share_scene.as_(None).get(path)
    assert answer.headers["x-robots-tag"] == "noindex"
    told = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', answer.text))
    scores = share_scene.table.game.scores(share_scene.table.current_match.state)
    best = [share_scene.table.names()[score.seat] for score in scores if score.rank == 1]
    first, second = sorted((score.total or 0 for score in scores), reverse=True)
    assert len(best) == 1
    rival = next(name for name in share_scene.table.names() if name != best[0])
    assert told["og:title"] == f"{best[0]} wins with {first} points, {first - second} ahead of {rival}"
    assert re.fullmatch(
        rf"The Acts of the Evangelists, 2 players, [\w ,]+\. {best[0]} {first}, {rival} {second}\.",
        told["og:description"],
    )
    assert told["og:image"] == f"http://testserver{path}.png"
    assert (told["og:image:width"], told["og:image:height"]) == (str(WIDTH), str(HEIGHT))


def test_without_the_extra_a_link_preview_shows_the_vignette(
    server_client: TestClient, share_scene: ShareScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra the preview is the game's static image."""
    monkeypatch.setattr(PICTURES, "packages", ("no_such_package",))
    path, stranger = share_scene.make(), share_scene.as_(None)
    told = dict(re.findall(r'<meta property="(og:[\w:]+)" content="([^"]*)">', stranger.get(path).text))
    shown = stranger.get(told["og:image"])
    assert shown.headers["content-type"] == "image/png"
    size = struct.unpack(">II", shown.content[16:24])
    assert size == (int(told["og:image:width"]), int(told["og:image:height"])) == (WIDTH // 2, HEIGHT // 2)
    assert stranger.get(f"{path}.png").status_code == 404


@pytest.mark.parametrize("id", list_games())
def test_the_default_picture_is_the_vignette(id: str) -> None:
    """`bench.covers` was run after the vignette changed."""
    kept = (assets.game_folder(load_game(id)) / assets.COVER_FILE).read_bytes()
    made = render_png(svg_colours.render_cover(load_game(id)), WIDTH // 2)
    assert len(kept) <= MAX_BYTES
    assert made == kept or differing(made, kept) < 0.01  # other versions of the renderer may round differently


def test_the_picture_is_made_once_and_again_when_a_name_is_removed(
    server_client: TestClient, share_scene: ShareScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    async def run(origin: object, job: object, svg: str) -> bytes:
        made.append(svg)
        return convert_svg_to_png(svg)

    monkeypatch.setattr(share_scene.driver.server.bot_pool, "run", run)
    path, stranger = share_scene.make(1, named=True), share_scene.as_(None)
    for _ in range(2):
        answer = stranger.get(f"{path}.png")
        assert answer.headers["content-type"] == "image/png"
        assert struct.unpack(">II", answer.content[16:24]) == (WIDTH, HEIGHT)
        assert len(answer.content) <= MAX_BYTES
    assert len(made) == 1
    assert "Ambrosius" in made[0]
    share_scene.as_(share_scene.people[1]).put(share_scene.api, json={"show_name": False})
    stranger.get(f"{path}.png")
    assert len(made) == 2
    assert "Ambrosius" not in made[1]


def test_a_position_can_be_embedded_without_cookies(server_client: TestClient, share_scene: ShareScene) -> None:
    """Only this route allows frames. A running match has no link and so no frame."""
    path = share_scene.make()
    plain = share_scene.as_(None).get(f"{path}/positions/20/embed")
    known = share_scene.as_(share_scene.people[0])
    known.cookies.set("language", "fr")
    known.cookies.set("theme", "dark")
    assert plain.text == known.get(f"{path}/positions/20/embed").text
    assert "frame-ancestors *" in plain.headers["content-security-policy"]
    assert plain.text.count("<script") <= 1
    assert "<form" not in plain.text
    for other in (path, f"{path}/positions/20", "/"):
        assert "frame-ancestors 'none'" in share_scene.as_(None).get(other).headers["content-security-policy"]
    assert share_scene.as_(None).get(f"{path}/positions/9999/embed").status_code == 404


def test_sharing_works_without_script(server_client: TestClient, share_scene: ShareScene) -> None:
    reader = share_scene.as_(share_scene.people[0])
    reader.delete(share_scene.api)
    page = reader.get(f"/tables/{share_scene.table.id}").text
    assert f'action="/tables/{share_scene.table.id}/share"' in page
    assert "/matches/" not in page  # off until a player makes it
    assert '<input type="checkbox" name="named0" checked>' in page  # with the player's name unless they remove it
    csrf = re.search(r'name="csrf" value="([^"]+)"', page)
    assert csrf is not None
    page = reader.post(
        f"/tables/{share_scene.table.id}/share", data={"csrf": csrf[1], "operation": "create", "named0": "on"}
    ).text
    link = re.search(r'value="http://testserver(/matches/[\w-]+)"', page)
    assert link is not None
    shown = share_scene.as_(None).get(link[1]).text
    assert "Quintilla" in shown
    assert "Ambrosius" not in shown
    reader.post(f"/tables/{share_scene.table.id}/share", data={"csrf": csrf[1], "operation": "revoke"})
    assert share_scene.as_(None).get(link[1]).status_code == 404


def test_a_share_link_bypasses_the_password_and_hides_erased_names(tmp_path: Path) -> None:
    """The link opens only this match on a server with a password.

    Deleted people are in no table and no image.
    """
    with TestClient(create_app(make_settings(tmp_path)), follow_redirects=True) as client:
        sharing = ShareScene(client)
        path = sharing.make(1, named=True)
        server, portal = sharing.driver.server, sharing.driver.portal
        sharing.make(0, named=True)
        portal.call(server.password.set_password, "open sesame")
        assert "Ambrosius" in sharing.as_(None).get(path).text
        assert "/password" in str(sharing.as_(None).get("/tables").url)
        portal.call(deletion.delete_account, server, sharing.people[1])
        page = sharing.as_(None).get(path).text
        assert "Ambrosius" not in page
        assert "Quintilla" in page
        with server.store.read_connection() as connection:
            assert connection.exec_driver_sql("select picture from shares").scalar_one() is None


def test_a_player_who_resigned_is_anonymous_and_wins_nothing(
    server_client: TestClient, share_scene: ShareScene
) -> None:
    home = share_scene.driver
    zoe, ben = home.create_person("Zoe Longinus"), home.create_person("Benignus")
    table = home.play(home.open_table(zoe, ben), 24)
    home.portal.call(resign.resign_seat, home.server, table, 0, table.version)
    home.play(table)
    answer = share_scene.as_(ben).post(f"/api/v1/tables/{table.id}/share", json={"show_name": True})
    path, stranger = answer.json()["path"], share_scene.as_(None)
    page = stranger.get(path).text
    assert "Zoe" not in page
    assert re.search(r"(Anonymous|Player 1) (resigned|left)", page)
    assert [seat["rank"] for seat in stranger.get(f"/api/v1{path}").json()["seats"]] == [2, 1]
    assert '<meta property="og:title" content="Benignus wins' in page


def test_the_picture_is_unchanged(server_client: TestClient) -> None:
    """The picture is compared with a small golden image by the share of visibly different pixels."""
    names = (("Miriam", "127"), ("Ben", "118"), ("Noa", "104"), ("Priscilla, bot", "96"))
    rows = [
        PictureRow(n, svg_colours.fit_text(name, 38, 380, 22), points, n == 0) for n, (name, points) in enumerate(names)
    ]
    pages = server_client.app.state.pages  # type: ignore[attr-defined]
    game, foot = load_game("evangelists"), "Antioch supper, 18 November 2026 · Triclinium"
    made = render_png(render_picture(pages, game, Localizer("en"), "Miriam wins", rows, foot), 240)
    assert differing(made, GOLDEN.read_bytes()) < 0.01


def differing(one: bytes, other: bytes) -> float:
    """Return the share of visibly different pixels of two images."""
    *size, now = pixels(one)
    *before, then = pixels(other)
    assert size == before
    return sum(abs(a - b) > 24 for a, b in zip(now, then, strict=True)) / len(now)


@pytest.mark.parametrize("id", list_games())
def test_every_vignette_is_drawn_without_a_style_sheet(id: str) -> None:
    text = str(svg_colours.resolve_vignette(load_game(id)))
    ElementTree.fromstring(f'<svg xmlns:xlink="http://www.w3.org/1999/xlink">{text}</svg>')
    assert svg_colours.resolve_colour(load_game(id), "--accent") != "none"
    assert not re.search(r"var\(|light-dark|color-mix|currentColor", text)


def test_colours_are_mixed_as_browsers_mix_them() -> None:
    known = {"--a": "light-dark(#ff0000, #000)", "--b": "#0000ff"}
    assert svg_colours.resolve_css("color-mix(in srgb, var(--a) 25%, var(--b))", known) == "#4000bf"
    assert svg_colours.resolve_css("var(--none, #123456)", known) == "#123456"
    with pytest.raises(ValueError, match="cannot be resolved"):
        svg_colours.resolve_css("color-mix(in oklch, red, blue)", known)


def test_a_name_too_long_for_the_picture_is_shortened() -> None:
    assert svg_colours.fit_text("Noa", 38, 380, 22) == ("Noa", 38)
    assert svg_colours.fit_text("Quintus Horatius Flaccus", 38, 380, 22)[1] < 38
    text, size = svg_colours.fit_text("a" * 80, 38, 380, 22)
    assert size == 22
    assert text.endswith("…")
    assert len(SEAT_SHAPES) == 6
