"""Reproducibility check of learnt networks, bit for bit, from their training data (`make learn-check`).

    python -m triclinium.lab.learn.reproducibility [FOLDER ...]

Each folder is the output of `triclinium learn`, with the training data and the network. Without folders, every network
that ships with a game is made again from ``learnt/<game>/lessons.jsonl.gz``.
"""

import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from triclinium.bots.networks import NETWORK_VARIABLE, find_network_path, read_network
from triclinium.engine.core.errors import BadSetup
from triclinium.engine.registry import list_games, load_game
from triclinium.lab.learn.network_fit import fit_network
from triclinium.lab.learn.run import FIT_SEED_KEY, TRAINING_FILE, write_network_file
from triclinium.lab.learn.selfplay import read_training_matches
from triclinium.lab.learn.training_data import extract_decisions, list_verb_words

SHIPPED_FOLDER = Path("learnt")
COMPRESSED_DATA = f"{TRAINING_FILE}.gz"


def is_reproducible(file: Path, data_file: Path) -> bool:
    """Return whether the training data gives the same file again with the file's own command."""
    history = read_network(file).metadata
    game = load_game(history["game"])
    asked = re.search(r" --matches (\d+) .*--seed (\d+)", history["command"])
    training_matches = read_training_matches(data_file)
    if asked is None or any(number not in training_matches for number in range(int(asked[1]))):
        raise BadSetup(f"{data_file} does not contain the matches of {history['command']!r}")
    data = extract_decisions(game, [training_matches[number] for number in range(int(asked[1]))])
    fitted = fit_network(data, len(list_verb_words(game)), int(history.get(FIT_SEED_KEY, asked[2])))
    with TemporaryDirectory() as folder:
        rebuilt = write_network_file(Path(folder), history, fitted)
        return rebuilt.name == file.name and rebuilt.read_bytes() == file.read_bytes()


def find_file_pairs(folders: list[Path]) -> list[tuple[Path, Path]]:
    """Return network files, each with its training data."""
    if folders:
        return [
            (file, folder / TRAINING_FILE) for folder in folders for file in sorted(folder.glob("net-*.safetensors"))
        ]
    shipped = [(find_network_path(load_game(id)), SHIPPED_FOLDER / id / COMPRESSED_DATA) for id in list_games()]
    return [(file, data_file) for file, data_file in shipped if file is not None]


def main(folders: list[Path]) -> int:
    """Check every file and print the result. Return 1 if one cannot be reproduced."""
    file_pairs = find_file_pairs(folders)
    if not file_pairs:
        sys.stdout.write(
            f"There is nothing to check: no trained file is installed, or {NETWORK_VARIABLE} turns all of them off.\n"
        )
    bad = 0
    for file, data_file in file_pairs:
        same = is_reproducible(file, data_file)
        bad += not same
        sys.stdout.write(f"{file.name}: {'is reproduced exactly' if same else 'training gives a different file'}\n")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main([Path(one) for one in sys.argv[1:]]))
