"""What pages keep and share between viewers is shared rightly: a part made anew is the part that was kept.

A key that lacks something would show one viewer what another may see.
"""

import random
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from tests.slow import slow
from tests.web.test_secrets import Visitors
from triclinium import list_games, load_game
from triclinium.web.html_snippets import HtmlSnippets

MOVES = 120


@pytest.fixture
def comparing_cache(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The keys of what was compared, by servers that open from now on."""
    kept = HtmlSnippets.render_cached
    keys: list[object] = []

    def once(self: HtmlSnippets, key: tuple[object, ...], make: Callable[..., str], *args: object) -> str:
        known = kept(self, key, make, *args)
        assert make(*args) == known, f"{key} lacks something that its part depends on"
        keys.append(key)
        return known

    monkeypatch.setattr(HtmlSnippets, "render_cached", once)
    return keys


@pytest.mark.parametrize("every", [50, slow(3)])
@pytest.mark.parametrize("id", list_games())
def test_a_part_that_is_kept_depends_on_its_key_alone(
    comparing_cache: list[object], own_client: TestClient, id: str, every: int
) -> None:
    company = Visitors(own_client, id, load_game(id).seats[-1])
    chance = random.Random(3)
    for n in range(MOVES):
        if company.table.status != "playing":
            break
        if n % every == 0:
            for viewer, browser in company.browsers.items():
                page = browser.get(company.path)
                assert browser.status == 200, f"seen by {viewer}: {page[:300]}"
        company.play(chance)
    assert len(comparing_cache) > 100
