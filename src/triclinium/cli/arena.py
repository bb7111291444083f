"""The command ``triclinium arena``: play matches between bots, rate the bots and keep every record."""

import argparse
import json
import sys
import time
from pathlib import Path

from triclinium.cli import arguments
from triclinium.cli.ansi import ProgressBar
from triclinium.cli.streams import INTERRUPTED, print_error, print_json, print_text
from triclinium.lab.arena import ArenaMatch, Tournament, play_tournament
from triclinium.lab.arena_chart import draw_arena_chart
from triclinium.lab.ratings import build_arena_report
from triclinium.lab.report import format_arena


def arena_command(args: argparse.Namespace) -> int:
    """Play a tournament between bots, and write a chart and all records to a folder."""
    game = arguments.find_game(args.game, args.components)
    seats = arguments.parse_integer("--seats", args.seats) if args.seats else game.seats[0]
    variants = tuple(arguments.parse_pairs(args.variant).items())
    seed = arguments.parse_seed(args.seed)
    tournament = Tournament(
        args.game,
        tuple(arguments.split_names(args.bots)),
        arguments.parse_integer("--matches", args.matches),
        seats,
        seed,
        variants,
        args.components,
    )
    folder = Path(args.out or f"arena-{game.id}-{seed}")
    bar = ProgressBar(sys.stderr, "matches")
    began = time.monotonic()
    played: list[ArenaMatch] = []
    try:
        for arena_match in play_tournament(tournament, arguments.parse_integer("--workers", args.workers), bar.show):
            played.append(arena_match)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{arena_match.number:05d}.txt").write_text(arena_match.record, encoding="utf-8")
    except KeyboardInterrupt:
        if not played:
            raise
    bar.close()
    report = build_arena_report(tournament, played, time.monotonic() - began)
    (folder / "arena.json").write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    (folder / "arena.svg").write_text(draw_arena_chart(report), encoding="utf-8")
    if args.json:
        print_json({**report, "folder": str(folder)})
    else:
        print_text(format_arena(report))
        print_text(f"\nrecords, arena.json and arena.svg are in {folder}")
    if report["interrupted"]:
        return print_error(f"interrupted after {len(played)} of {tournament.matches} matches", INTERRUPTED)
    return 0
