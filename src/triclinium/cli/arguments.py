"""Parsers for command-line arguments: numbers, seeds, names, variants and files. Errors are one sentence each."""

import secrets
import sys
from pathlib import Path

from triclinium.engine import registry
from triclinium.engine.core.errors import BadComponents, BadRecord, BadSetup
from triclinium.engine.core.rng import SEED_LIMIT
from triclinium.engine.game import Game


def find_game(name: str, components: str | None) -> Game:
    """Return a game, optionally on an edited components file. The error message of a faulty file names it."""
    try:
        return registry.load_game(name, components)
    except BadComponents as error:
        names_file = components is None or Path(components).name in str(error)
        raise error if names_file else BadComponents(f"{components}: {error}") from None


def parse_integer(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadSetup(f"{option} takes a whole number, not {text[:40]!r}") from None


def parse_seed(text: str | None) -> int:
    """Return the given seed, or a random one. Raise BadSetup if it is out of range."""
    if text is None:
        return secrets.randbelow(SEED_LIMIT)
    if len(text) < 40:
        seed = parse_integer("--seed", text)
        if 0 <= seed < SEED_LIMIT:
            return seed
    raise BadSetup(f"a seed is a whole number from 0 to {SEED_LIMIT - 1}, not {text[:40]}")


def split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def parse_pairs(texts: list[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadSetup(f"a variant is given as name=value, not {text!r}")
        if name in pairs:
            raise BadSetup(f"the variant {name} is given twice")
        pairs[name] = value
    return pairs


def read_text(name: str, what: str = "record") -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise BadRecord(f"{name} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadRecord(f"{name} is not a {what}: it is not UTF-8 text") from None
