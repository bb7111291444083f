"""The drawing of a board for paper: the board at the start of a match, without pieces and controls."""

from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from typing import Final

from markupsafe import Markup

from triclinium.boardkit.print_list import PrintedBoard
from triclinium.engine.game import Game
from triclinium.engine.record import Record
from triclinium.server.presenter.table_view import TableView
from triclinium.server.tables.sample_table import make_sample_table
from triclinium.server.tables.seats import Viewer
from triclinium.web.i18n import Localizer
from triclinium.web.page_context import PageContext
from triclinium.web.pages.table_page import build_table_variables, draw_table

SEED: Final = 1  # Any seed will do: the pieces are left out, so the deal is not visible.
CONTROL_ATTRIBUTES: Final = ("tabindex", "role", "data-enlarge", "data-tip", "data-roves", "data-shelf")
CONTROLS: Final = ("foreignobject", "title", "template")


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """A board as an SVG group, with its view box."""

    svg: Markup
    window: tuple[float, float, float, float]

    def compute_height(self, width: float) -> float:
        return round(width * self.window[3] / self.window[2], 2)


class BoardReader(HTMLParser):
    """A parser that extracts one drawing from a table's page, as a group without pieces and controls."""

    def __init__(self, board: PrintedBoard) -> None:
        super().__init__(convert_charrefs=False)
        self.drawing = board.drawing
        self.without = set(board.without)
        self.window: tuple[float, float, float, float] | None = None
        self.parts: list[str] = []
        self.depth = 0  # open elements of the drawing
        self.left_out = 0  # open elements of a piece that is left out

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if self.window is None and tag == "svg" and self.drawing in values.get("class", "").split():
            left, top, width, height = map(float, values["viewbox"].split())
            self.window = (left, top, width, height)
            self.parts.append(f'<g class="pr-drawing {escape(values.get("class", ""))}">')
            self.depth = 1
        elif self.depth and (self.left_out or self._is_left_out(tag, values)):
            self.left_out += 1
        elif self.depth:
            self.depth += 1
            self.parts.append(f"<{tag}{_format_attributes(values)}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if self.depth and not self.left_out and not self._is_left_out(tag, values):
            self.parts.append(f"<{tag}{_format_attributes(values)}/>")

    def handle_endtag(self, tag: str) -> None:
        if self.left_out:
            self.left_out -= 1
        elif self.depth:
            self.depth -= 1
            self.parts.append(f"</{tag if self.depth else 'g'}>")

    def handle_data(self, data: str) -> None:
        if self.depth and not self.left_out:
            self.parts.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def _is_left_out(self, tag: str, values: dict[str, str]) -> bool:
        return tag in CONTROLS or not self.without.isdisjoint([*values.get("class", "").split(), values.get("id", "")])


def _format_attributes(values: dict[str, str]) -> str:
    return "".join(
        f' {name}="{escape(value)}"'
        for name, value in values.items()
        if name not in CONTROL_ATTRIBUTES and not name.startswith("aria-")
    )


def draw_board(context: PageContext, game: Game, board: PrintedBoard) -> BoardDrawing:
    """Return the board of a game with as many players as possible. Raise `ValueError` if there is no drawing."""
    seats = max(game.seats)
    record = Record.create(game, seats, SEED, game.complete_variants({}))
    table = make_sample_table(game, record, [str(seat + 1) for seat in range(seats)], "")
    view = TableView(table, (), None, context.language)
    variables = build_table_variables(context, view, Viewer(None, ()))
    drawn = draw_table(view, variables, variables.page.art)
    localize = Localizer(context.language, game.words)
    page = context.render_text("print_board.html.jinja", **{"_": localize, **vars(drawn)})
    reader = BoardReader(board)
    reader.feed(page)
    if reader.window is None:
        raise ValueError(f"the board of {game.id} has no drawing")
    return BoardDrawing(Markup("".join(reader.parts)), reader.window)
