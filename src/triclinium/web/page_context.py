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

from triclinium.boardkit.parts import runs
from triclinium.bots import bot
from triclinium.engine.core.text import Name
from triclinium.engine.game import Game
from triclinium.engine.registry import find_game, titles
from triclinium.i18n.catalog import languages
from triclinium.server import server_time
from triclinium.server.accounts.users import Person
from triclinium.server.bots.pool import USUAL, levels
from triclinium.server.errors import NotAllowed, NotStored, RequestError
from triclinium.server.http.auth import COOKIE, count, person_of, server_of
from triclinium.server.http.cookies import YEAR as YEAR
from triclinium.server.http.cookies import find_cookie, set_secret_cookie
from triclinium.server.notifications.messages import how_many_wait
from triclinium.server.sanitize import whole_number
from triclinium.server.server import Server
from triclinium.web import assets
from triclinium.web.datetimes import COOKIE as ZONE
from triclinium.web.datetimes import When
from triclinium.web.html_snippets import Pictures
from triclinium.web.i18n import Speech, language_of, languages_by_name, spoken
from triclinium.web.pages.guide import guide
from triclinium.web.static_files import Files, packed
from triclinium.web.template_environment import Templates

THEMES = ("auto", "light", "dark")
LEVEL_NAMES = {
    "novice": Name("Novice", "level"),
    "steady": Name("Steady", "level"),
    "strong": Name("Strong", "level"),
    "master": Name("Master", "level"),
}


class Pages:
    """Templates and files of one server."""

    def __init__(self) -> None:
        all_folders = {id: assets.folder(find_game(id)) for id in titles()}
        looks = {name: path for id, folder in all_folders.items() for name, path in assets.files(id, folder)}
        self.files = Files({**assets.KIT_FILES, **looks})
        folders = {id: FileSystemLoader(folder) for id, folder in all_folders.items()}
        self.templates = Templates(
            ChoiceLoader([FileSystemLoader([Path(__file__).parent / "templates", assets.KIT]), PrefixLoader(folders)])
        )
        pictures = Pictures(self.files)
        self.templates.globals.update(
            own_icon=pictures.icon,
            own_seat=pictures.seat,
            own_rule=pictures.rule,
            cited=pictures.cited,
            sign=pictures.sign,
            pic=pictures.pic,
            log_list=pictures.log,
            once=pictures.once,
            part_runs=runs,
        )
        self.templates.globals.update(
            file=self.files.url,
            level_name=level_name,
            duration=duration,
            languages=languages_by_name,
            vignette=assets.vignette,
            about=assets.about,
            credits=assets.credits,
            signs=assets.signs,
            help_card=assets.help_card,
            guided=lambda title: bool(guide(title).opening),
            quote=lambda text: quote(text, safe=""),
        )

    def ready(self) -> list[Callable[[], object]]:
        """What is made once, when first needed: each a job of some milliseconds."""
        jobs = self.files.pack()
        jobs += [partial(spoken, language, None) for language in languages()]
        names = self.templates.list_templates(extensions=["jinja"])
        jobs += [partial(self.templates.get_template, name) for name in names]
        for game in all_titles():
            jobs += [partial(make, game) for make in (guide, assets.about, assets.vignette, assets.drawer)]
        return jobs


class Reading:
    """A request with everything about its reader."""

    def __init__(self, request: Request, anybody: bool = False) -> None:
        """``anybody``: the database is not asked who this is."""
        self.request = request
        self.server: Server = server_of(request)
        self.person: Person | None = None if anybody else person_of(request)
        cookies = request.cookies
        self.language = language_of(cookies.get("language", ""), request.headers.get("accept-language", ""))
        self.theme = cookies.get("theme", "auto") if cookies.get("theme") in THEMES else "auto"
        self.confirm = cookies.get("confirm") == "on"
        self.sound = cookies.get("sound") == "on"  # a server is quiet unless somebody asks
        self.chat_sound = cookies.get("chat_sound") == "on"
        self.clock_sound = cookies.get("clock_sound") == "on"
        self.number = cookies.get("number") != "off"  # of tables that wait: in the tab, and on the app's icon
        self.keys = cookies.get("keys") != "off"  # letters and numbers act at a table
        self.level = cookies.get("level", "") if cookies.get("level") in levels() else USUAL  # of bots, last time
        self.speech = Speech(self.language)
        self.when = When(self.language, cookies.get(ZONE, ""))
        self.new_cookie = ""  # the secret of somebody who has just come

    @property
    def sounds(self) -> str:
        """What is heard at a table, for its script."""
        wished = {"table": self.sound, "chat": self.chat_sound, "clock": self.clock_sound}
        return " ".join(name for name, on in wished.items() if on)

    @cached_property
    def waiting(self) -> int:
        """How many tables wait for the reader; none where nobody can look."""
        if self.person is None:
            return 0
        try:
            with self.server.store.reading() as connection:
                return how_many_wait(connection, self.person.id)
        except (SQLAlchemyError, NotStored):  # the page that says so has a bar, too
            return 0

    @property
    def csrf(self) -> str:
        """The mark of this reader's forms."""
        return self.server.key.sign("form", "" if self.person is None else self.person.device)

    def page(self, template: str, status: int = 200, **facts: object) -> Response:
        """A whole page."""
        pages = self.request.app.state.pages
        assert isinstance(pages, Pages)
        known = {
            "_": self.speech,
            "reading": self,
            "person": self.person,
            "csrf": self.csrf,
            "path": self.request.url.path,
            "here": self.request.url.path + (f"?{self.request.url.query}" if self.request.url.query else ""),
            "now": server_time.now(),
        }
        text = pages.templates.get_template(template).render({**known, **facts})
        return self.set_cookies(packed(self.request, text.encode(), status, {}))

    async def show(self, template: str, status: int = 200, **facts: object) -> Response:
        """The same, made beside the loop."""
        return await self.server.in_thread(self.page, template, status, **facts)

    def go(self, url: str) -> Response:
        """On to another page, after a post."""
        return self.set_cookies(RedirectResponse(url, 303))

    def set_cookies(self, response: Response) -> Response:
        """Give a newcomer the cookie."""
        plain = self.request.cookies.get(COOKIE, "")
        if self.new_cookie:
            set_secret_cookie(self.request, response, COOKIE, self.new_cookie)
        elif plain and self.person is not None and self.request.url.scheme == "https":
            # The device came over plain HTTP before.
            set_secret_cookie(self.request, response, COOKIE, find_cookie(self.request.cookies, COOKIE))
        return response

    async def somebody(self, name: str = "") -> Person:
        """The reader as a person; a newcomer becomes one."""
        if self.person is None:
            count(self.request, "come")
            self.person, self.new_cookie = await self.server.people.welcome(name or self.speech("Guest"))
        return self.person

    async def form(self, files: int = 0) -> "Form":
        """What was posted; refused unless the form came from this server."""
        try:
            async with self.request.form(max_files=files, max_fields=200, max_part_size=600_000) as data:
                form = Form({_whole(name): await _text(value) for name, value in data.items()})
        except UnicodeError:  # the sender may say in which letters it writes, and then write otherwise
            raise RequestError("the form cannot be read") from None
        if not self.server.key.signed(form.text("csrf"), "form", "" if self.person is None else self.person.device):
            raise NotAllowed("the form is too old: load the page again")
        return form

    def look_at_public_address(self) -> None:
        """Find out whether it leads here, if that is not known; nobody waits for it."""
        reach = self.server.reach
        if reach.is_due():
            self.server.spawn(reach.try_public(self.server.mark), "looking for the house under its public address")

    @property
    def origin(self) -> str:
        """How this server is addressed, for links that are sent to others."""
        host = self.request.headers["host"]  # believed: see server/net/trusted_hosts.py
        return self.server.reach.origin(self.request.url.scheme, host)


async def _text(value: str | UploadFile) -> str:
    """A field, or the text of an uploaded file."""
    return _whole(value) if isinstance(value, str) else (await value.read()).decode("utf-8", "replace")


def _whole(text: str) -> str:
    """A text without halves of letters, which nobody could write down again."""
    return text.encode("utf-8", "replace").decode()


class Form:
    """The fields of a post, as text."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self._data = data

    def text(self, name: str, otherwise: str = "") -> str:
        return self._data.get(name, otherwise)

    def whole(self, name: str, otherwise: int = -1) -> int:
        found = whole_number(self.text(name), 9)
        return otherwise if found is None else found

    def flag(self, name: str) -> bool:
        return self.text(name) == "on"

    def beginning(self, prefix: str) -> dict[str, str]:
        """All fields whose name begins so, without the beginning."""
        return {name.removeprefix(prefix): value for name, value in self._data.items() if name.startswith(prefix)}


def all_titles() -> list[Game]:
    """The games of the server."""
    return [find_game(id) for id in titles()]


def duration(seconds: int, speech: Speech) -> str:
    """Return a length of time in words, in whole hours where it is some, else in minutes."""
    if seconds % 3600:
        return speech("{0} {0:minute|minutes}", -(-seconds // 60))
    return speech("{0} {0:hour|hours}", seconds // 3600)


def level_name(name: str, speech: Speech) -> str:
    """What a bot's level is called."""
    return speech.name(LEVEL_NAMES.get(name, Name(name.capitalize())))


class Level:
    """A bot as people are offered it: its name, and how it plays in one sentence."""

    def __init__(self, name: str, how: Name, speech: Speech) -> None:
        self.name = name
        self.said = level_name(name, speech)
        self.how = speech.name(how)


def all_levels(speech: Speech) -> list[Level]:
    """The bots that people are offered, the weakest first."""
    some_title = find_game(titles()[0])
    return [Level(name, bot(name, some_title).how, speech) for name in levels()]


def inner_path(path: str) -> str:
    """A path to return to: only ever inside this server."""
    return path if path.startswith("/") and not path.startswith("//") and "\\" not in path and len(path) < 300 else "/"
