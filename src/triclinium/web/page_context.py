"""Page context: the reader and the request of a page, and the templates and files that every page uses."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from urllib.parse import quote

from fastapi import Request, Response
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse

from triclinium.boardkit.parts import find_offer, group_by_type, list_offered_actions
from triclinium.bots import create_bot
from triclinium.bots.levels import load_levels
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game
from triclinium.i18n.catalog import list_languages
from triclinium.server import server_time
from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import list_levels
from triclinium.server.errors import NotAllowed, NotStored, RequestError
from triclinium.server.http.auth import SESSION_COOKIE, check_rate_limit, get_current_person, get_services
from triclinium.server.net.cookies import find_cookie, set_secret_cookie
from triclinium.server.notifications.messages import count_waiting_tables
from triclinium.server.ratings.recommended_level import RecommendedLevel, recommend_levels
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.services import Services
from triclinium.server.workshop.access import is_workshop_open
from triclinium.web import assets
from triclinium.web.datetimes import ZONE_COOKIE as ZONE
from triclinium.web.datetimes import DateFormatter
from triclinium.web.game_guide import load_guide
from triclinium.web.html_snippets import HtmlSnippets
from triclinium.web.i18n import Localizer, choose_language, get_cached_reader, list_languages_by_name
from triclinium.web.static_files import StaticFiles, compress_response
from triclinium.web.template_environment import TemplateEnvironment

THEMES = ("auto", "light", "dark")
LEVEL_NAMES = {
    "novice": Name("Novice", "level"),
    "casual": Name("Casual", "level"),
    "steady": Name("Steady", "level"),
    "strong": Name("Strong", "level"),
    "master": Name("Master", "level"),
}


class PageResources:
    """The templates and files of one server."""

    def __init__(self) -> None:
        all_folders = {id: assets.game_folder(load_game(id)) for id in list_games()}
        game_files = {
            name: path for id, folder in all_folders.items() for name, path in assets.list_static_files(id, folder)
        }
        self.files = StaticFiles({**assets.BOARDKIT_FILES, **game_files})
        folders = {id: FileSystemLoader(folder) for id, folder in all_folders.items()}
        self.templates = TemplateEnvironment(
            ChoiceLoader(
                [FileSystemLoader([Path(__file__).parent / "templates", assets.BOARDKIT_FOLDER]), PrefixLoader(folders)]
            )
        )
        snippets = HtmlSnippets(self.files)
        self.templates.globals.update(
            own_icon=snippets.icon,
            own_seat=snippets.seat_badge,
            own_rule=snippets.rule_link,
            cited=snippets.link_rules,
            sign=snippets.symbol,
            pic=snippets.avatar,
            log_list=snippets.render_log,
            once=snippets.render_cached,
            part_runs=group_by_type,
            offered_actions=list_offered_actions,
            find_offer=find_offer,
        )
        self.templates.globals.update(
            file=self.files.url,
            level_name=name_bot_level,
            duration=describe_duration,
            languages=list_languages_by_name,
            vignette=assets.load_vignette,
            about=assets.load_about,
            credits=assets.load_credits,
            signs=assets.list_symbols,
            help_card=assets.load_help_card,
            guided=lambda game_id: bool(load_guide(game_id).opening),
            quote=lambda text: quote(text, safe=""),
        )

    def list_warmup_jobs(self) -> list[Callable[[], object]]:
        """Return the jobs that fill the caches before the first request; each takes some milliseconds."""
        jobs = self.files.list_compression_jobs()
        jobs += [partial(get_cached_reader, language, None) for language in list_languages()]
        names = self.templates.list_templates(extensions=["jinja"])
        jobs += [partial(self.templates.get_template, name) for name in names]
        for game in load_all_games():
            jobs += [
                partial(make, game)
                for make in (load_guide, assets.load_about, assets.load_vignette, assets.find_draw_function)
            ]
        return jobs


class PageContext:
    """A request, with the facts about its reader that every page needs."""

    def __init__(self, request: Request, anonymous: bool = False) -> None:
        """Read the facts about the reader from the request.

        ``anonymous`` means that the database is not asked who the reader is.
        """
        self.request = request
        self.services: Services = get_services(request)
        self.person: Person | None = None if anonymous else get_current_person(request)
        cookies = request.cookies
        self.language = choose_language(cookies.get("language", ""), request.headers.get("accept-language", ""))
        self.theme = cookies.get("theme", "auto") if cookies.get("theme") in THEMES else "auto"
        self.confirms_moves = cookies.get("confirm") == "on"
        self.sound = cookies.get("sound") == "on"  # sounds are off unless the reader turns them on
        self.chat_sound = cookies.get("chat_sound") == "on"
        self.clock_sound = cookies.get("clock_sound") == "on"
        self.shows_waiting_count = cookies.get("number") != "off"  # shown in the tab's title and on the app's icon
        self.keyboard_enabled = cookies.get("keys") != "off"  # shortcuts at a table that are single letters or numbers
        # the level that the reader chose last; empty: the recommended one
        self.bot_level = cookies.get("level", "") if cookies.get("level") in list_levels() else ""
        self.localize = Localizer(self.language)
        self.dates = DateFormatter(self.language, cookies.get(ZONE, ""))
        self.new_cookie = ""  # the secret of a person who has just been created

    @property
    def is_owner(self) -> bool:
        """Return whether this browser has the owner's rights."""
        return bool(self.request.scope.get(OWNER_SCOPE_KEY))

    @property
    def can_use_workshop(self) -> bool:
        """Return whether the reader may make editions on this server."""
        return is_workshop_open(self.services.settings, self.request.scope)

    @property
    def can_print_games(self) -> bool:
        """Return whether people may print games on this server."""
        return self.services.settings.printing

    @property
    def enabled_sounds(self) -> str:
        """Return the sounds that the reader has turned on, for the script of the table."""
        settings = {"table": self.sound, "chat": self.chat_sound, "clock": self.clock_sound}
        return " ".join(name for name, on in settings.items() if on)

    def recommend_levels(self, games: Sequence[Game]) -> dict[str, RecommendedLevel]:
        """Return the level of bots that suits the reader in each game."""
        person = None if self.person is None else self.person.id
        with self.services.store.read_connection() as connection:
            return recommend_levels(connection, person, games)

    def choose_level(self, game: Game) -> str:
        """Return the level that the reader chose last, if the game offers it, otherwise the recommended one."""
        if self.bot_level:
            return load_levels(game).choose_offered_level(self.bot_level)
        return self.recommend_levels([game])[game.id].level

    @cached_property
    def waiting_count(self) -> int:
        """Return how many tables wait for the reader; 0 if the database cannot tell."""
        if self.person is None:
            return 0
        try:
            with self.services.store.read_connection() as connection:
                return count_waiting_tables(connection, self.person.id)
        except (SQLAlchemyError, NotStored):  # the error page has this number in its header, too
            return 0

    @property
    def csrf_token(self) -> str:
        """Return the token against cross-site requests in this reader's forms."""
        return self.services.key.sign("form", "" if self.person is None else self.person.device)

    @property
    def pages(self) -> PageResources:
        """Return the templates and files of the server."""
        pages = self.request.app.state.pages
        assert isinstance(pages, PageResources)
        return pages

    def render_page(self, template: str, status: int = 200, **variables: object) -> Response:
        """Return a whole page."""
        text = self.render_text(template, **variables)
        return self.set_cookies(compress_response(self.request, text.encode(), status, {}))

    def render_text(self, template: str, **variables: object) -> str:
        """Return the text of a page or of a part of one."""
        common = {
            "_": self.localize,
            "reading": self,
            "person": self.person,
            "csrf": self.csrf_token,
            "path": self.request.url.path,
            "here": self.request.url.path + (f"?{self.request.url.query}" if self.request.url.query else ""),
            "now": server_time.now(),
        }
        return self.pages.templates.get_template(template).render({**common, **variables})

    async def render_in_thread(self, template: str, status: int = 200, **variables: object) -> Response:
        """Return a whole page that is rendered in another thread."""
        return await self.services.runtime.run_in_thread(self.render_page, template, status, **variables)

    def redirect(self, url: str) -> Response:
        """Return a redirect to another page, after a post."""
        return self.set_cookies(RedirectResponse(url, 303))

    def set_cookies(self, response: Response) -> Response:
        """Set the session cookie of a person who has just been created."""
        plain = self.request.cookies.get(SESSION_COOKIE, "")
        if self.new_cookie:
            set_secret_cookie(self.request, response, SESSION_COOKIE, self.new_cookie)
        elif plain and self.person is not None and self.request.url.scheme == "https":
            # The device connected over plain HTTP before: give it a secure cookie.
            set_secret_cookie(self.request, response, SESSION_COOKIE, find_cookie(self.request.cookies, SESSION_COOKIE))
        return response

    async def ensure_person(self, name: str = "") -> Person:
        """Return the reader as a person; create one for a newcomer."""
        if self.person is None:
            check_rate_limit(self.request, "come")
            self.person, self.new_cookie = await self.services.people.create_person(name or self.localize("Guest"))
        return self.person

    async def read_form(self, files: int = 0, max_fields: int = 200) -> "PostedForm":
        """Return the posted form. Raise `NotAllowed` unless it came from a page of this server."""
        try:
            async with self.request.form(max_files=files, max_fields=max_fields, max_part_size=600_000) as data:
                form = PostedForm({_replace_surrogates(name): await _read_field(value) for name, value in data.items()})
        except UnicodeError:  # the client can declare one encoding and use another
            raise RequestError("The form could not be read. Reload the page and try again.") from None
        if not self.services.key.is_signature_valid(
            form.text("csrf"), "form", "" if self.person is None else self.person.device
        ):
            raise NotAllowed("This form has expired. Reload the page and try again.")
        return form

    def check_public_address(self) -> None:
        """Start a test of whether the public address leads to this server, unless the result is known.

        Do not wait for it.
        """
        reach = self.services.reachability
        if reach.needs_public_test():
            self.services.runtime.start_task(
                reach.test_public_url(self.services.fingerprint), "test the public address of the server"
            )

    @property
    def origin(self) -> str:
        """Return the origin of links that people send to others."""
        host = self.request.headers["host"]  # `server/net/trusted_hosts.py` has checked the host.
        return self.services.reachability.get_link_origin(self.request.url.scheme, host)


async def _read_field(value: str | UploadFile) -> str:
    """Return the text of a field, or of an uploaded file."""
    return _replace_surrogates(value) if isinstance(value, str) else (await value.read()).decode("utf-8", "replace")


def _replace_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()


class PostedForm:
    """The fields of a posted form, as text."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self._data = data

    def text(self, name: str, default: str = "") -> str:
        return self._data.get(name, default)

    def integer(self, name: str, default: int = -1) -> int:
        number = parse_whole_number(self.text(name), 9)
        return default if number is None else number

    def flag(self, name: str) -> bool:
        return self.text(name) == "on"

    def fields_with_prefix(self, prefix: str) -> dict[str, str]:
        """Return all fields whose names begin with a prefix, by the rest of the name."""
        return {name.removeprefix(prefix): value for name, value in self._data.items() if name.startswith(prefix)}


def load_all_games() -> list[Game]:
    """Return all games of the server: its own first, then those of other packages."""
    games = [load_game(id) for id in list_games()]
    return sorted(games, key=lambda game: not type(game).__module__.startswith("triclinium.games."))


def describe_duration(seconds: int, localize: Localizer) -> str:
    """Return a duration in words: in hours if it is a whole number of hours, else in minutes."""
    if seconds % 3600:
        return localize("{0} {0:minute|minutes}", -(-seconds // 60))
    return localize("{0} {0:hour|hours}", seconds // 3600)


def name_bot_level(name: str, localize: Localizer) -> str:
    """Return the name of a bot's level."""
    return localize.name(LEVEL_NAMES.get(name, Name(name.capitalize())))


class BotLevelChoice:
    """A bot as players choose it: its name, and how it plays in one sentence."""

    def __init__(self, name: str, how: Name, localize: Localizer) -> None:
        self.name = name
        self.label = name_bot_level(name, localize)
        self.description = localize.name(how)


def list_bot_levels(localize: Localizer, game: Game | None = None) -> list[BotLevelChoice]:
    """Return the bots that players can choose, for one game or for all, the weakest first."""
    any_game = game or load_game(list_games()[0])
    return [BotLevelChoice(name, create_bot(name, any_game).description, localize) for name in list_levels(game)]


def check_redirect_path(path: str) -> str:
    """Return a path to return to. If the path could lead to another server, return the home page."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path and len(path) < 300 else "/"
