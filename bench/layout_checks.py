"""Layout checks of a table's page in a window. `layout_checks.js` measures and describes every fault in words."""

from pathlib import Path
from typing import NamedTuple

from playwright.async_api import Page


class Window(NamedTuple):
    """The size of a window, and whether it is used by touch."""

    width: int
    height: int
    touch: bool = False

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


# In each group the windows get smaller, as when a user shrinks a window or rotates a tablet.
WINDOWS = (
    Window(1920, 1080),
    Window(1440, 900),
    Window(1366, 768),
    Window(1280, 800),
    Window(1280, 720),
    Window(720, 450),  # a window of 1440x900 at a zoom of 200%
    Window(683, 384),  # a window of 1366x768 at a zoom of 200%
    Window(1024, 768, touch=True),
    Window(820, 1180, touch=True),
    Window(844, 390, touch=True),
    Window(560, 900, touch=True),
    Window(390, 844, touch=True),
    Window(360, 640, touch=True),
    Window(320, 640, touch=True),
    Window(320, 568, touch=True),
)
DECIDING = ("#question", "#decision button.option", "#decision .k-foot")
ENDED = ("section.result h2",)
TOOLS, BOXES, TEXTS = (
    (Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8")
    for name in ("layout_tools", "layout_checks", "overlap_checks")
)
# Painting is half of a browser's work, so pages without screenshots stay invisible. The check makes them visible for
# its measurement, during which no frame is painted.
UNPAINTED = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 !important }");
  document.adoptedStyleSheets = [sheet];
}"""
# Labels and pieces often let the pointer through, but the checks ask which of them lies on top.
SCRIPT = f"""([touch, wanted]) => {{
  const sheets = document.adoptedStyleSheets;
  const solid = new CSSStyleSheet();
  solid.replaceSync("* {{ pointer-events: auto !important }}");
  document.adoptedStyleSheets = [solid];
  try {{
    const tools = {TOOLS};
    return [...({BOXES})(tools, touch, wanted), ...({TEXTS})(tools)];
  }} finally {{
    document.adoptedStyleSheets = sheets;
  }}
}}"""
SETTLED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(done, 500);
})"""


async def resize(page: Page, window: Window, scripted: bool = True, other: bool = True) -> None:
    """Resize the page unless it already has this size, and wait for its scripts."""
    if other:
        await page.set_viewport_size({"width": window.width, "height": window.height})
    if scripted:
        await page.evaluate(SETTLED)


async def find_faults(page: Page, window: Window, wanted: tuple[str, ...] = DECIDING) -> list[str]:
    """Return the layout faults: sideways scrolling, clipped text, small targets, and covered or invisible elements."""
    found: list[str] = await page.evaluate(SCRIPT, [window.touch, list(wanted)])
    return list(dict.fromkeys(found))
