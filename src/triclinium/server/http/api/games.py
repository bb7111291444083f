"""HTTP API, version 1: the components and the single rules of a game."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from triclinium.boardkit.kind_lookup import map_kinds_by_name
from triclinium.engine.component_kinds import Facet
from triclinium.engine.core.text import Reader
from triclinium.server.errors import NotFound
from triclinium.server.http.api.tables import JsonObject, Language, build_json_response
from triclinium.server.http.auth import get_services
from triclinium.server.presenter.api_json import ERROR_RESPONSES
from triclinium.server.rule_search import SearchEntry, find_citing_rulings, find_rule, list_entries
from triclinium.server.tables.create import require_game

router = APIRouter(prefix="/api/v1", responses=ERROR_RESPONSES, tags=["games"])


@router.get("/games/{id}/components", response_model=JsonObject)
async def get_components(request: Request, id: str, language: Language = "en") -> Response:
    """List the components of a game by kind: the name and text of each, and the values for filters."""

    def build() -> JsonObject:
        game = require_game(id)
        reader = game.words.reader(language)
        all_entries = list_entries(game, language)
        kinds: list[JsonObject] = []
        for name, label in game.gallery.items():
            kind = map_kinds_by_name(game)[name]
            things = [
                {
                    "id": entry.number,
                    "name": entry.title,
                    "text": entry.text,
                    **{each.id: list(each.values_of(n)) for each in kind.facets},
                }
                for n, entry in enumerate(entry for entry in all_entries if entry.part == name)
            ]
            facets = [_build_facet_json(each, reader) for each in kind.facets]
            kinds.append({"kind": name, "name": reader.format_arg(label), "facets": facets, "things": things})
        return {"kinds": kinds}

    return await build_json_response(get_services(request).runtime, build)


def _build_facet_json(facet: Facet, reader: Reader) -> JsonObject:
    values = [{"id": id, "name": reader.format_arg(name)} for id, name in facet.values]
    return {"id": facet.id, "name": reader.format_arg(facet.label), "values": values}


@router.get("/games/{id}/rules/{number}", response_model=JsonObject)
async def get_rule(
    request: Request, id: str, number: Annotated[str, Path(max_length=20)], language: Language = "en"
) -> Response:
    """Return a rule or ruling by its number, with the rulings that refer to it."""

    def build() -> JsonObject:
        game = require_game(id)
        entry = find_rule(game, language, number)
        if entry is None:
            raise NotFound("There is no such rule.")
        return {
            **_build_entry_json(entry),
            "rulings": [_build_entry_json(ruling) for ruling in find_citing_rulings(game, language, entry.number)],
        }

    return await build_json_response(get_services(request).runtime, build)


def _build_entry_json(entry: SearchEntry) -> JsonObject:
    return {"number": entry.number, "text": entry.text, "href": entry.href}
