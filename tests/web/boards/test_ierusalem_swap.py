"""Tests of the swap buttons in Ierusalem: the Follower's owner and the possible value of the space."""

import re

from fastapi.testclient import TestClient

from tests.server.locked_tables import make_move
from tests.web.boards.test_ierusalem import Table
from triclinium.games.ierusalem import GAME


def choose_and_render(table: Table, option: str) -> str:
    """Return the page of the next asked seat after its option is chosen."""
    company = table.company
    company.portal.call(make_move, company.server, company.table, company.table.who, option, company.table.version)
    return table.page(table.state.who)


def test_a_swap_describes_owners_and_values_in_text(client: TestClient) -> None:
    """IE-2.10  White next to the Illumination tile has their own corner and those of two rivals. All seats are open."""
    table = Table(client, 3)
    table.go_on(3)  # Each player places the fourteenth Follower.
    choose_and_render(table, "illuminate")
    own = choose_and_render(table, "appreciate white")
    assert re.findall(r'<span class="sr">([TB][LR]): (.+?)</span>', own) == [
        (GAME.format_option(table.state.legal[1]).split()[1].upper(), "−5 to 6 VP at the end")
    ]
    others = choose_and_render(table, GAME.format_option(table.state.legal[1]))
    told = re.findall(r'<span class="sr">([TB][LR]): (.+?); −5 to 6 VP at the end</span>', others)
    assert len(told) == 2
    assert len({name for _, name in told}) == 2
    assert others.count("<small>−5…6</small>") == 2  # the picture has the same
