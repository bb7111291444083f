"""The command ``triclinium ratings anchor``: measure the ratings of bots on the scale of the players' ratings."""

import argparse
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

from triclinium.cli import arguments
from triclinium.cli.ansi import ProgressBar
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.registry import list_games
from triclinium.lab.arena import ArenaMatch, Tournament, play_tournament
from triclinium.lab.ratings import rate_bots

FILE_HEADER = "# Ratings of the bots, measured in tournaments. `triclinium ratings anchor` writes this file.\n"


def anchor_command(args: argparse.Namespace) -> int:
    """Play a tournament for each game and write the bots' ratings to a file. Ratings of other games are kept."""
    tournaments = [_build_tournament(args, game_id) for game_id in args.games or list_games()]
    workers = arguments.parse_integer("--workers", args.workers)
    all_anchors: list[dict[str, Any]] = []
    for tournament in tournaments:
        bar = ProgressBar(sys.stderr, f"matches of {tournament.game_id}")
        played = list(play_tournament(tournament, workers, bar.show))
        bar.close()
        anchors = [_build_anchor(tournament, name, rating, played) for name, rating in rate_bots(played).items()]
        if args.out:  # written after each game, so that an interruption loses only the current one
            _write_anchors(Path(args.out), anchors)
        all_anchors += anchors
        if not args.json:
            print_text("\n".join(_format_anchor(anchor) for anchor in anchors))
    if args.json:
        print_json({"anchors": all_anchors})
    return 0


def _build_tournament(args: argparse.Namespace, game_id: str) -> Tournament:
    game = arguments.find_game(game_id, None)
    seats = arguments.parse_integer("--seats", args.seats) if args.seats else game.seats[0]
    matches, seed = arguments.parse_integer("--matches", args.matches), arguments.parse_seed(args.seed)
    return Tournament(game_id, tuple(arguments.split_names(args.bots)), matches, seats, seed)


def _format_anchor(anchor: dict[str, Any]) -> str:
    return f"{anchor['game']:14} {anchor['bot']:12} {anchor['mu']:6.2f} ±{anchor['sigma']:.2f}"


def _build_anchor(
    tournament: Tournament, name: str, rating: tuple[float, float], played: list[ArenaMatch]
) -> dict[str, Any]:
    return {
        "game": tournament.game_id,
        "bot": name.partition("@")[0],
        "budget": name.partition("@")[2],
        "version": version("triclinium"),
        "seats": tournament.seats,
        "matches": sum(name in match.bots for match in played),
        "mu": round(rating[0], 2),
        "sigma": round(rating[1], 2),
    }


def _write_anchors(path: Path, anchors: list[dict[str, Any]]) -> None:
    """Write these ratings to the file, replacing those of the same games."""
    before = tomllib.loads(path.read_text(encoding="utf-8"))["anchor"] if path.exists() else []
    game_ids = {anchor["game"] for anchor in anchors}
    merged = [anchor for anchor in before if anchor["game"] not in game_ids] + anchors
    tables = [
        "[[anchor]]\n" + "".join(f"{key} = {_format_toml_value(value)}\n" for key, value in anchor.items())
        for anchor in merged
    ]
    path.write_text("\n".join([FILE_HEADER, *tables]), encoding="utf-8")


def _format_toml_value(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
