"""Tests of passkeys with Chromium's virtual authenticator, and of recovery phrases on another device."""

import re

from playwright.sync_api import Page, expect

from bench.server_process import ServerProcess
from tests.browser.conftest import Visit


def authenticator(page: Page) -> None:
    """Add a virtual authenticator that needs no fingerprint."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_and_a_recovery_phrase_sign_a_person_in(open_page: Visit, server: ServerProcess) -> None:
    """A passkey signs a player in after the cookie is lost, and a recovery phrase works on a new device."""
    host = server.address.replace("127.0.0.1", "localhost")
    page = open_page(base_url=host)
    authenticator(page)
    page.goto("/me")
    page.get_by_label("Nickname").fill("Salome")
    page.get_by_role("button", name="Save").first.click()
    page.goto("/me/sign-in")
    page.get_by_role("button", name="Create passkey").click()
    expect(page.get_by_role("button", name="Remove")).to_be_visible()
    page.get_by_role("button", name="Create recovery phrase").click()
    expect(page.locator("ol.words li")).to_have_count(6)
    words = page.locator("ol.words li").all_inner_texts()
    page.context.clear_cookies(name="triclinium")
    page.goto("/me/recover")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(re.compile(r"/$"))
    expect(page.locator(".who")).to_contain_text("Salome")
    third = open_page()
    third.goto("/me/recover")
    third.get_by_label("Your recovery phrase").fill(" ".join(words))
    third.get_by_role("button", name="Sign in with recovery phrase", exact=True).click()
    expect(third.locator(".who")).to_contain_text("Salome")
    third.goto("/me/sign-in")
    expect(
        third.get_by_text("This passkey works only at localhost")
    ).to_be_visible()  # passkeys are bound to a host name
    expect(third.locator(".rows").last.locator("li")).to_have_count(3)
