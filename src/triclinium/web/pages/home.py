"""The server's own pages: home, lists, new tables, oneself."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from triclinium.bots.registry import net_used
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.i18n.catalog import languages
from triclinium.server.accounts.quotas import spend_upload
from triclinium.server.accounts.vacation import away_of
from triclinium.server.accounts.visibility import seen_by
from triclinium.server.bots.pool import USUAL, known_bots, levels
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.http.auth import COOKIE, count, server_of
from triclinium.server.http.cookies import delete_secret_cookie
from triclinium.server.http.error_responses import sentence
from triclinium.server.net.client_address import network_of
from triclinium.server.tables import import_record
from triclinium.server.tables.create import NewTable, known_title, open_table, play_now
from triclinium.server.tables.lobby import Page, next_waiting, tables_page
from triclinium.server.tables.options import DEFAULTS, SeatOptions, TableOptions
from triclinium.web.assets import about
from triclinium.web.i18n import spoken
from triclinium.web.page_context import THEMES, YEAR, Form, Reading, all_levels, all_titles, inner_path
from triclinium.web.pages.account import came_back, offers_words
from triclinium.web.pages.guide import Memory, guide, memory
from triclinium.web.pages.rating_change import last_result
from triclinium.web.pages.table_clocks import absence_rules
from triclinium.web.pages.variants import differing, playable, presets, texts

router = APIRouter(include_in_schema=False)
TIMED = TableOptions(store=900, free=45)  # any clock: what happens when it runs out is the same


KINDS = (("me", "person", msgid("Me")), ("invite", "invite", "Invite"), ("bot", "bot", msgid("Bot")))
QUICK, SLOW = (480, 20), (3 * 86400, 86400)  # seconds of a store, and free ones
UNITS = {"live": (60, 1), "slow": (86400, 3600)}  # in which people set their own


@router.get("/")
async def home(request: Request) -> Response:
    return await server_of(request).in_thread(_home, Reading(request))


def _home(reading: Reading) -> Response:
    mine = tables_page(reading.server, "mine", reading.person, 1, 5)
    turns = [line for line in mine.lines if line.my_turn]
    rest = Page([line for line in mine.lines if line not in turns[:2]], mine.more, mine.total)
    found = all_titles()
    return reading.page(
        "home.html.jinja",
        titles=found,
        by_id={game.id: game for game in found},
        turns=turns,
        mine=rest,
        last=last_result(reading),
        offers_words=offers_words(reading),
        levels=all_levels(reading.speech),
        open=tables_page(reading.server, "open", reading.person, 1, 5),
    )


@router.get("/tables")
async def list_tables(request: Request, which: str = "mine", page: int = 1) -> Response:
    reading = Reading(request)
    if which not in ("mine", "open", "running") or not 1 <= page <= 10_000:
        raise NotFound("there is no such list")
    return await reading.server.in_thread(_list, reading, which, page)


def _list(reading: Reading, which: str, page: int) -> Response:
    found = tables_page(reading.server, which, reading.person, page)
    by_id = {game.id: game for game in all_titles()}
    return reading.page("tables.html.jinja", which=which, page=page, found=found, by_id=by_id)


@router.post("/play/{id}")
async def post_play(request: Request, id: str) -> Response:
    """One click: a table against bots."""
    count(request, "open")
    reading = Reading(request)
    form = await reading.form()
    game = known_title(id)
    level = form.text("level", reading.level)
    if level not in known_bots():  # before anybody is made of who asks
        raise RequestError("there is no such bot: {0}", level[:40])
    somebody = await reading.somebody()
    # Whoever has never played meets the gentlest bots where a game has a match for beginners.
    gentle = bool(game.first) and "level" not in request.cookies and level == USUAL
    table = await play_now(reading.server, somebody, game, levels()[0] if gentle else level)
    response = reading.go(f"/t/{table.id}")
    response.set_cookie("level", level, YEAR, samesite="lax", path="/")
    if form.text("guide") == "on":
        Memory(True).keep(response, game.id)
    return response


@router.get("/next")
async def go_next(request: Request, after: str = "") -> Response:
    """To the next table that waits for the reader; if none does, back."""
    reading = Reading(request)
    found = await reading.server.in_thread(next_waiting, reading.server, reading.person, after)
    return reading.go(f"/t/{found}" if found else inner_path(f"/t/{after}") if after else "/")


@router.get("/guide/{id}")
async def get_guide(request: Request, id: str) -> Response:
    """The whole guide of a game, to be read at leisure."""
    return await server_of(request).in_thread(_guide, Reading(request), id)


def _guide(reading: Reading, id: str) -> Response:
    game = known_title(id)
    found = guide(game)
    if not found.opening:
        raise NotFound("there is no such page")
    return reading.page("guide.html.jinja", game=game, guide=found)


@router.get("/new")
async def new_table(
    request: Request, title: str = "", guest: Annotated[int, Query(alias="with")] = 0, preset: str = ""
) -> Response:
    return await server_of(request).in_thread(_new, Reading(request), title, guest, preset)


def _new(reading: Reading, id: str, guest: int, preset: str) -> Response:
    game = known_title(id) if id else all_titles()[0]
    known = presets(reading, game)
    chosen = next((one for one in known if one.id == preset), known[0])
    return _setting(reading, game, chosen.variants, guest=guest)


def _setting(reading: Reading, game: Game, variants: Mapping[str, str], problem: str = "", guest: int = 0) -> Response:
    """The form for a new table with these variants chosen."""
    return reading.page(
        "new.html.jinja",
        400 if problem else 200,
        titles=all_titles(),
        game=game,
        variants=variants,
        presets=presets(reading, game),
        differing=differing(game, variants, reading.speech),
        texts=texts(reading.speech),
        seats=game.seats[len(game.seats) // 2],
        kinds=KINDS,
        levels=all_levels(reading.speech),
        level=reading.level,
        learnt=net_used(levels(), game),
        guide_on=memory(reading.server, reading.person, reading.request.cookies, game.id).on,
        problem=problem,
        pace=about(game).pace,
        absence=" ".join(absence_rules(DEFAULTS, reading.speech)),
        overtime=" ".join(absence_rules(TIMED, reading.speech)),
        guest=seen_by(reading.server, reading.person, guest),
    )


@router.post("/new")
async def post_new(request: Request) -> Response:
    count(request, "open")
    reading = Reading(request)
    form = await reading.form()
    try:
        new = await reading.server.in_thread(_asked_for, form, reading)
    except NotFound:
        raise
    except TricliniumError as error:
        game = known_title(form.text("title"))
        problem = sentence(error, spoken(reading.language, game.words).reader)
        return await reading.server.in_thread(_setting, reading, game, _known_variants(game, form), problem)
    person = await reading.somebody(form.text("player"))
    if form.text("player") and form.text("player") != person.name:
        await reading.server.people.rename(person, form.text("player"))
    known = await reading.server.in_thread(memory, reading.server, person, request.cookies, new.game.id)
    table = await open_table(reading.server, person, new)
    response = reading.go(f"/t/{table.id}")
    if form.text("guiding"):
        asked = form.flag("guide")
        (known if asked and known.on else Memory(asked)).keep(response, new.game.id)
    return response


def _asked_for(form: Form, reading: Reading) -> NewTable:
    """The table that a form describes."""
    game = known_title(form.text("title"))
    places = form.whole("seats", game.seats[0])
    if places not in game.seats:
        raise RequestError("this game is not played with so many seats")
    seats = []
    shared = form.text("device") == "one"  # then the other people sit at this device too
    for i in range(places):
        kind = form.text(f"kind{i}", "bot")
        if shared and kind == "invite":
            kind = "hot"
        guest = seen_by(reading.server, reading.person, form.whole(f"person{i}")) if kind == "invite" else None
        name = form.text(f"name{i}") if guest is None else guest.name
        seats.append(SeatOptions(kind, name, form.text(f"bot{i}", USUAL), None if guest is None else guest.id))
    store, free = _clock(game, form)
    options = TableOptions(
        _variants(game, form),
        shown=form.text("shown", "link"),
        undo=form.flag("undo"),
        hints=form.flag("hints"),
        shuffle=form.flag("shuffle"),
        remind=120 if store else 0,
        store=store,
        free=free,
        bots=not form.flag("votes"),
        plain=form.flag("plain"),
    )
    return NewTable(game, seats, options, name=form.text("name"))


def _clock(game: Game, form: Form) -> tuple[int, int]:
    """The store and the free time that a form asks for, in seconds."""
    pace = form.text("pace", "free")
    if pace == "own":
        stores, frees = UNITS.get(form.text("unit"), UNITS["live"])
        return form.whole("store") * stores, form.whole("free") * frees
    minutes, seconds = about(game).pace
    return {"live": (minutes * 60, seconds), "quick": QUICK, "slow": SLOW}.get(pace, (0, 0))


def _variants(game: Game, form: Form) -> dict[str, str]:
    """What a form chooses otherwise than printed."""
    defaults = {variant.name: variant.said(variant.default) for variant in game.variants}
    return {name: value for name, value in form.beginning("variant-").items() if value != defaults.get(name)}


def _known_variants(game: Game, form: Form) -> dict[str, str]:
    """The same, to be shown again; none where the game does not know one of them."""
    chosen = _variants(game, form)
    return chosen if playable(game, chosen) else {}


@router.post("/record")
async def post_record(request: Request) -> Response:
    count(request, "open")
    reading = Reading(request)
    form = await reading.form(files=1)
    text = form.text("record")
    new, record = await import_record.table_of(reading.server, text, reading.language)
    await spend_upload(reading.server, network_of(request.scope), reading.person, len(text.encode()))
    table = await open_table(reading.server, await reading.somebody(), new, record)
    return reading.go(f"/t/{table.id}")


# -- oneself ----------------------------------------------------------------------------------------------------


@router.get("/me")
async def me(request: Request) -> Response:
    return await _me(Reading(request), "")


async def _me(reading: Reading, link: str) -> Response:
    return await reading.show("me.html.jinja", link=link, away_of=partial(away_of, reading.server))


@router.post("/me")
async def post_me(request: Request) -> Response:
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    if reading.person is None:
        await reading.somebody(form.text("name"))
    else:
        await reading.server.people.rename(reading.person, form.text("name"))
    return reading.go("/me")


@router.post("/me/link")
async def post_link(request: Request) -> Response:
    count(request, "post")
    reading = Reading(request)
    await reading.form()
    token = await reading.server.people.device_token(await reading.somebody())
    return await _me(reading, f"{reading.origin}/me/enter/{token}")


@router.get("/me/enter/{token}")
async def enter(request: Request, token: str) -> Response:
    count(request, "guess")
    reading = Reading(request)
    name = await reading.server.in_thread(reading.server.people.expected, token)
    if name is None:
        raise NotFound("this link has been used, or is too old")
    speech = reading.speech
    return await reading.show(
        "enter.html.jinja",
        heading=speech("Welcome, {0}", name),
        text=speech("This device will speak for {0} from now on.", name),
        more="",
        action=f"/me/enter/{token}",
        hidden={},
        ask_name=False,
        button=speech("Go on"),
    )


@router.post("/me/enter/{token}")
async def post_enter(request: Request, token: str) -> Response:
    count(request, "guess")
    reading = Reading(request)
    await reading.form()
    before = reading.person
    reading.person, reading.new_cookie = await reading.server.people.enter(token)
    return await came_back(reading, before)


@router.post("/me/forget")
async def post_forget(request: Request) -> Response:
    reading = Reading(request)
    await reading.form()
    if reading.person is not None:
        await reading.server.forget_device(reading.person)
    response = reading.go("/")
    delete_secret_cookie(request, response, COOKIE)
    return response


@router.post("/settings")
async def post_settings(request: Request) -> Response:
    """Language, colours, confirming, sound, keys: plain cookies."""
    count(request, "post")
    reading = Reading(request)
    form = await reading.form()
    response = reading.go(inner_path(form.text("back", "/")))
    if form.text("language") in languages():
        response.set_cookie("language", form.text("language"), YEAR, samesite="lax", httponly=True)
    if form.text("theme") in THEMES:
        response.set_cookie("theme", form.text("theme"), YEAR, samesite="lax", httponly=True)
    if form.text("confirming"):
        response.set_cookie("confirm", "on" if form.flag("confirm") else "off", YEAR, samesite="lax", httponly=True)
    if form.text("sound") in ("on", "off"):
        response.set_cookie("sound", form.text("sound"), YEAR, samesite="lax", httponly=True)
    if form.text("keys") in ("on", "off"):
        response.set_cookie("keys", form.text("keys"), YEAR, samesite="lax", httponly=True)
    return response
