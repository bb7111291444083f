"""Messages of the command line in the languages of its catalogue."""

from pathlib import Path

from triclinium.engine.core.text import Reader
from triclinium.engine.game_text import create_reader
from triclinium.i18n.catalog import Domain

CLI_DOMAIN = Domain("cli", Path(__file__).parent / "locale")


def make_cli_reader(language: str) -> Reader:
    """Return a reader of the command line's own messages."""
    return create_reader(language, None, CLI_DOMAIN)
