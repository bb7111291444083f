"""Lists of options, made once. A list of options is never changed, so decisions that offer the same can share it."""

from typing import Final

from triclinium.engine.core.shared_rows import options_by_mask
from triclinium.games.testoftime.rules.components import BUILD, CREATE, KIND_COUNT, ON, PASS, SHAMANS, SPOIL

ALL_OPTIONS: Final = list(range(SPOIL + 1))  # what options there are; slices of it list numbers from one to another
NO_SHAMANS: Final = [SHAMANS]
MOVE_OPTIONS: Final = options_by_mask(list(range(CREATE, PASS)), [PASS])
SPACE_OPTIONS: Final = options_by_mask(list(range(ON, BUILD)), [])
KIND_OPTIONS: Final = options_by_mask(list(range(BUILD, BUILD + KIND_COUNT)), [])
