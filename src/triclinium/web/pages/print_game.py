"""Print and play: a game or an edition as sheets of paper, which the reader's own browser prints."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.boardkit.print_list import PrintedBoard, PrintedPiece, PrintedPieces, PrintPart
from triclinium.engine.game import Game
from triclinium.server.errors import NotAllowed
from triclinium.server.tables.create import require_game
from triclinium.server.workshop.editions import StoredEdition, load_playable_game
from triclinium.web import assets
from triclinium.web.edition_ribbon import ChangedNumber, list_changes
from triclinium.web.page_context import PageContext
from triclinium.web.pages.component_gallery import render_gallery_page
from triclinium.web.pages.print_board import BoardDrawing, draw_board
from triclinium.web.pages.print_booklet import break_rules
from triclinium.web.pages.waiting_room import render_qr_code
from triclinium.web.pages.workshop import load_readable_edition
from triclinium.web.print_layout import PAPERS, Page, lay_out

router = APIRouter(include_in_schema=False)
RULES = "rules"  # the id of the rules among the parts
MAX_SHOWN_CHANGES = 12  # changed numbers on the cover


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """A line of the contents on the cover: a part with its count, sheets, pages and sources."""

    id: str
    label: str
    count: int
    sheets: int
    first: int
    last: int
    sources: frozenset[bool]  # True: some of it is reconstructed; False: some of it is from the rulebook


class PrintedGame:
    """A game on paper with the choices of the reader: the paper, one side or both, and the parts."""

    def __init__(self, context: PageContext, game: Game, edition: StoredEdition | None, path: str) -> None:
        query = context.request.query_params
        self.game, self.edition = game, edition
        self.path = path
        self.paper = query.get("paper", "") if query.get("paper") in PAPERS else "a4"
        self.has_backs = query.get("sides") != "fronts"
        self.list = assets.load_print_list(game)
        chosen = set(query.getlist("part"))
        self.ids = [*(part.id for part in self.list.parts), RULES]
        self.chosen = [id for id in self.ids if not chosen or id in chosen]
        self.changes: Sequence[ChangedNumber] = list_changes(context, game)
        self.rules, self.rules_language = break_rules(game, context.language, self.paper)
        self.boards: dict[str, BoardDrawing] = {}
        for part in self.parts:
            if isinstance(part, PrintedBoard):
                self.boards[part.id] = draw_board(context, game, part)
        self.reader = game.words.reader(context.language)
        self.things = assets.load_credits(game).reconstructed_things
        own_path = edition.shared_path.replace("/workshop/", "/print/") if edition and edition.link else path
        self.address = f"{context.origin}{own_path}"
        self.qr_code = Markup(bytes(render_qr_code(self.address).body).decode())

    @property
    def parts(self) -> list[PrintPart]:
        return [part for part in self.list.parts if part.id in self.chosen]

    @cached_property
    def pages(self) -> list[Page]:
        heights = {
            part.id: self.boards[part.id].compute_height(part.width)
            for part in self.parts
            if isinstance(part, PrintedBoard)
        }
        return lay_out(self.parts, heights, self.paper, self.has_backs, len(self.rules) if RULES in self.chosen else 0)

    @property
    def size(self) -> tuple[float, float]:
        return PAPERS[self.paper]

    @property
    def shown_changes(self) -> Sequence[ChangedNumber]:
        return self.changes[:MAX_SHOWN_CHANGES]

    @cached_property
    def contents(self) -> list[ContentsLine]:
        """Return the chosen parts in their order, with their pages."""
        return [
            ContentsLine(
                part.id,
                self.reader.format_arg(part.label),
                part.count,
                *self._find_pages(part.id),
                self.find_sources(part),
            )
            for part in self.parts
        ]

    @property
    def rules_line(self) -> ContentsLine:
        return ContentsLine(RULES, "", len(self.rules), *self._find_pages(RULES), frozenset([False]))

    def _find_pages(self, id: str) -> tuple[int, int, int]:
        """Return the number of sheets of a part, and the numbers of its first and last page."""
        numbers = [n for n, page in enumerate(self.pages, 1) if id in page.parts]
        sheets = sum(id in page.parts and not page.is_back for page in self.pages)
        return sheets, numbers[0], numbers[-1]

    def find_sources(self, part: PrintPart) -> frozenset[bool]:
        if isinstance(part, PrintedPieces):
            return frozenset(self.is_reconstructed(piece) for piece in part.pieces)
        return frozenset(kind in assets.load_credits(self.game).box for kind in part.kinds) or frozenset([False])

    def is_reconstructed(self, piece: PrintedPiece) -> bool:
        """Return whether a part of a piece is reconstructed, not from the rulebook."""
        return piece.thing is not None and (piece.thing[0], self.find_id(piece)) in self.things

    def find_id(self, piece: PrintedPiece) -> str:
        """Return the printed number of a piece, by which people find it in the rules and the gallery."""
        return "" if piece.thing is None else str(map_kinds_by_name(self.game)[piece.thing[0]].ids[piece.thing[1]])


@router.get("/print/{id}")
async def get_printed_game(request: Request, id: str) -> Response:
    """Return the printed edition of a game as sheets of paper."""
    context = PageContext(request)
    check_printing(context)
    return await context.services.runtime.run_in_thread(_render, context, require_game(id), None)


@router.get("/print/{game}/{edition}")
async def get_printed_edition(request: Request, game: str, edition: str) -> Response:
    """Return an edition as sheets of paper: the reader's own, or that of a read-only link (/print/shared/LINK)."""
    context = PageContext(request)
    check_printing(context)
    stored = await load_readable_edition(context, game, edition)
    return await context.services.runtime.run_in_thread(_render, context, load_playable_game(stored), stored)


def check_printing(context: PageContext) -> None:
    """Raise `NotAllowed` on a server whose owner has switched printing off."""
    if not context.services.settings.printing:
        raise NotAllowed("The owner of this server has switched off the printing of games.")


def _render(context: PageContext, game: Game, edition: StoredEdition | None) -> Response:
    printed = PrintedGame(context, game, edition, context.request.url.path)
    # Nobody sits at a printed table, and nothing can be chosen.
    return render_gallery_page(context, game, "print_game.html.jinja", printed=printed, names=(), offers={})
