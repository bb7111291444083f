"""Tests of the server without scripts: every decision works by forms and reloading."""

import random
import re
import time

import pytest
from fastapi.testclient import TestClient

from tests.matches import SHORT
from tests.slow import slow
from tests.web.browser import PlainBrowser, play_out, seat_link
from tests.web.test_join_links import code_on
from triclinium import Record, list_games
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.registry import load_game


def new_hot_table(browser: PlainBrowser, game_id: str, seats: int, **wish: str) -> None:
    """Open a table for this many people at one device."""
    kinds = {f"kind{i}": "me" if i == 0 else "hot" for i in range(seats)}
    names = {f"name{i}": f"Person {i}" for i in range(1, seats)}
    fields = {"game": game_id, "seats": str(seats), "player": "Anna", "undo": "on", "hints": "on", **kinds, **names}
    browser.post("/new", **{**fields, **wish})
    assert browser.status == 200, browser.page


def take_over(browser: PlainBrowser) -> None:
    """Take over the device if the table waits for another player."""
    cover = re.search(r'href="(/tables/\w+\?as=\d)"', browser.page)
    if 'class="cover"' in browser.page and cover is not None:
        browser.get(cover[1])


def choose_any_option(browser: PlainBrowser, chance: random.Random) -> bool:
    """Take over the device and choose an option. Return False if the match is over."""
    take_over(browser)
    if 'class="result' in browser.page:
        return False
    options = browser.options()
    assert options, browser.page
    browser.choose(chance.choice(options))
    assert browser.status == 200, browser.page
    return True


FIRST = 20  # number of decisions from the beginning of a match
MATCHES = [(id, id == "evangelists") for id in list_games()]  # one of them is played to its end


@pytest.mark.parametrize(("game_id", "whole"), [*MATCHES, *(slow(id, True) for id, whole in MATCHES if not whole)])
def test_a_match_without_script(client: TestClient, game_id: str, whole: bool) -> None:
    browser = PlainBrowser(client)
    new_hot_table(
        browser,
        game_id,
        load_game(game_id).seats[0],
        **{f"variant-{name}": it for name, it in SHORT.get(game_id, {}).items()},
    )
    chance = random.Random(5)
    for _ in range(load_game(game_id).max_decisions if whole else FIRST):
        if not choose_any_option(browser, chance):
            break
    table = browser.table
    record = Record.loads(browser.get(f"{table}/record"))
    browser.get(table)
    assert ('class="result' in browser.page) == (record.result is not None)
    assert record.result is not None or not whole
    assert len(record.options) > FIRST // 4  # handing over the device takes a page too
    assert record.result is None or record.replay().over
    for n in (0, 1, len(record.options) // 2, len(record.options)):
        browser.get(f"{table}/positions/{n}")
        assert browser.status == 200
    if record.result is not None:
        browser.get(f"{table}/positions/{len(record.options) + 1}")
        assert browser.status == 404
        assert re.search(r" (won|share the victory), ", browser.get("/tables?which=mine"))


@pytest.mark.parametrize("game_id", list_games())
def test_a_new_table_can_have_any_variant(client: TestClient, game_id: str) -> None:
    browser = PlainBrowser(client)
    page = browser.get(f"/new?game={game_id}")
    for variant in load_game(game_id).variants:
        (row,) = [one for one in page.split('<div class="vrow')[1:] if f'id="l-{variant.name}"' in one]
        assert f' name="variant-{variant.name}"' in row
        if variant.limits is not None:
            assert ' min="{}" max="{}"'.format(*variant.limits) in row
            continue
        said = re.findall(r' value="([^"]*)"', row.partition("</section>")[0])
        assert sorted(said) == sorted(variant.format_value(value) for value in variant.values)


@pytest.mark.parametrize("path", ["/rules", "/static/base.css"])
def test_answers_are_compressed_if_accepted(client: TestClient, path: str) -> None:
    plain, packed = (client.get(path, headers={"accept-encoding": how}) for how in ("identity", "br, gzip"))
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2


def test_one_click_plays_against_bots(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    browser.post("/play/evangelists")
    until = time.monotonic() + 30
    while not browser.options() and time.monotonic() < until:
        time.sleep(0.1)
        browser.get(browser.table)
    before = browser.options()
    assert before
    browser.choose(before[0])
    assert browser.status == 200
    browser.get("/")
    assert "All 1" in browser.page


def test_a_table_is_drawn_when_it_is_complete(client: TestClient) -> None:
    """The browser waits for the last part and computes the layout once."""
    anna = PlainBrowser(client)
    anna.get("/")
    anna.post("/play/evangelists")
    assert '<link rel="expect" href="#whole" blocking="render">' in anna.page
    assert anna.page.index('id="whole"') > max(anna.page.rindex("data-live="), anna.page.rindex("</section>"))


def test_a_first_match_is_short_and_easy_if_the_game_defines_it(client: TestClient) -> None:
    """One click opens three seats, ten rounds and novice bots, unless another level is chosen."""
    browser = PlainBrowser(client)
    browser.get("/")
    for bots in ("novice", "steady"):
        browser.post("/play/testoftime", level="" if bots == "novice" else bots)
        told = browser.client.get(f"/api/v1/tables/{browser.table.split('/')[2]}").json()
        assert told["variants"] == {"rounds": "10"}
        assert [one.get("bot") for one in told["seats"]] == ["", bots, bots]


def test_a_seat_link_seats_one_person(client: TestClient) -> None:
    host, guest, late = PlainBrowser(client), PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    link = seat_link(host.page)
    guest.get(link)
    guest.post(link, name="Ben")
    assert guest.status == 200
    late.get(link)
    assert late.status == 404
    late.post(link, name="Eve")
    assert late.status == 404
    late.get(host.table)
    assert late.status == 404  # Only people with the link can see the table.
    host.get(host.table)
    assert "Ben" in host.page
    assert ('id="decision"' in host.page) != ('id="decision"' in guest.page)


def test_the_spectators_link_shows_and_does_not_seat(client: TestClient) -> None:
    host, watcher = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="2", player="Anna", kind0="me", kind1="invite")
    watch = re.search(r"/watch/\w+/[0-9a-f]{32}", host.page)
    seat = seat_link(host.page)
    assert watch is not None
    token = watch[0].rsplit("/", 1)[1]
    watcher.get(seat.rsplit("/", 1)[0] + "/" + token)
    assert watcher.status == 404  # the spectators' token does not open a seat
    watcher.get(watch[0])
    assert watcher.status == 200
    assert seat not in watcher.page
    watcher.post(f"{watcher.table}/move", option="start rome", version="0", seat="0")
    assert watcher.status in (403, 409)
    watcher.get(watch[0])
    assert f"{watcher.table}/join" not in watcher.page
    watcher.post(f"{watcher.table}/join", seat="1")
    assert watcher.status == 403
    assert "The spectators’ link does not give you a seat. Use the join" in watcher.page
    code = code_on(host)
    watcher.get(f"/join/{code}")  # the code does, also for a former spectator
    watcher.post(f"/join/{code}", name="Ben")
    host.get(host.table)
    assert watcher.options() or host.options()  # The match has begun, and one of them must decide.


def test_leaving_revokes_the_link_and_the_host_can_fill_or_close(client: TestClient) -> None:
    host, guest = PlainBrowser(client), PlainBrowser(client)
    host.get("/")
    host.post("/new", game="evangelists", seats="3", player="Anna", kind0="me", kind1="invite", kind2="invite")
    link = seat_link(host.page)
    guest.get(link)
    guest.post(link, name="Ben")
    guest.post(f"{host.table}/leave", seat="1")
    guest.get(host.table)
    assert guest.status == 404
    guest.get(link)
    assert guest.status == 404
    host.get(host.table)
    fresh = seat_link(host.page)
    assert fresh != link
    guest.post(f"{host.table}/close")
    host.get(host.table)
    assert fresh in host.page  # only the host may close it
    host.post(f"{host.table}/close")
    host.get(host.table if "/tables/" in host.url else "/")
    guest.get(fresh)
    guest.post(fresh, name="Ben")
    assert guest.status == 409


def test_undo_confirm_and_rematch(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "evangelists", 2)
    chance = random.Random(3)
    choose_any_option(browser, chance)
    choose_any_option(browser, chance)
    cover = re.search(r'href="(/tables/\w+\?as=\d)"', browser.page)
    if cover is not None:
        browser.get(cover[1])
    asked = browser.url
    browser.choose("travel weak")
    assert "Where do you travel?" in browser.page
    browser.post(f"{browser.table}/undo", **browser.hidden(f"{browser.table}/undo"))
    assert "What do you do?" in browser.page
    browser.post("/settings", confirm_offered="1", confirm="on", back="/me")
    browser.get(asked)
    browser.get(f"{asked}&choose=travel+weak")
    assert 'class="confirm"' in browser.page
    browser.choose("travel weak")
    assert "Where do you travel?" in browser.page
    browser.post("/settings", confirm_offered="1", back="/me")
    browser.get(asked)
    play_out(client, browser, chance)
    browser.post(f"{browser.table}/continue", move="10")
    assert browser.status == 200
    assert 'class="result' not in browser.page


def test_a_sign_in_link_adds_a_device_once(client: TestClient) -> None:
    first, second, third = PlainBrowser(client), PlainBrowser(client), PlainBrowser(client)
    first.get("/me")
    first.post("/me", name="Miriam")
    first.post("/me/sign-in-link")
    link = re.search(r"/me/sign-in/[\w-]+", first.page)
    assert link is not None
    second.get(link[0])
    second.post(link[0])
    second.get("/me")
    assert "Miriam" in second.page
    third.get(link[0])
    assert third.status == 404


def test_a_record_can_be_uploaded(client: TestClient) -> None:
    browser = PlainBrowser(client)
    browser.get("/")
    new_hot_table(browser, "evangelists", 2)
    play_out(client, browser, random.Random(8))
    text = browser.get(f"{browser.table}/record")
    other = PlainBrowser(client)
    other.get("/tables")
    csrf = re.search(r'name="csrf" value="([^"]+)"', other.page)
    assert csrf is not None
    answer = other.client.post("/records", data={"csrf": csrf[1]}, files={"record": ("match.txt", text)})
    assert answer.status_code == 200
    assert 'class="result' in answer.text
    broken = other.client.post("/records", data={"csrf": csrf[1]}, files={"record": ("match.txt", text[:200])})
    assert broken.status_code in (400, 403)


def test_incompatible_variants_are_reported_in_the_readers_language(client: TestClient) -> None:
    """The form shows the game's own message, and no table is opened."""
    browser = PlainBrowser(client)
    wanted = {"game": "portals", "seats": "3", "player": "Anna", "kind0": "me", "variant-team": "on"}
    browser.post("/new", **wanted)
    assert browser.status == 400
    assert "the team variant needs 4 players, not 3 (PP-12.1)" in browser.page
    browser.client.cookies.set("language", "fr")
    browser.post("/new", **wanted)
    assert browser.status == 400
    assert "se joue à 4 joueurs, et non à 3 (PP-12.1)" in browser.page


@pytest.mark.parametrize("game_id", ["evangelists", "ierusalem", "missionnaires", "portals", "testoftime"])
def test_every_component_has_a_face_or_a_name(client: TestClient, game_id: str) -> None:
    """Each component that a game shows has exactly one entry with its own address."""
    browser = PlainBrowser(client)
    page = browser.get(f"/rules/{game_id}/components")
    game = load_game(game_id)
    for kind in game.gallery:
        described = map_kinds_by_name(game)[kind]
        assert all(page.count(f'<li id="{kind}-{id}">') == 1 for id in described.ids)
    entries = {entry.partition('"')[0]: entry for entry in page.split('<li id="')[1:]}
    for kind in game.gallery:
        described = map_kinds_by_name(game)[kind]
        if described.shape == "card":
            cards = [entries[f"{kind}-{id}"] for id in described.ids]
            assert all(len(re.findall(r'class="[^"]*k-card', card)) == 1 for card in cards)


def test_the_rules_are_searched_without_script(client: TestClient) -> None:
    """The form uses `?q=`. Results with their context are above the rules."""
    browser = PlainBrowser(client)
    page = browser.get("/rules/portals?q=king")
    assert '<a href="/rules/portals#pp-r4">PP-R4</a>' in page
    assert '<a href="/rules/portals/components#card-O49">Josiah Becomes King</a>' in page
    assert "Nothing in this game matches your search." in browser.get("/rules/portals?q=zzz")
    found = client.get("/api/v1/games/portals/search", params={"q": "roi", "language": "fr"}).json()["results"]
    assert found
    assert {one["part"] for one in found} <= {"rules", "rulings", "card", "place", "symbol"}


@pytest.mark.parametrize("game_id", list_games())
def test_the_rules_have_no_style_within_a_tag(client: TestClient, game_id: str) -> None:
    """The content security policy forbids inline styles, which would misalign columns of numbers."""
    page = PlainBrowser(client).get(f"/rules/{game_id}")
    assert " style=" not in page
    assert ('class="to-right"' in page) == (game_id == "portals")


def test_the_help_card_of_a_table_shows_its_signs(client: TestClient) -> None:
    """The help card lists the keys and every icon that stands for a component."""
    browser = PlainBrowser(client)
    browser.post("/play/portals")
    card = browser.page.partition('<dialog id="keys"')[2].partition("</dialog>")[0]
    assert [name for name in ("Ancient", "Royalty", "Miracle") if name not in card] == []
    assert 'href="/rules/portals/components?back=/tables/' in card
    assert "<small>O49, 2 Kings 22 <abbr" in browser.get("/rules/portals/components")
