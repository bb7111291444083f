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
    Window(720, 450),  # 1440x900 at 200 %
    Window(683, 384),  # 1366x768 at 200 %
    Window(1024, 768, touch=True),
    Window(820, 1180, touch=True),
    Window(844, 390, touch=True),
    Window(560, 900, touch=True),
    Window(390, 844, touch=True),
    Window(320, 640, touch=True),
)
DECIDING = ("#question", "#decision button.option", "#decision .k-foot")
ENDED = ("section.result h2",)
MEASURE = (Path(__file__).parent / "layout_checks.js").read_text(encoding="utf-8")
# Painting is half of a browser's work, so pages without screenshots stay invisible. The check makes them visible for
# its measurement, during which no frame is painted.
UNPAINTED = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 !important }");
  document.adoptedStyleSheets = [sheet];
}"""
SCRIPT = f"""(given) => {{
  const sheets = document.adoptedStyleSheets;
  document.adoptedStyleSheets = [];
  try {{
    return ({MEASURE})(given);
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
