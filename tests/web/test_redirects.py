"""Tests that former addresses redirect to the new ones."""

import pytest
from fastapi.testclient import TestClient

from tests.server.api_client import ApiClient, make_client
from triclinium.web.pages.redirects import translate_former_path


@pytest.mark.parametrize(
    ("former", "new"),
    [
        ("/t/abcdefg", "/tables/abcdefg"),
        ("/t/abcdefg?as=1&log=all", "/tables/abcdefg?as=1&log=all"),
        ("/t/abcdefg/at/12", "/tables/abcdefg/positions/12"),
        ("/t/abcdefg/seal", "/tables/abcdefg/shuffle"),
        ("/t/abcdefg/review", "/tables/abcdefg/review"),
        ("/m/abcdefgh", "/matches/abcdefgh"),
        ("/m/abcdefgh.png", "/matches/abcdefgh.png"),
        ("/m/abcdefgh/at/3/embed", "/matches/abcdefgh/positions/3/embed"),
        ("/s/abcdefg/1/0123", "/invitations/abcdefg/1/0123"),
        ("/w/abcdefg/0123", "/watch/abcdefg/0123"),
        ("/j", "/join"),
        ("/j/ABCDEF", "/join/ABCDEF"),
        ("/me/enter/sesame", "/me/sign-in/sesame"),
    ],
)
def test_former_addresses_redirect_for_good(client: TestClient, former: str, new: str) -> None:
    answer = make_client(client).get(former, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (308, new)


def test_redirects_stay_on_this_server(client: TestClient) -> None:
    assert translate_former_path("/t//evil.example") == "/tables//evil.example"
    answer = make_client(client).get("/t/a%20%3fb", follow_redirects=False)
    assert answer.headers["location"] == "/tables/a%20%3Fb"


def test_a_former_invitation_still_gives_a_seat(client: TestClient) -> None:
    table = ApiClient(client)
    guest = make_client(client)
    page = guest.get(f"/s/{table.id}/1/{table.invitations[0]['invitation']}", follow_redirects=True)
    assert page.status_code == 200
    assert page.url.path.startswith(f"/invitations/{table.id}/1/")
