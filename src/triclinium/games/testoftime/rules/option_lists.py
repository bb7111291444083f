"""Shared lists of options. Lists of options are never modified, so decisions with the same options share them."""

from typing import Final

from triclinium.engine.core.shared_rows import options_by_mask
from triclinium.games.testoftime.rules.components import BUILD, CREATE, KIND_COUNT, ON, PASS, SHAMANS, SPOIL

ALL_OPTIONS: Final = list(range(SPOIL + 1))  # all options; slices of this list give a range of numbers
NO_SHAMANS: Final = [SHAMANS]
MOVE_OPTIONS: Final = options_by_mask(list(range(CREATE, PASS)), [PASS])
SPACE_OPTIONS: Final = options_by_mask(list(range(ON, BUILD)), [])
KIND_OPTIONS: Final = options_by_mask(list(range(BUILD, BUILD + KIND_COUNT)), [])
