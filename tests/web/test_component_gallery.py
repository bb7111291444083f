"""Tests of the gallery of components: sorted by the game, with large views and links to the rules."""

import random
import re

import pytest
from fastapi.testclient import TestClient

from tests.web.browser import PlainBrowser, play_out
from tests.web.test_pages import new_hot_table
from tests.web.test_secrets import Visitors
from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.registry import load_game
from triclinium.games.portals.rules.components import NONE
from triclinium.games.portals.rules.state import Portals
from triclinium.web.html_snippets import HtmlSnippets
from triclinium.web.pages.component_gallery import matches_filters

OURS = ("evangelists", "ierusalem", "missionnaires", "portals", "testoftime")


def list_card_ids(page: str) -> set[str]:
    return set(re.findall(r'<li id="card-([^"]+)">', page))


def test_cards_are_sorted_without_script(client: TestClient) -> None:
    """Values of one filter are combined with or, and different filters with and. Each value shows its count."""
    browser = PlainBrowser(client)
    page = browser.get("/rules/portals/components?kind=card&region=judea&region=galilee&sign=royalty")
    kind = map_kinds_by_name(load_game("portals"))["card"]
    wanted = {"region": {"judea", "galilee"}, "sign": {"royalty"}}
    expected = {str(id) for n, id in enumerate(kind.ids) if matches_filters(kind, n, wanted)}
    assert list_card_ids(page) == expected
    assert 0 < len(expected) < len(kind.ids)
    assert f"{len(expected)} of {len(kind.ids)}" in page
    assert page.count(" checked>") == 3
    assert "Places" in page
    assert 'id="place-' not in page  # one kind at a time
    assert "No component matches all filters." in browser.get("/rules/portals/components?deck=genesis&sign=battle")
    browser.client.cookies.set("language", "fr")
    assert "<legend>Région</legend>" in browser.get("/rules/portals/components")


def test_locations_of_components_are_shown_after_the_match(client: TestClient) -> None:
    """The gallery shows this only in finished matches and only to people who may see the table."""
    browser, stranger = PlainBrowser(client), PlainBrowser(client)
    new_hot_table(browser, "portals", 2)
    table = browser.table
    ids = [str(id) for id in map_kinds_by_name(load_game("portals"))["card"].ids][::5]
    where = "Place at the end of the match"
    assert not any(where in browser.get(f"/rules/portals/components/card/{id}?back={table}") for id in ids[:5])
    browser.get(table)
    play_out(client, browser, random.Random(3))
    told = [id for id in ids if where in browser.get(f"/rules/portals/components/card/{id}?back={table}")]
    assert len(told) > len(ids) // 10
    page = f"/rules/portals/components/card/{told[0]}"
    assert where not in browser.get(page + "?back=/tables/unknown")
    assert where not in stranger.get(f"{page}?back={table}")
    browser.client.cookies.set("language", "fr")
    assert "Emplacement à la fin de la partie" in browser.get(f"{page}?back={table}")


def list_hidden_cards(s: Portals, seat: int) -> list[int]:
    """Return the cards of a hand that the others have not seen."""
    return [card for nth, card in enumerate(s.hands[seat]) if not (s.known_in_hand[seat] >> nth) & 1]


def test_the_gallery_of_a_table_shows_known_locations(client: TestClient) -> None:
    """The gallery shows only what the reader may know, and nothing to strangers."""
    company = Visitors(client, "portals", 2)
    chance = random.Random(5)
    s = company.table.current_match.state
    assert isinstance(s, Portals)
    while not s.gone or not list_hidden_cards(s, 1):
        company.play(chance)
        s = company.table.current_match.state
        assert isinstance(s, Portals)
    ids = [str(id) for id in map_kinds_by_name(load_game("portals"))["card"].ids]
    page = company.browsers[0].get(f"/rules/portals/components?kind=card&back={company.path}")
    known = set(re.findall(r'<li id="card-([^"]+)" class="lies">', page))
    open_cards = [*s.gone, *(card for played in s.played for card in played), *(card for card in s.row if card != NONE)]
    assert {ids[card] for card in [*open_cards, *s.hands[0]]} <= known
    assert not {ids[card] for card in [*list_hidden_cards(s, 1), *s.old, *s.new]} & known
    assert page.count("not seen yet") == len(ids) - len(known)
    assert "not seen yet" not in PlainBrowser(client).get(f"/rules/portals/components?kind=card&back={company.path}")
    assert ">Century</legend>" in page


@pytest.mark.parametrize("id", OURS)
def test_every_filter_has_a_name_and_every_card_a_value(id: str) -> None:
    """No identifier is shown, and no value is empty."""
    game = load_game(id)
    for name in game.gallery:
        kind = map_kinds_by_name(game)[name]
        for facet in kind.facets:
            known = {value for value, _ in facet.values}
            held = [set(facet.values_of(n)) for n in range(len(kind.ids))]
            assert set().union(*held) <= known
            for language in ("en", "fr"):
                said = [game.words.reader(language).format_arg(word) for _, word in facet.values]
                assert all(said)
                assert not any("_" in word for word in said)


@pytest.mark.parametrize("id", OURS)
def test_every_component_has_a_face(client: TestClient, id: str) -> None:
    """Every component of the game is in the gallery, drawn or named, with a link to its large view."""
    game = load_game(id)
    page = PlainBrowser(client).get(f"/rules/{id}/components")
    lying = dict(re.findall(r'<li id="([^"]+)">\s*<a class="plain" href="[^"]+">(.*?)</a>', page, re.DOTALL))
    assert set(lying) == {f"{name}-{one}" for name in game.gallery for one in map_kinds_by_name(game)[name].ids}
    for one, face in lying.items():
        assert re.search(r"<(svg|img|div)", face) or re.sub(r"<[^>]*>|\s", "", face), one


def test_numbers_on_a_face_are_not_repeated_in_its_caption(client: TestClient) -> None:
    """Captions have number and source. In Ierusalem the face shows the number, and there is no source."""
    page = PlainBrowser(client).get("/rules/ierusalem/components?kind=card")
    assert page.count(">R01<") == 1
    assert "<small>G01, Genesis 3 <abbr" in PlainBrowser(client).get("/rules/portals/components?kind=card")


@pytest.mark.parametrize("id", OURS)
def test_each_component_has_an_enlarged_view(client: TestClient, id: str) -> None:
    """The first and the last of each kind are checked, also in French, with the game's own drawings."""
    browser = PlainBrowser(client)
    game = load_game(id)
    browser.client.cookies.set("language", "fr")
    for name in game.gallery:
        kind = map_kinds_by_name(game)[name]
        for thing in (kind.ids[0], kind.ids[-1]):
            page = browser.get(f"/rules/{id}/components/{name}/{thing}")
            assert browser.status == 200
            assert f"#{name}-{thing}" in page  # back to its place in the gallery
    browser.get(f"/rules/{id}/components/card/nothing")
    assert browser.status == 404


def test_an_enlarged_view_lists_related_rulings(client: TestClient) -> None:
    page = PlainBrowser(client).get("/rules/portals/components/card/O20")
    assert '<a href="/rules/portals#pp-r1">PP-R1</a>' in page
    assert "No rule mentions this component" in PlainBrowser(client).get("/rules/portals/components/card/O34")


def test_a_rule_opens_at_its_number_and_leads_back(client: TestClient) -> None:
    """A rule opens inside the page. Without scripts a separate page links back to the table."""
    browser = PlainBrowser(client)
    browser.post("/play/portals")
    table = browser.table
    part = browser.get("/rules/portals/rule/pp-7.2?part=on")
    assert "<html" not in part
    assert "<b>PP-7.2</b>" in part
    came = browser.client.get("/rules/portals", headers={"referer": f"http://testserver{table}"})
    label = re.search("Back to table (\\w+)", came.text)
    assert label is not None
    assert f'href="{table}"' in came.text
    back = table.replace("/", "%2F")
    assert f"/rules/portals/components?back={back}" in came.text or f"components?back={table}" in came.text
    assert f'href="{table}"' in browser.get(f"/rules/portals/components?back={table}")
    assert f'href="{table}"' in browser.get(f"/rules/portals/rule/pp-7.2?back={table}")
    for wrong in ("//evil.example", "/tables/../me", "/tables/nothing12", "https://evil.example/t/abcd"):
        assert "Back to the" not in browser.get(f"/rules/portals?back={wrong}")
    stranger = PlainBrowser(client)
    assert "Back to the" not in stranger.get(f"/rules/portals?back={table}")  # the name of a hidden table is not shown
    browser.get("/rules/portals/rule/pp-99.9")
    assert browser.status == 404


def test_a_refusal_s_rule_is_a_link(client: TestClient) -> None:
    made = HtmlSnippets(client.app.state.pages.files).link_rules("portals", "cannot: <b> (PP-7.2)")  # type: ignore[attr-defined]
    assert made == 'cannot: &lt;b&gt; (<a class="r" href="/rules/portals#pp-7.2">PP-7.2</a>)'


def test_the_api_has_components_and_rules(client: TestClient) -> None:
    kinds = client.get("/api/v1/games/portals/components", params={"language": "fr"}).json()["kinds"]
    cards = next(kind for kind in kinds if kind["kind"] == "card")
    assert len(cards["things"]) == 108
    assert next(one for one in cards["things"] if one["id"] == "O49")["region"] == ["judea"]
    found = client.get("/api/v1/games/portals/rules/PP-7.2").json()
    assert found["number"] == "PP-7.2"
    assert client.get("/api/v1/games/portals/rules/PP-99").status_code == 404
