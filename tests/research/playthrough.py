"""Playthroughs: the data that OpenSpiel gets in one match of each game, line by line, to make changes visible.

    python -m tests.research.playthrough     # writes them again

OpenSpiel's own format prints every tensor of every player in every state, which takes megabytes for our games. These
files have the player, the action and a checksum of the player's observation, and sometimes one of the information
state.
"""

from pathlib import Path
from zlib import crc32

import pyspiel

from triclinium.engine.core.rng import Rng
from triclinium.research import openspiel

FOLDER = Path(__file__).parent / "playthroughs"
OFTEN = 50  # number of states between two information states, which need a replay
SEED = 12


def playthrough(id: str) -> str:
    """Return the lines of a random match with the fewest seats."""
    rules = openspiel.REGISTERED_GAMES[id]
    game = pyspiel.load_game(f"triclinium_{id}", {"players": rules.seats[0]})
    kind, rng, s = game.get_type(), Rng(SEED), game.new_initial_state()
    lines = [
        f"game: {game}",
        f"chance: {kind.chance_mode.name}, information: {kind.information.name}, utility: {kind.utility.name}",
        f"actions: {game.num_distinct_actions()}, chance outcomes: {game.max_chance_outcomes()}",
        f"longest: {game.max_game_length()}, tensor: {game.observation_tensor_shape()}",
        "",
    ]
    made = 0
    while not s.is_terminal():
        who = s.current_player()
        action = rng.pick(s.legal_actions())
        told = "" if who < 0 else f" of {len(s.legal_actions())}, sees {sum_of(s.observation_string(who))}"
        if who >= 0 and made % OFTEN == 0:
            told += f", knows {sum_of(s.information_state_string(who))}"
        lines.append(f"{made} {who}: {s.action_to_string(who, action)}{told}")
        s.apply_action(action)
        made += 1
    return "\n".join([*lines, "", f"returns: {[round(share, 3) for share in s.returns()]}", ""])


def sum_of(text: str) -> str:
    return f"{crc32(text.encode()):08x}"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for id in sorted(openspiel.REGISTERED_GAMES):
        (FOLDER / f"{id}.txt").write_text(playthrough(id), encoding="utf-8")


if __name__ == "__main__":
    main()
