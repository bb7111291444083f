"""Lists of options, made once. A list of options is never changed, so decisions that offer the same can share it."""

from typing import Final

from triclinium.engine.core.shared_rows import every_choice
from triclinium.games.testoftime.rules.components import BUILD, CREATE, KIND_COUNT, ON, PASS, SHAMANS, SPOIL

EVERY: Final = list(range(SPOIL + 1))  # what options there are; slices of it list numbers from one to another
NO_SHAMANS: Final = [SHAMANS]
MOVES_AND_PASS: Final = every_choice(list(range(CREATE, PASS)), [PASS])
SPACES: Final = every_choice(list(range(ON, BUILD)), [])
KINDS_TO_BUILD: Final = every_choice(list(range(BUILD, BUILD + KIND_COUNT)), [])
