"""The HTTP API, version 1: what lies in a game's box, and its rules one by one."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from triclinium.boardkit.kind_lookup import kinds_of
from triclinium.engine.component_kinds import Facet
from triclinium.engine.core.text import Reader
from triclinium.server.errors import NotFound
from triclinium.server.http.api.tables import Facts, Language, made
from triclinium.server.http.auth import server_of
from triclinium.server.presenter.api_json import PROBLEMS
from triclinium.server.rule_search import Entry, citing, entries, rule
from triclinium.server.tables.create import known_title

router = APIRouter(prefix="/api/v1", responses=PROBLEMS, tags=["titles"])


@router.get("/titles/{id}/box", response_model=Facts)
async def get_box(request: Request, id: str, language: Language = "en") -> Response:
    """Everything in the box, by kind: each thing's name, what it says, and the values by which it is sorted."""

    def facts() -> Facts:
        game = known_title(id)
        reader = game.words.reader(language)
        told = entries(game, language)
        kinds: list[Facts] = []
        for name, label in game.gallery.items():
            kind = kinds_of(game)[name]
            things = [
                {
                    "id": one.number,
                    "name": one.title,
                    "text": one.text,
                    **{each.id: list(each.of(n)) for each in kind.facets},
                }
                for n, one in enumerate(one for one in told if one.part == name)
            ]
            facets = [_facet(each, reader) for each in kind.facets]
            kinds.append({"kind": name, "name": reader.say(label), "facets": facets, "things": things})
        return {"kinds": kinds}

    return await made(server_of(request), facts)


def _facet(facet: Facet, reader: Reader) -> Facts:
    values = [{"id": id, "name": reader.say(name)} for id, name in facet.values]
    return {"id": facet.id, "name": reader.say(facet.label), "values": values}


@router.get("/titles/{id}/rules/{number}", response_model=Facts)
async def get_rule(
    request: Request, id: str, number: Annotated[str, Path(max_length=20)], language: Language = "en"
) -> Response:
    """A rule or ruling by its number, and the rulings that speak of it."""

    def facts() -> Facts:
        game = known_title(id)
        found = rule(game, language, number)
        if found is None:
            raise NotFound("there is no such rule")
        return {**_said(found), "rulings": [_said(one) for one in citing(game, language, found.number)]}

    return await made(server_of(request), facts)


def _said(entry: Entry) -> Facts:
    return {"number": entry.number, "text": entry.text, "href": entry.href}
