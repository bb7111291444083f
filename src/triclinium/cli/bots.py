"""``triclinium bots``: who plays, and in which games they have learnt something."""

import argparse

from triclinium.bots.networks import GATE, TRUST, VARIABLE, Learnt, found_for
from triclinium.bots.registry import kinds, learners
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.registry import find_game, titles
from triclinium.lab.text_table import columns


def bots_command(args: argparse.Namespace) -> int:
    """The bots, the weakest first, and of each game what its bots have learnt and what that has won."""
    learnt = {id: found_for(find_game(id)) for id in titles()}
    if args.json:
        print_json({"bots": [_bot(name) for name in kinds()], "networks": {id: _net(learnt[id]) for id in learnt}})
        return 0
    rows = [["bot", "how it chooses", "learns"]]
    rows += [[name, kind.how.text, "yes" if kind.learns else "-"] for name, kind in kinds().items()]
    parts = [columns(rows, left=3)]
    if any(one.name for one in learnt.values()):
        rows = [["game", "network", "used by", "what it won, or why it is not used"]]
        for id, one in learnt.items():
            users = ", ".join(_users(one)) or "-"
            rows += [[id, one.used or one.name or "-", users, line] for line in _lines(one)]
        parts.append(columns(rows, left=4))
        parts.append(f"NAME+plain plays without it, {VARIABLE}=off leaves it out, --net {TRUST}0.5 counts half of it")
    else:
        parts.append("no game's bots have learnt anything; `triclinium learn` lets them")
    print_text("\n\n".join(parts))
    return 0


def _bot(name: str) -> dict[str, object]:
    kind = kinds()[name]
    return {"name": name, "how": kind.how.text, "learns": kind.learns}


def _won(one: Learnt) -> dict[str, str]:
    told = {} if one.file is None else one.file.told
    return {name.removeprefix(GATE): said for name, said in told.items() if name.startswith(GATE)}


def _users(one: Learnt) -> list[str]:
    return [name for name in learners() if one.serves(name)]


def _net(one: Learnt) -> dict[str, object] | None:
    if not one.name:
        return None
    return {"file": one.name, "bots": _users(one), "trust": one.trust, "why": one.why, "won": _won(one)}


def _lines(one: Learnt) -> list[str]:
    if one.why:
        return [f"not used: {one.why}"]
    return [f"{name}: {said}" for name, said in _won(one).items()] or ["-"]
