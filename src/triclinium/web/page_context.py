"""How a page is made: one environment of templates, and what every page knows of its reader."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from urllib.parse import quote

from fastapi import Request, Response
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse

from triclinium.boardkit.parts import group_by_type
from triclinium.bots import create_bot
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.engine.registry import list_games, load_game
from triclinium.i18n.catalog import list_languages
from triclinium.server import server_time
from triclinium.server.accounts.owner import OWNER_SCOPE_KEY
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import DEFAULT_LEVEL, list_levels
from triclinium.server.errors import NotAllowed, NotStored, RequestError
from triclinium.server.http.auth import SESSION_COOKIE, check_rate_limit, get_current_person, get_services
from triclinium.server.http.cookies import find_cookie, set_secret_cookie
from triclinium.server.notifications.messages import count_waiting_tables
from triclinium.server.sanitize import parse_whole_number
from triclinium.server.services import Services
from triclinium.web import assets
from triclinium.web.datetimes import ZONE_COOKIE as ZONE
from triclinium.web.datetimes import DateFormatter
from triclinium.web.html_snippets import HtmlSnippets
from triclinium.web.i18n import Localizer, choose_language, get_cached_reader, list_languages_by_name
from triclinium.web.pages.guide import load_guide
from triclinium.web.static_files import StaticFiles, compress_response
from triclinium.web.template_environment import TemplateEnvironment

THEMES = ("auto", "light", "dark")
LEVEL_NAMES = {
    "novice": Name("Novice", "level"),
    "steady": Name("Steady", "level"),
    "strong": Name("Strong", "level"),
    "master": Name("Master", "level"),
}


class PageResources:
    """Templates and files of one server."""

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
        """What is made once, when first needed: each a job of some milliseconds."""
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
    """A request with everything about its reader."""

    def __init__(self, request: Request, anonymous: bool = False) -> None:
        """``anonymous``: the database is not asked who this is."""
        self.request = request
        self.services: Services = get_services(request)
        self.person: Person | None = None if anonymous else get_current_person(request)
        cookies = request.cookies
        self.language = choose_language(cookies.get("language", ""), request.headers.get("accept-language", ""))
        self.theme = cookies.get("theme", "auto") if cookies.get("theme") in THEMES else "auto"
        self.confirms_moves = cookies.get("confirm") == "on"
        self.sound = cookies.get("sound") == "on"  # a server is quiet unless somebody asks
        self.chat_sound = cookies.get("chat_sound") == "on"
        self.clock_sound = cookies.get("clock_sound") == "on"
        self.shows_waiting_count = (
            cookies.get("number") != "off"
        )  # of tables that wait: in the tab, and on the app's icon
        self.keyboard_enabled = cookies.get("keys") != "off"  # letters and numbers act at a table
        self.bot_level = (
            cookies.get("level", "") if cookies.get("level") in list_levels() else DEFAULT_LEVEL
        )  # of bots, last time
        self.localize = Localizer(self.language)
        self.dates = DateFormatter(self.language, cookies.get(ZONE, ""))
        self.new_cookie = ""  # the secret of somebody who has just come

    @property
    def is_owner(self) -> bool:
        """Return whether this browser has the owner's rights."""
        return bool(self.request.scope.get(OWNER_SCOPE_KEY))

    @property
    def enabled_sounds(self) -> str:
        """What is heard at a table, for its script."""
        settings = {"table": self.sound, "chat": self.chat_sound, "clock": self.clock_sound}
        return " ".join(name for name, on in settings.items() if on)

    @cached_property
    def waiting_count(self) -> int:
        """How many tables wait for the reader; none where nobody can look."""
        if self.person is None:
            return 0
        try:
            with self.services.store.read_connection() as connection:
                return count_waiting_tables(connection, self.person.id)
        except (SQLAlchemyError, NotStored):  # the page that says so has a bar, too
            return 0

    @property
    def csrf_token(self) -> str:
        """The mark of this reader's forms."""
        return self.services.key.sign("form", "" if self.person is None else self.person.device)

    def render_page(self, template: str, status: int = 200, **variables: object) -> Response:
        """A whole page."""
        pages = self.request.app.state.pages
        assert isinstance(pages, PageResources)
        common = {
            "_": self.localize,
            "reading": self,
            "person": self.person,
            "csrf": self.csrf_token,
            "path": self.request.url.path,
            "here": self.request.url.path + (f"?{self.request.url.query}" if self.request.url.query else ""),
            "now": server_time.now(),
        }
        text = pages.templates.get_template(template).render({**common, **variables})
        return self.set_cookies(compress_response(self.request, text.encode(), status, {}))

    async def render_in_thread(self, template: str, status: int = 200, **variables: object) -> Response:
        """The same, made beside the loop."""
        return await self.services.runtime.run_in_thread(self.render_page, template, status, **variables)

    def redirect(self, url: str) -> Response:
        """On to another page, after a post."""
        return self.set_cookies(RedirectResponse(url, 303))

    def set_cookies(self, response: Response) -> Response:
        """Give a newcomer the cookie."""
        plain = self.request.cookies.get(SESSION_COOKIE, "")
        if self.new_cookie:
            set_secret_cookie(self.request, response, SESSION_COOKIE, self.new_cookie)
        elif plain and self.person is not None and self.request.url.scheme == "https":
            # The device came over plain HTTP before.
            set_secret_cookie(self.request, response, SESSION_COOKIE, find_cookie(self.request.cookies, SESSION_COOKIE))
        return response

    async def ensure_person(self, name: str = "") -> Person:
        """The reader as a person; a newcomer becomes one."""
        if self.person is None:
            check_rate_limit(self.request, "come")
            self.person, self.new_cookie = await self.services.people.create_person(name or self.localize("Guest"))
        return self.person

    async def read_form(self, files: int = 0) -> "PostedForm":
        """What was posted; refused unless the form came from this server."""
        try:
            async with self.request.form(max_files=files, max_fields=200, max_part_size=600_000) as data:
                form = PostedForm({_replace_surrogates(name): await _read_field(value) for name, value in data.items()})
        except UnicodeError:  # the sender may say in which letters it writes, and then write otherwise
            raise RequestError("the form cannot be read") from None
        if not self.services.key.is_signature_valid(
            form.text("csrf"), "form", "" if self.person is None else self.person.device
        ):
            raise NotAllowed("the form is too old: load the page again")
        return form

    def check_public_address(self) -> None:
        """Find out whether it leads here, if that is not known; nobody waits for it."""
        reach = self.services.reachability
        if reach.needs_public_test():
            self.services.runtime.start_task(
                reach.test_public_url(self.services.fingerprint), "looking for the house under its public address"
            )

    @property
    def origin(self) -> str:
        """How this server is addressed, for links that are sent to others."""
        host = self.request.headers["host"]  # believed: see server/net/trusted_hosts.py
        return self.services.reachability.get_link_origin(self.request.url.scheme, host)


async def _read_field(value: str | UploadFile) -> str:
    """A field, or the text of an uploaded file."""
    return _replace_surrogates(value) if isinstance(value, str) else (await value.read()).decode("utf-8", "replace")


def _replace_surrogates(text: str) -> str:
    """A text without halves of letters, which nobody could write down again."""
    return text.encode("utf-8", "replace").decode()


class PostedForm:
    """The fields of a post, as text."""

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
        """All fields whose name begins so, without the beginning."""
        return {name.removeprefix(prefix): value for name, value in self._data.items() if name.startswith(prefix)}


def load_all_games() -> list[Game]:
    """The games of the server."""
    return [load_game(id) for id in list_games()]


def describe_duration(seconds: int, localize: Localizer) -> str:
    """Return a length of time in words, in whole hours where it is some, else in minutes."""
    if seconds % 3600:
        return localize("{0} {0:minute|minutes}", -(-seconds // 60))
    return localize("{0} {0:hour|hours}", seconds // 3600)


def name_bot_level(name: str, localize: Localizer) -> str:
    """What a bot's level is called."""
    return localize.name(LEVEL_NAMES.get(name, Name(name.capitalize())))


class BotLevelChoice:
    """A bot as people are offered it: its name, and how it plays in one sentence."""

    def __init__(self, name: str, how: Name, localize: Localizer) -> None:
        self.name = name
        self.label = name_bot_level(name, localize)
        self.description = localize.name(how)


def list_bot_levels(localize: Localizer) -> list[BotLevelChoice]:
    """The bots that people are offered, the weakest first."""
    any_game = load_game(list_games()[0])
    return [BotLevelChoice(name, create_bot(name, any_game).description, localize) for name in list_levels()]


def check_redirect_path(path: str) -> str:
    """A path to return to: only ever inside this server."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path and len(path) < 300 else "/"
