"""``triclinium ratings anchor``: where bots stand on the scale of people's ratings, measured by the arena."""

import argparse
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from triclinium.cli import arguments
from triclinium.cli.ansi import Bar
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.registry import titles
from triclinium.lab.arena import ArenaMatch, Tournament, arena_matches
from triclinium.lab.ratings import rate

HEAD = "# How strong the bots are, as the arena has measured it: `triclinium ratings anchor` writes this file.\n"


def anchor_command(args: argparse.Namespace) -> int:
    """Let the bots of each game meet; write what is believed of each into a file, beside those of other games."""
    asked = [_tournament(args, title) for title in args.titles or titles()]
    workers = arguments.whole("--workers", args.workers)
    told: list[dict[str, Any]] = []
    for tournament in asked:
        bar = Bar(sys.stderr, f"matches of {tournament.title}")
        played = list(arena_matches(tournament, workers, bar.show))
        bar.close()
        found = [_anchor(tournament, name, rating, played) for name, rating in rate(played).items()]
        if args.out:  # game after game: who stops it keeps those that are done
            _write(Path(args.out), found)
        told += found
        if not args.json:
            print_text("\n".join(_line(one) for one in found))
    if args.json:
        print_json({"anchors": told})
    return 0


def _tournament(args: argparse.Namespace, title: str) -> Tournament:
    game = arguments.find_game(title, None)
    seats = arguments.whole("--seats", args.seats) if args.seats else game.seats[0]
    matches, seed = arguments.whole("--matches", args.matches), arguments.seed(args.seed)
    return Tournament(title, tuple(arguments.names(args.bots)), matches, seats, seed)


def _line(one: dict[str, Any]) -> str:
    return f"{one['title']:14} {one['bot']:12} {one['mu']:6.2f} ±{one['sigma']:.2f}"


def _anchor(tournament: Tournament, name: str, rating: tuple[float, float], played: list[ArenaMatch]) -> dict[str, Any]:
    return {
        "title": tournament.title,
        "bot": name.partition("@")[0],
        "budget": name.partition("@")[2],
        "version": version("triclinium"),
        "seats": tournament.seats,
        "matches": sum(name in one.bots for one in played),
        "mu": round(rating[0], 2),
        "sigma": round(rating[1], 2),
    }


def _write(path: Path, found: list[dict[str, Any]]) -> None:
    """The file with these in the place of those of the same game."""
    before = tomllib.loads(path.read_text(encoding="utf-8"))["anchor"] if path.exists() else []
    titles = {one["title"] for one in found}
    told = [one for one in before if one["title"] not in titles] + found
    tables = ["[[anchor]]\n" + "".join(f"{key} = {_said(value)}\n" for key, value in one.items()) for one in told]
    path.write_text("\n".join([HEAD, *tables]), encoding="utf-8")


def _said(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
