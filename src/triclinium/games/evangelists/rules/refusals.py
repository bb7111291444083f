"""Numbered rules that can refuse an option, in the rulebook's order."""

from typing import Final

from triclinium.engine.core.rule import Rule

# 1 Set-up
CITY_TAKEN: Final = Rule("AE-1.12", "another pawn is already there")
COLOUR_TAKEN: Final = Rule("AE-R34", "that colour is already taken")

# 2 The turn
TOO_FEW_OCTAGONS: Final = Rule("AE-2.3", "it costs {0} {0:octagon|octagons} and you have {1}")
TRAVEL_ONCE: Final = Rule("AE-2.7", "you have already travelled this turn")
REARRANGE_ONCE: Final = Rule("AE-2.7", "you have already rearranged this turn")
BOAT_ONCE: Final = Rule("AE-2.7", "you have already sailed this turn")
TRADITION_ONCE: Final = Rule("AE-2.7", "you have already taken traditions in {0:place} this turn")
INTERVIEW_ONCE: Final = Rule(
    "AE-2.7", "you can interview {0:witness} only once in the whole match, and you already have"
)

# 4 Travel
WITHIN_TWO: Final = Rule("AE-4.1", "a weak Travel covers one or two spaces, and {0:place} is {1} away")
ONLY_CITIES: Final = Rule("AE-4.2", "a strong Travel ends in a city, and {0:place} is not one")
ONE_SPACE: Final = Rule("AE-4.3", "following a Travel moves you one space, and {0:place} is {1} away")
MUST_MOVE: Final = Rule("AE-R8", "a Travel must end on another space than the one where it began")

# 5 Boat
TURN_IS_OVER: Final = Rule("AE-2.5", "the turn ends with the last octagon; the boat sails before it")
NO_BOAT: Final = Rule("AE-5.1", "there is no boat where your pawn is")
BOAT_REACH: Final = Rule("AE-5.1", "a boat sails one or two spaces, and {0:place} is {1} away")
BOAT_STAYS: Final = Rule("AE-R5", "a boat ride ends in another city")
BOAT_STRANDED: Final = Rule("AE-R5", "a boat ride ends in a city, and {0:place} is not one")
BOAT_THERE: Final = Rule("AE-5.3", "{0:place} already has a boat")
NOT_NEAREST: Final = Rule("AE-5.3", "a city without a boat is nearer: {0:place} is {1} away, the nearest {2}")

# 6 Tradition
NOT_IN_CITY: Final = Rule("AE-6.1", "your pawn is not in a city")
BOX_EMPTY: Final = Rule("AE-R15", "the box of {0:place} is empty")
NO_ROOM: Final = Rule("AE-R15", "your gospel has no empty slot")
SECOND_COSTS: Final = Rule("AE-6.3", "the second card costs one more octagon, and you have none left")
SECOND_ROOM: Final = Rule("AE-R16", "the second card needs a second empty slot")
SLOT_TAKEN: Final = Rule("AE-6.4", "that slot already holds a card")

# 7 Interview
NO_CITY_NO_WITNESS: Final = Rule("AE-7.1", "your pawn is not in a city, so no witness is there")
PILE_EMPTY: Final = Rule("AE-7.1", "there is no interview card of {0:witness} left")
STRONG_COSTS: Final = Rule("AE-7.6", "a strong Interview costs one more octagon, and you have none left")

# 8 Rearrange
NOTHING_TO_ARRANGE: Final = Rule("AE-R12", "your gospel has no card yet")
AT_LEAST_ONE: Final = Rule("AE-R36", "you must make at least one step first")
WEAK_IS_ONE: Final = Rule("AE-8.1", "a weak Rearrange is one step, and you have not made it yet")
EMPTY_LEAF: Final = Rule("AE-R36", "that leaf is empty, there is nothing to flip")
SAME_POSITION: Final = Rule("AE-8.1", "the leaf is already there")
