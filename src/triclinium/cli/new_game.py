"""The command `triclinium new-game`: the folder of a new game, with a complete small game to change, and its tests."""

import argparse
import keyword
import re
import shlex
import sys
from pathlib import Path
from string import ascii_lowercase

import triclinium.author
from triclinium.cli.streams import print_json, print_text
from triclinium.engine import registry
from triclinium.engine.core.errors import BadSetup

SKELETON = Path(triclinium.author.__file__).parent / "skeleton"
FILES = {  # the files of the skeleton, and their names in the new folder
    "pyproject.toml.txt": "pyproject.toml",
    "game.py.txt": "{id}/__init__.py",
    "about.toml.txt": "{id}/data/about.toml",
    "test.py.txt": "test_{id}.py",
}
NAME_PATTERN = r"[a-z][a-z0-9_]*[a-z0-9]"


def new_game_command(args: argparse.Namespace) -> int:
    """Write the folder of a new game, and print how to test and play it."""
    check_name(args.name)
    folder = Path(args.output or args.name)
    if folder.exists():
        raise BadSetup(f"{folder} exists already; choose another folder with --output")
    written = []
    for source, name in FILES.items():
        path = folder / name.format(id=args.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rename_game((SKELETON / source).read_text(encoding="utf-8"), args.name), encoding="utf-8")
        written.append(path)
    if args.json:
        print_json({"id": args.name, "folder": str(folder), "files": [str(path) for path in written]})
    else:
        print_text("\n".join([*(f"wrote {path}" for path in written), "", *list_next_commands(args.name, folder)]))
    return 0


def check_name(name: str) -> None:
    """Raise BadSetup if a game cannot have this id."""
    if not re.fullmatch(NAME_PATTERN, name) or keyword.iskeyword(name):
        raise BadSetup(f"{name!r} cannot be the id of a game; use at least two lower-case letters, digits and _")
    if name in registry.list_games():
        raise BadSetup(f"there is already a game {name!r}; choose another id")
    if name in sys.stdlib_module_names or name == "triclinium":
        raise BadSetup(f"Python already has a module {name!r}; choose another id")


def rename_game(text: str, name: str) -> str:
    """Return the text of a skeleton file with Nim renamed to another id."""
    words = [word for word in name.split("_") if word]
    class_name = "".join(word.capitalize() for word in words)
    prefix = choose_prefix(words)
    text = re.sub(r"\bNI-", f"{prefix}-", text).replace('"NI"', f'"{prefix}"')
    text = text.replace('"Nim"', f'"{" ".join(words).capitalize()}"')
    return re.sub(r"(?<![a-z])nim\b", name, re.sub(r"\bNim(?=[A-Z]|\b)", class_name, text))


def choose_prefix(words: list[str]) -> str:
    """Return two letters for the rule numbers that no installed game uses."""
    taken = {registry.load_game(id).prefix for id in registry.list_games()}
    seconds = [word[0] for word in words[1:]] + list("".join(words)[1:]) + list(ascii_lowercase)
    return next(prefix for letter in seconds if (prefix := f"{words[0][0]}{letter}".upper()) not in taken)


def list_next_commands(name: str, folder: Path) -> list[str]:
    """Return the commands that test, install and play the new game."""
    python = shlex.quote(sys.executable)
    return [
        "Next commands:",
        f"  {python} -m pip install -e {shlex.quote(str(folder))}",
        f"  {python} -m pytest {shlex.quote(str(folder))}",
        f"  triclinium play {name} --bots greedy",
    ]
