"""Whether a learnt file comes of its lessons once more, bit for bit: what `make learn-check` asks.

    python -m triclinium.lab.learn.reproducibility [FOLDER ...]

Each folder is one that `triclinium learn` has left, with the lessons and the file. Without any, every file that a game
ships is made again from ``learnt/<game>/lessons.jsonl.gz``.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from triclinium.bots.networks import VARIABLE, net_path, read_net
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.registry import find_game, titles
from triclinium.lab.learn.network_fit import fit
from triclinium.lab.learn.run import FITTED, LESSONS, write_file
from triclinium.lab.learn.selfplay import read_lessons
from triclinium.lab.learn.training_data import decisions_of, verbs_of

SHIPPED = Path("learnt")
PACKED = f"{LESSONS}.gz"


def comes_again(file: Path, lessons: Path) -> bool:
    """Learn from the lessons what the file's own command says, and compare every byte."""
    told = read_net(file).told
    game = find_game(told["title"])
    asked = re.search(r" --matches (\d+) .*--seed (\d+)", told["command"])
    kept = read_lessons(lessons)
    if asked is None or any(number not in kept for number in range(int(asked[1]))):
        raise BadSetup(f"{lessons} does not hold the matches of {told['command']!r}")
    data = decisions_of(game, [kept[number] for number in range(int(asked[1]))])
    fitted = fit(data, len(verbs_of(game)), int(told.get(FITTED, asked[2])))
    with TemporaryDirectory() as folder:
        again = write_file(Path(folder), told, fitted)
        return again.name == file.name and again.read_bytes() == file.read_bytes()


def pairs(folders: list[Path]) -> list[tuple[Path, Path]]:
    """Files, each with the lessons that it was learnt from."""
    if folders:
        return [(file, folder / LESSONS) for folder in folders for file in sorted(folder.glob("net-*.safetensors"))]
    shipped = [(net_path(find_game(id)), SHIPPED / id / PACKED) for id in titles()]
    return [(file, lessons) for file, lessons in shipped if file is not None]


def main(folders: list[Path]) -> int:
    """Say of each file whether it comes again; 1 if one does not."""
    found = pairs(folders)
    if not found:
        sys.stdout.write(f"There is nothing to check: no file was learnt, or {VARIABLE} switches it off.\n")
    bad = 0
    for file, lessons in found:
        same = comes_again(file, lessons)
        bad += not same
        sys.stdout.write(f"{file.name}: {'comes again bit for bit' if same else 'another file comes of its lessons'}\n")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main([Path(one) for one in sys.argv[1:]]))
