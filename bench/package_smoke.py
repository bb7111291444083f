"""Smoke test of an installed package: play, serve, study and research. It runs in an environment without the sources.

``python -m bench.packages`` starts this program with the Python of a new environment, in an empty folder.
"""

import argparse
import json
import random
import subprocess
import sys
import urllib.request
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

GAMES = ["evangelists", "ierusalem", "missionnaires", "portals", "testoftime"]
SECONDS = 600  # limit for one command


def run(*words: str, said: str = "") -> str:
    """Run the command `triclinium` of this environment and return its output."""
    command = [str(Path(sys.executable).parent / "triclinium"), *words]
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, f"{' '.join(words)} ends with {done.returncode}: {done.stderr[-2000:]}"
    return done.stdout


def check_build(compiled: bool) -> None:
    """Check that the installed package is imported, and that it is compiled or pure as expected."""
    engine = import_module("triclinium.engine.core.state")
    assert Path(str(engine.__file__)).is_relative_to(sys.prefix), engine.__file__
    assert import_module("triclinium.engine.build_info").is_compiled() == compiled
    assert run("--version") == f"triclinium {version('triclinium')}\n"


def check_play() -> None:
    """Play, save and replay a match in the terminal, simulate each game, and write a new game."""
    assert sorted(game["id"] for game in json.loads(run("games", "--json"))["games"]) == GAMES
    run("play", "portals", "--seats", "2", "--seed", "7", said="1\n1\nsave match.rec\nquit\n")
    assert json.loads(run("replay", "match.rec", "--json"))["moves"]
    for game in GAMES:
        assert json.loads(run("simulate", game, "--matches", "1", "--seed", "1", "--json"))["played"] == 1
    run("new-game", "nim")


def request(address: str, body: object = None, token: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    return urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=SECONDS)


def check_serve() -> None:
    """Start a server, open its pages, and play a whole match against a bot over the API."""
    command = [sys.executable, "-I", "-m", "triclinium", "serve", "--port", "0", "--no-browser", "--bot-pause", "0"]
    server = subprocess.Popen(
        [*command, "--database", "sqlite:///smoke.db"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        first = server.stdout.readline()
        assert first.startswith("Triclinium is open at "), first + str(server.stderr and server.stderr.read())
        address = first.split()[4].rstrip("/")
        for page in ("/", "/new?game=ierusalem", "/rules/portals", "/rules/portals/components"):
            text = request(f"{address}{page}").read().decode()
            assert "</html>" in text, page
        play_over_api(f"{address}/api/v1")
    finally:
        server.terminate()
        server.wait(SECONDS)


def play_over_api(api: str) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    opened = json.load(request(f"{api}/tables", {"game": "evangelists", "player": "Smoke", "seats": seats}))
    table, token, rng = f"{api}/tables/{opened['table']['id']}", opened["token"], random.Random(1)
    for line in request(f"{table}/events", token=token):
        if line.startswith(b"data: ") and b'"version"' in line:
            news = json.loads(line[6:])
            if news["status"] == "over":
                break
            if "options" in news:
                move = {"option": rng.choice(news["options"]), "version": news["version"]}
                request(f"{table}/move", move, token)
    assert len(json.load(request(table, token=token))["points"]) == len(seats)


def check_study() -> None:
    """Run a small study, write its report and its table, and run an arena."""
    run(
        *("study", "portals", "--seats", "2", "--bots", "random", "--also", "", "--matches", "40", "--looks", "1"),
        *("--seed", "3", "--workers", "2", "--to", "study", "--csv", "study.csv"),
    )
    assert "</html>" in Path("study/report.html").read_text(encoding="utf-8")
    assert Path("study.csv").read_text(encoding="utf-8").count("\n") > 10
    run("arena", "portals", "--bots", "greedy,random", "--matches", "4", "--seed", "1", "--out", "arena")


def check_research() -> None:
    """Play an episode of each environment, and a batch."""
    gymnasium, numpy = import_module("gymnasium"), import_module("numpy")
    import_module("triclinium.research.gymnasium")
    rng = random.Random(2)
    single = gymnasium.make("triclinium/Evangelists-2-v0", rivals="greedy")
    _, info = single.reset(seed=1)
    over = False
    while not over:
        _, _, ended, cut, info = single.step(rng.choice(list(info["legal"])))
        over = ended or cut
    several = import_module("triclinium.research.pettingzoo").env("evangelists", seats=3)
    several.reset(seed=1)
    turns = 0
    for _ in several.agent_iter():
        seen, _, ended, cut, _ = several.last()
        legal = [option for option, allowed in enumerate(seen["action_mask"]) if allowed]
        several.step(None if ended or cut else rng.choice(legal))
        turns += 1
    assert turns > 10
    batches = import_module("triclinium.research.batch")
    batch = batches.Batch("evangelists", seats=2, n=8, seed=1)
    for _ in range(200):
        batch.step(batches.draw_options(*batch.options(), numpy.random.default_rng(1)))
    assert batch.deal_count > 8


def main() -> int:
    """Run all checks and print one line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiled", action="store_true", help="the package is the compiled one")
    compiled = parser.parse_args().compiled
    check_build(compiled)
    for name, check in (("play", check_play), ("serve", check_serve), ("study", check_study)):
        check()
        sys.stdout.write(f"{name} passed\n")
        sys.stdout.flush()
    check_research()
    sys.stdout.write("research passed\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
