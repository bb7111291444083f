"""The command ``triclinium bots``: list the bots and their ranking networks."""

import argparse

from triclinium.bots.networks import GATE_PREFIX, NETWORK_VARIABLE, TRUST_PREFIX, LoadedNetwork, load_network
from triclinium.bots.registry import list_learning_bots, load_bot_classes
from triclinium.cli.streams import print_json, print_text
from triclinium.engine.registry import list_games, load_game
from triclinium.lab.text_table import format_table


def bots_command(args: argparse.Namespace) -> int:
    """Print the bots, the weakest first, and the network of each game with its acceptance tests."""
    learnt = {id: load_network(load_game(id)) for id in list_games()}
    if args.json:
        print_json(
            {
                "bots": [_build_bot_json(name) for name in load_bot_classes()],
                "networks": {id: _build_network_json(learnt[id]) for id in learnt},
            }
        )
        return 0
    rows = [["bot", "description", "trained"]]
    rows += [
        [name, kind.description.text, "yes" if kind.uses_network else "-"] for name, kind in load_bot_classes().items()
    ]
    parts = [format_table(rows, left_columns=3)]
    if any(network.name for network in learnt.values()):
        rows = [["game", "network", "used by", "acceptance tests, or reason for rejection"]]
        for id, network in learnt.items():
            users = ", ".join(_list_users(network)) or "-"
            rows += [[id, network.label or network.name or "-", users, line] for line in _describe_network(network)]
        parts.append(format_table(rows, left_columns=4))
        parts.append(
            f"NAME+plain and {NETWORK_VARIABLE}=off play without the network, "
            f"--net {TRUST_PREFIX}0.5 halves its corrections"
        )
    else:
        parts.append("no game has a trained network; `triclinium learn` makes one")
    print_text("\n\n".join(parts))
    return 0


def _build_bot_json(name: str) -> dict[str, object]:
    kind = load_bot_classes()[name]
    return {"name": name, "how": kind.description.text, "learns": kind.uses_network}


def _list_acceptance_results(network: LoadedNetwork) -> dict[str, str]:
    history = {} if network.file is None else network.file.metadata
    return {name.removeprefix(GATE_PREFIX): result for name, result in history.items() if name.startswith(GATE_PREFIX)}


def _list_users(network: LoadedNetwork) -> list[str]:
    return [name for name in list_learning_bots() if network.is_used_by(name)]


def _build_network_json(network: LoadedNetwork) -> dict[str, object] | None:
    if not network.name:
        return None
    return {
        "file": network.name,
        "bots": _list_users(network),
        "trust": network.trust,
        "why": network.rejection,
        "won": _list_acceptance_results(network),
    }


def _describe_network(network: LoadedNetwork) -> list[str]:
    if network.rejection:
        return [f"not used: {network.rejection}"]
    return [f"{name}: {result}" for name, result in _list_acceptance_results(network).items()] or ["-"]
