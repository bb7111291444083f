"""The home page, the lists of tables, the form for a new table, the guide and the settings."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Request, Response
from pydantic import Field

from triclinium.bots.registry import describe_network
from triclinium.engine.core.errors import TricliniumError
from triclinium.engine.core.text import msgid
from triclinium.engine.game import Game
from triclinium.engine.match_file import is_match_file
from triclinium.i18n.catalog import list_languages
from triclinium.server.accounts.quotas import spend_upload_quota
from triclinium.server.accounts.vacation import get_vacation_status
from triclinium.server.accounts.visibility import find_visible_person
from triclinium.server.bots.pool import list_bots, list_levels
from triclinium.server.errors import NotFound, RequestError
from triclinium.server.http.auth import SESSION_COOKIE, check_rate_limit, get_current_person, get_services
from triclinium.server.http.commands import ANYONE, Arguments, Caller, CommandList, Form, NoArguments, NotOffered
from triclinium.server.http.error_responses import format_error
from triclinium.server.net.client_address import get_client_network
from triclinium.server.net.cookies import YEAR_SECONDS, delete_secret_cookie
from triclinium.server.tables import import_record
from triclinium.server.tables.create import NewTable, make_new_table, open_quick_match, open_table, require_game
from triclinium.server.tables.deals import Deal, create_deal, find_deal
from triclinium.server.tables.lobby import LobbyPage, find_next_waiting_table, load_tables_page
from triclinium.server.tables.options import DEFAULTS, SeatOptions, TableOptions
from triclinium.server.workshop.editions import StoredEdition
from triclinium.server.workshop.playtests import Playtest, find_playtest, open_playtest_table
from triclinium.web.assets import load_about
from triclinium.web.forms import FormPost, FormRoutes
from triclinium.web.game_guide import load_guide
from triclinium.web.i18n import get_cached_reader
from triclinium.web.page_context import (
    THEMES,
    PageContext,
    PostedForm,
    check_redirect_path,
    list_bot_levels,
    load_all_games,
)
from triclinium.web.pages.account import finish_sign_in, should_offer_phrase
from triclinium.web.pages.guide import GuideProgress, load_guide_progress
from triclinium.web.pages.rating_change import describe_last_result
from triclinium.web.pages.rating_forecast import describe_rating_at_set_up
from triclinium.web.pages.table_clocks import describe_absence_rules
from triclinium.web.pages.variants import can_play_variants, describe_differences, list_presets, list_summary_texts
from triclinium.web.pages.workshop import load_edition_for_table

router = APIRouter(include_in_schema=False)
commands = CommandList()
forms = FormRoutes(commands)
ONLY_BROWSERS = NotOffered("The command is for browsers. A program uses the token of a seat or of a bot account.")
TIMED_OPTIONS = TableOptions(store=900, free=45)  # any clock, because the rules for absent players are the same for all


SEAT_KINDS = (("me", "person", msgid("Me")), ("invite", "invite", "Invite"), ("bot", "bot", msgid("Bot")))
QUICK_CLOCK, SLOW_CLOCK = (480, 20), (3 * 86400, 86400)  # seconds of the time bank, and free seconds per turn
CLOCK_UNITS = {"live": (60, 1), "slow": (86400, 3600)}  # seconds of the units in which players set their own clock


@router.get("/")
async def get_home(request: Request) -> Response:
    return await get_services(request).runtime.run_in_thread(_render_home, PageContext(request))


def _render_home(context: PageContext) -> Response:
    mine = load_tables_page(context.services.store, "mine", context.person, 1, 5)
    my_turns = [line for line in mine.lines if line.my_turn]
    rest = LobbyPage([line for line in mine.lines if line not in my_turns[:2]], mine.more, mine.total)
    games = load_all_games()
    return context.render_page(
        "home.html.jinja",
        games=games,
        by_id={game.id: game for game in games},
        turns=my_turns,
        mine=rest,
        last=describe_last_result(context),
        offers_words=should_offer_phrase(context),
        levels=list_bot_levels(context.localize),
        recommended=context.recommend_levels(games),
        open=load_tables_page(context.services.store, "open", context.person, 1, 5),
    )


@router.get("/tables")
async def get_tables(request: Request, which: str = "mine", page: int = 1) -> Response:
    context = PageContext(request)
    if which not in ("mine", "open", "running") or not 1 <= page <= 10_000:
        raise NotFound("There is no such list.")
    return await context.services.runtime.run_in_thread(_render_tables, context, which, page)


def _render_tables(context: PageContext, which: str, page: int) -> Response:
    listing = load_tables_page(context.services.store, which, context.person, page)
    by_id = {game.id: game for game in load_all_games()}
    return context.render_page("tables.html.jinja", which=which, page=page, found=listing, by_id=by_id)


@router.post("/play/{id}")
async def post_play(request: Request, id: str) -> Response:
    """Create a table against bots with one click."""
    check_rate_limit(request, "open")
    context = PageContext(request)
    form = await context.read_form()
    game = require_game(id)
    level = form.text("level", context.bot_level)
    if level and level not in list_bots():  # check this first, so that a wrong request creates no person
        raise RequestError("There is no such bot: {0}.", level[:40])
    context.bot_level = level
    chosen = await context.services.runtime.run_in_thread(context.choose_level, game)
    table = await open_quick_match(context.services, await context.ensure_person(), game, chosen)
    response = context.redirect(f"/tables/{table.id}")
    response.set_cookie("level", level, YEAR_SECONDS, samesite="lax", path="/")
    if form.text("guide") == "on":
        GuideProgress(True).save_to_cookie(response, game.id)
    return response


@router.get("/next-table")
async def get_next_table(request: Request, after: str = "") -> Response:
    """Redirect to the next table that waits for the reader, or back if there is none."""
    context = PageContext(request)
    table_id = await context.services.runtime.run_in_thread(
        find_next_waiting_table, context.services.store, context.person, after
    )
    return context.redirect(
        f"/tables/{table_id}" if table_id else check_redirect_path(f"/tables/{after}") if after else "/"
    )


@router.get("/guide/{id}")
async def get_guide(request: Request, id: str) -> Response:
    """Return the page with the whole guide of a game."""
    return await get_services(request).runtime.run_in_thread(_render_guide, PageContext(request), id)


def _render_guide(context: PageContext, id: str) -> Response:
    game = require_game(id)
    game_guide = load_guide(game)
    if not game_guide.opening:
        raise NotFound("There is no such page.")
    return context.render_page("guide.html.jinja", game=game, guide=game_guide)


@router.get("/new")
async def get_new_table(
    request: Request,
    game: str = "",
    guest: int = 0,
    preset: str = "",
    deal: str = "",
    edition: str = "",
    playtest: str = "",
) -> Response:
    return await get_services(request).runtime.run_in_thread(
        _render_new_table, PageContext(request), game, guest, preset, deal, edition, playtest
    )


def _render_new_table(
    context: PageContext, id: str, guest: int, preset: str, deal_id: str, edition_id: str, playtest_id: str
) -> Response:
    if playtest_id:
        playtest = find_playtest(context.services, playtest_id)
        game = require_game(playtest.game_id)
        return _render_table_form(context, game, game.proposed_variants(), guest=guest, playtest=playtest)
    if deal_id:
        deal = find_deal(context.services.store, deal_id)
        return _render_table_form(context, deal.load_game(), deal.variants, guest=guest, deal=deal)
    if edition_id:
        game, edition = load_edition_for_table(context, edition_id, id)
        return _render_table_form(context, game, game.proposed_variants(), guest=guest, edition=edition)
    game = require_game(id) if id else load_all_games()[0]
    choices = list_presets(context, game)
    chosen = next((candidate for candidate in choices if candidate.id == preset), choices[0])
    return _render_table_form(context, game, chosen.variants, guest=guest)


def _render_table_form(
    context: PageContext,
    game: Game,
    variants: Mapping[str, str],
    problem: str = "",
    guest: int = 0,
    deal: Deal | None = None,
    edition: StoredEdition | None = None,
    playtest: Playtest | None = None,
) -> Response:
    """Return the form for a new table with these variants selected, for the printed game, an edition or a playtest.

    With a deal, seats and variants are fixed.
    """
    return context.render_page(
        "new.html.jinja",
        400 if problem else 200,
        games=load_all_games(),
        game=game,
        variants=variants,
        presets=list_presets(context, game),
        differing=describe_differences(game, variants, context.localize),
        texts=list_summary_texts(context.localize),
        seats=deal.seats if deal else game.seats[len(game.seats) // 2],
        deal=deal,
        kinds=SEAT_KINDS,
        levels=list_bot_levels(context.localize, game),
        level=context.choose_level(game),
        recommended=context.recommend_levels([game])[game.id],
        compiled=context.services.bot_pool.is_compiled,
        forecast=describe_rating_at_set_up(context, game),
        learnt=describe_network(list_levels(game), game),
        guide_on=load_guide_progress(context.services.store, context.person, context.request.cookies, game.id).enabled,
        problem=problem,
        edition=edition,
        playtest=playtest,
        pace=load_about(game).pace,
        absence=" ".join(describe_absence_rules(DEFAULTS, context.localize)),
        overtime=" ".join(describe_absence_rules(TIMED_OPTIONS, context.localize)),
        guest=find_visible_person(context.services.runtime, context.person, guest),
    )


@router.post("/new")
async def post_new_table(request: Request) -> Response:
    check_rate_limit(request, "open")
    context = PageContext(request)
    form = await context.read_form()
    playtest = None
    if form.text("playtest"):
        playtest = await context.services.runtime.run_in_thread(find_playtest, context.services, form.text("playtest"))
    try:
        new = await context.services.runtime.run_in_thread(_read_new_table, form, context)
    except NotFound:
        raise
    except TricliniumError as error:
        game, edition = await context.services.runtime.run_in_thread(_read_game, form, context)
        problem = format_error(error, get_cached_reader(context.language, game.words).reader)
        return await context.services.runtime.run_in_thread(
            _render_table_form,
            context,
            game,
            _read_known_variants(game, form),
            problem,
            edition=edition,
            playtest=playtest,
        )
    if form.flag("shared_deal") and new.deal is None and not new.components and playtest is None:
        deal = await create_deal(context.services, new.game, len(new.seats), new.options.variants)
        new = replace(new, deal=deal)
    person = await context.ensure_person(form.text("player"))
    if form.text("player") and form.text("player") != person.name:
        await context.services.people.rename(person, form.text("player"))
    progress = await context.services.runtime.run_in_thread(
        load_guide_progress, context.services.store, person, request.cookies, new.game.id
    )
    if playtest is None:
        table = await open_table(context.services, person, new)
    else:
        table = await open_playtest_table(context.services, person, playtest, new)
    response = context.redirect(f"/tables/{table.id}")
    if form.text("guide_offered"):
        wants_guide = form.flag("guide")
        (progress if wants_guide and progress.enabled else GuideProgress(wants_guide)).save_to_cookie(
            response, new.game.id
        )
    return response


def _read_new_table(form: PostedForm, context: PageContext) -> NewTable:
    """Return the table that a form describes."""
    game, edition = _read_game(form, context)
    places = form.integer("seats", game.seats[0])
    if places not in game.seats:
        raise RequestError("This game cannot be played with this number of players.")
    seats = []
    one_device = form.text("device") == "one"  # the other people also play at this device
    for i in range(places):
        kind = form.text(f"kind{i}", "bot")
        if one_device and kind == "invite":
            kind = "hot"
        guest = (
            find_visible_person(context.services.runtime, context.person, form.integer(f"person{i}"))
            if kind == "invite"
            else None
        )
        name = form.text(f"name{i}") if guest is None else guest.name
        level = form.text(f"bot{i}", list_levels(game)[0])
        seats.append(SeatOptions(kind, name, level, None if guest is None else guest.id))
    bank, free = _read_clock(game, form)
    deal = find_deal(context.services.store, form.text("deal")) if form.text("deal") else None
    options = TableOptions(
        _read_variants(game, form),
        shown=form.text("visibility", "link"),
        undo=form.flag("undo"),
        hints=form.flag("hints"),
        shuffle=form.flag("shuffle_seats"),
        remind=120 if bank else 0,
        store=bank,
        free=free,
        bots=not form.flag("vote_on_timeout"),
        plain=form.flag("untrained_bots"),
        edition="" if edition is None else edition.name,
    )
    text = "" if edition is None else edition.text
    return make_new_table(game, seats, options, form.text("name"), deal, text)


def _read_game(form: PostedForm, context: PageContext) -> tuple[Game, StoredEdition | None]:
    """Return the game of a form, on the components of an edition if it names one of the reader's."""
    if form.text("edition"):
        return load_edition_for_table(context, form.text("edition"), form.text("game"))
    return require_game(form.text("game")), None


def _read_clock(game: Game, form: PostedForm) -> tuple[int, int]:
    """Return the seconds of the time bank and the free seconds that a form asks for."""
    pace = form.text("pace", "untimed")
    if pace == "own":
        bank_unit, free_unit = CLOCK_UNITS.get(form.text("unit"), CLOCK_UNITS["live"])
        return form.integer("time_bank") * bank_unit, form.integer("delay") * free_unit
    minutes, seconds = load_about(game).pace
    return {"live": (minutes * 60, seconds), "quick": QUICK_CLOCK, "slow": SLOW_CLOCK}.get(pace, (0, 0))


def _read_variants(game: Game, form: PostedForm) -> dict[str, str]:
    """Return the variants in a form that differ from the printed game."""
    defaults = {variant.name: variant.format_value(variant.default) for variant in game.variants}
    return {name: value for name, value in form.fields_with_prefix("variant-").items() if value != defaults.get(name)}


def _read_known_variants(game: Game, form: PostedForm) -> dict[str, str]:
    """Return the variants in a form, to show them again, or none if the game does not have one of them."""
    chosen = _read_variants(game, form)
    return chosen if can_play_variants(game, chosen) else {}


@router.post("/records")
async def post_record(request: Request) -> Response:
    """Open a table from an uploaded record. For a match file, return a page with its checks."""
    check_rate_limit(request, "open")
    context = PageContext(request)
    text = (await context.read_form(files=1)).text("record")
    if not is_match_file(text):
        return context.redirect(await _open_record(context, text))
    file, checks = await import_record.check_uploaded_file(context.services.runtime, text, context.language)
    record_text, is_right = file.record.dumps(), all(check.holds for check in checks)
    read = context.localize.reader.read
    return await context.render_in_thread(
        "match_file/checks.html.jinja",
        steps=[(read(check.what), check.holds, check.detail) for check in checks],
        is_right=is_right,
        is_own=context.services.key.is_own_record(file.signature, record_text),
        table_path=await _open_record(context, record_text) if is_right else "",
    )


async def _open_record(context: PageContext, text: str) -> str:
    """Open a table from the text of a record, and return its path."""
    services, network = context.services, get_client_network(context.request.scope)
    new, record = await import_record.make_table_from_record(services.runtime, text, context.language)
    await spend_upload_quota(services, network, context.person, len(text.encode()))
    table = await open_table(services, await context.ensure_person(), new, record)
    return f"/tables/{table.id}"


# -- the reader's own settings ----------------------------------------------------------------------------------


@router.get("/me")
async def get_me(request: Request) -> Response:
    return await _render_me(PageContext(request), "")


async def _render_me(context: PageContext, link: str) -> Response:
    return await context.render_in_thread(
        "settings.html.jinja", link=link, away_of=partial(get_vacation_status, context.services)
    )


class Nickname(Arguments):
    """A new nickname for the caller."""

    name: str = Field("", max_length=200)


class DeviceToken(Arguments):
    """The token of a link that signs a person in on another device."""

    token: str = Field(max_length=200)


@commands.add("rename", ANYONE, api=ONLY_BROWSERS, form=Form("/me", "/me"))
async def rename(caller: Caller, arguments: Nickname) -> None:
    """Set or change the caller's nickname."""
    if caller.person is None:
        await caller.ensure_person(arguments.name)
    else:
        await caller.services.people.rename(caller.person, arguments.name)


@commands.add("make-device-link", ANYONE, api=ONLY_BROWSERS, form=Form("/me/sign-in-link"))
async def make_device_link(caller: Caller, arguments: NoArguments) -> str:
    """Return the path of a link that signs the caller in on another device."""
    return f"/me/sign-in/{await caller.services.people.create_device_token(await caller.ensure_person())}"


@forms.answer(make_device_link)
async def show_device_link(post: FormPost[Caller, NoArguments, str]) -> Response:
    return await _render_me(post.context, f"{post.context.origin}{post.result}")


@router.get("/me/sign-in/{token}")
async def get_sign_in(request: Request, token: str, hand: str = "") -> Response:
    """Return the page of a link that signs a person in. ``hand`` is the id of a table whose hand is opened then."""
    check_rate_limit(request, "guess")
    context = PageContext(request)
    name = await context.services.runtime.run_in_thread(context.services.people.find_token_owner, token)
    if name is None:
        raise NotFound("This link has already been used or has expired.")
    localize = context.localize
    return await context.render_in_thread(
        "follow_link.html.jinja",
        heading=localize("Welcome, {0}", name),
        text=localize("You are now signed in as {0} on this device.", name),
        more="",
        action=f"/me/sign-in/{token}",
        hidden={"hand": hand},
        ask_name=False,
        button=localize("Continue"),
    )


@commands.add("add-device", ANYONE, api=ONLY_BROWSERS, form=Form("/me/sign-in/{token}"), rates=["guess"])
async def add_device(caller: Caller, arguments: DeviceToken) -> None:
    """Sign this device in as the person who created the link."""
    caller.person, caller.new_cookie = await caller.services.people.redeem_device_token(arguments.token)


@forms.answer(add_device)
async def show_added_device(post: FormPost[Caller, DeviceToken, None]) -> Response:
    table_id = post.form.text("hand")
    next_path = check_redirect_path(f"/tables/{table_id}/hand") if table_id else "/"
    return await finish_sign_in(post.context, get_current_person(post.context.request), next_path)


@commands.add("sign-out", ANYONE, api=ONLY_BROWSERS, form=Form("/me/sign-out", "/"))
async def sign_out(caller: Caller, arguments: NoArguments) -> None:
    """Sign this device out."""
    if caller.person is not None:
        await caller.services.remove_device(caller.person)
    delete_secret_cookie(caller.request, caller.response, SESSION_COOKIE)


class DisplaySettings(Arguments):
    """The display settings of a browser. Empty settings stay the same."""

    language: str = ""
    theme: str = ""
    confirm_offered: str = ""
    confirm: bool = False
    sound: str = ""
    keys: str = ""


@commands.add(
    "change-display",
    ANYONE,
    api=NotOffered("The settings are cookies of the browser. A program needs none of them."),
    form=Form("/settings"),
)
async def change_display(caller: Caller, arguments: DisplaySettings) -> None:
    """Store the language, colours, confirmation, sound and keyboard shortcuts in plain cookies."""
    cookies = {
        "language": arguments.language if arguments.language in list_languages() else "",
        "theme": arguments.theme if arguments.theme in THEMES else "",
        "confirm": ("on" if arguments.confirm else "off") if arguments.confirm_offered else "",
        "sound": arguments.sound if arguments.sound in ("on", "off") else "",
        "keys": arguments.keys if arguments.keys in ("on", "off") else "",
    }
    for name, value in cookies.items():
        if value:
            caller.response.set_cookie(name, value, YEAR_SECONDS, samesite="lax", httponly=True)


@forms.answer(change_display)
async def redirect_back(post: FormPost[Caller, DisplaySettings, None]) -> Response:
    return post.context.redirect(check_redirect_path(post.form.text("back", "/")))
