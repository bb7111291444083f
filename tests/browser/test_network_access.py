"""Tests of network access, from this computer only to a friend's first move on a phone."""

import random
import re

from playwright.sync_api import Page, ViewportSize, expect

from bench.server_process import ServerProcess
from tests.browser.axe import find_accessibility_problems
from tests.browser.conftest import EXACT, Visit
from tests.browser.page_actions import OPTIONS, choose_by_mouse, is_over, open_table, version, wait_until_moved
from tests.server.owner_browsers import create_owner_token
from triclinium.server.net.interfaces import list_own_addresses

PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES = (320, 720, 1920)


def play(host: Page, phone: Page, moves: int) -> None:
    """Let both players move on their own devices. Each sees the other's move without reloading."""
    chance = random.Random(5)
    for _ in range(moves):
        phone.wait_for_function("told => document.body.dataset.version === told", arg=version(host))
        if is_over(host):
            break
        mover = host if host.locator(OPTIONS).count() else phone
        before = version(host)
        choose_by_mouse(mover, chance)
        wait_until_moved(host, before)


def find_page_faults(page: Page, known: bool = False) -> list[str]:
    """Return findings of axe, unless other tests check the page, and the widths at which the page scrolls sideways."""
    found = [] if known else find_accessibility_problems(page)
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 800})
        if page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
            found.append(f"scrolls at {width}")
    return found


def test_a_friend_joins_over_the_network_and_plays(open_page: Visit, server: ServerProcess) -> None:
    """One click opens the server to the network. A phone needs two presses from the code to its first decision."""
    home = f"http://localhost:{server.port}"
    how = {"seen": True, "bypass_csp": True, "device_scale_factor": EXACT}
    host = open_page(base_url=home, color_scheme="dark", **how)
    host.goto(f"/owner/{create_owner_token(server)}")
    expect(host).to_have_url(f"{home}/")
    open_table(host, "evangelists", "invite")
    near = [each.host for each in list_own_addresses()]
    if not near:  # without a network there are no links
        expect(host.get_by_text("This computer is not connected to a network.")).to_be_visible()
        return
    expect(host.get_by_text("Only this computer can open the links.")).to_be_visible()
    assert host.locator("img.qr").count() == 0
    assert find_page_faults(host, known=True) == []
    host.get_by_role("button", name="Open this server to my network").click()
    expect(host.locator("img.qr")).to_be_visible()
    assert find_page_faults(host) == []
    link = host.locator("[data-shares]").get_attribute("data-link") or ""
    assert link.startswith(f"http://{near[0]}:{server.port}/join/")

    phone = open_page(viewport=PHONE, is_mobile=True, has_touch=True, **how)
    phone.goto(link)
    assert find_page_faults(phone) == []
    phone.set_viewport_size(PHONE)
    phone.goto(link)
    phone.locator("#name").fill("Ben")
    phone.get_by_role("button", name=re.compile("Take the .* seat")).tap()
    expect(host.locator("#decide")).to_be_visible()  # The page must not be reloaded.
    expect(phone.locator("#decide")).to_be_visible()
    play(host, phone, 1)
    host.goto("/network")
    assert find_page_faults(host) == []
    host.get_by_role("button", name="Close this server to the network").click()
    expect(host.get_by_role("button", name="Open this server to my network")).to_be_visible()


# Check the label of the button: it says "Copied" for a moment, which a busy machine may miss.
WATCH = """() => {
  window.seen = [];
  const look = () => window.seen.push(document.querySelector("details[open] [data-copies]").textContent.trim());
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def test_copying_is_confirmed_even_without_the_clipboard(open_page: Visit, server: ServerProcess) -> None:
    """Browsers block the clipboard at a plain network address. The button and the live region report success."""
    host = open_page(base_url=f"http://localhost:{server.port}")
    host.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    open_table(host, "evangelists", "invite")
    host.get_by_text("Link to this seat").click()
    host.evaluate(WATCH)
    host.locator("details[open] [data-copies]").click()
    expect(host.locator("#copied")).to_have_text("Copied")
    assert "Copied" in host.evaluate("window.seen")
    link = host.locator("details[open] [data-copy]").input_value()
    host.locator("#say").fill("")
    host.locator("#say").press("Control+v")
    expect(host.locator("#say")).to_have_value(link)
