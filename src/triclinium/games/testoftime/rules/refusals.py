"""Numbered rules of Test of Time that can forbid an option."""

from typing import Final

from triclinium.engine.core.rule import Rule

# Paying with pieces
TOO_FEW_FOLLOWERS: Final = Rule(
    "TT-3.3", "with {0} {0:shaman|shamans} it takes {1} {1:follower|followers}, and you have {2} waiting"
)
PAYERS_WAIT: Final = Rule("TT-3.3", "only waiting pieces pay: you have {0} {0:shaman|shamans} waiting")
SUPERFLUOUS_SHAMAN: Final = Rule("TT-3.3", "{0} {0:shaman|shamans} would be too many: fewer already pay the {1}")

# Create
NO_SPACE: Final = Rule("TT-4.1", "each of your spaces holds a standing Testament or one being created")
SPACE_STANDS: Final = Rule("TT-4.1", "a standing Testament holds space {0}")
SPACE_TAKEN: Final = Rule("TT-4.1", "a Testament is being created on space {0}")
CREATE_COST: Final = Rule("TT-4.2", "you need pieces worth {0} followers, and those waiting are worth {1}")

# Preserve
NOTHING_STANDS: Final = Rule("TT-5.1", "you have no standing Testament")
NOT_STANDING: Final = Rule("TT-5.1", "there is no standing Testament on space {0}")
ALL_PRESERVED: Final = Rule("TT-5.1", "all your standing Testaments are preserved this round")
PRESERVED_ALREADY: Final = Rule("TT-5.1", "the Testament on space {0} is already preserved this round")
PRESERVE_COST: Final = Rule("TT-5.2", "you need pieces worth {0} followers, and those waiting are worth {1}")

# Sire, Sire Shaman
SIRE_ZONES_USED: Final = Rule("TT-6.1", "all {0} Sire zones are used this round")
SIRE_COST: Final = Rule("TT-6.1", "you need pieces worth {0} followers, and those waiting are worth {1}")
NO_FOLLOWER_LEFT: Final = Rule("TT-6.2", "your supply is empty: all {0} followers are in play")
SHAMAN_ZONES_USED: Final = Rule("TT-7.1", "all {0} Sire Shaman zones are used this round")
SIRE_SHAMAN_COST: Final = Rule("TT-7.1", "you need pieces worth {0} followers, and those waiting are worth {1}")
NO_SHAMAN_LEFT: Final = Rule("TT-7.2", "your supply is empty: all {0} shamans are in play")

# Convert
NO_TEMPLE: Final = Rule("TT-8.1", "you have no standing Temple")
CONVERT_ZONE_USED: Final = Rule("TT-8.1", "your Convert zone is used this round")
CONVERT_COST: Final = Rule("TT-8.2", "you need pieces worth {0} followers, and those waiting are worth {1}")
NOBODY_TO_CONVERT: Final = Rule("TT-8.3", "no rival has a waiting follower")
NOT_FROM_ONESELF: Final = Rule("TT-8.3", "you can convert only a rival’s follower")
RIVAL_HAS_NONE: Final = Rule("TT-8.3", "that rival has no waiting follower")
CONVERT_LIMIT: Final = Rule("TT-8.4", "you have {0} followers in play, the most there can be")

# Attack
NO_TARGET: Final = Rule("TT-9.1", "no rival has a standing Testament")
NOT_ONES_OWN: Final = Rule("TT-9.1", "that space is your own: you can attack only rivals")
NOTHING_TO_ATTACK: Final = Rule("TT-9.1", "there is no standing Testament there")
ATTACK_WITH_ONE: Final = Rule("TT-9.2", "an attack takes at least one piece")
ATTACKERS_WAIT: Final = Rule("TT-9.2", "only waiting pieces attack: you have {0} of these waiting")
NOT_YET_CREATED: Final = Rule("TT-9.4", "the Testament there is still being created")

# Defend
NOT_ATTACKED: Final = Rule("TT-10.1", "none of your Testaments faces an attack stronger than its defence")
NOTHING_TO_DEFEND: Final = Rule("TT-10.1", "there is no standing Testament on space {0}")
NOBODY_ATTACKS: Final = Rule("TT-10.1", "no one attacks the Testament on space {0}")
COVERED: Final = Rule("TT-10.1", "on space {0} an attack of {1} meets a defence of {2}")
DEFEND_WITH_ONE: Final = Rule("TT-10.3", "a defence takes at least one piece")
DEFENDERS_WAIT: Final = Rule("TT-10.3", "only waiting pieces defend: you have {0} of these waiting")
SUPERFLUOUS_DEFENDER: Final = Rule("TT-10.3", "fewer defenders are enough: {0} of the attack {0:is|are} uncovered")

# Division of the defenders
TOO_MANY_MET: Final = Rule("TT-12.2", "your defenders can meet at most {0} of that player’s followers")
TOO_FEW_MET: Final = Rule(
    "TT-12.2",
    "your defenders must meet at least {0} of that player’s followers, because the other attackers are too few",
)

# Reverse Time
NOTHING_TO_REVERSE: Final = Rule("TT-11.1", "none of the Testaments that you may choose has existed for a round")
NO_TESTAMENT: Final = Rule("TT-11.1", "no Testament is there")
NO_PAST: Final = Rule("TT-11.1", "that Testament has not existed for a round yet")
BUILT_OVER: Final = Rule("TT-11.1", "a Testament is being created on that space")
RIVAL_BURIED: Final = Rule("TT-11.1", "a rival’s buried Testament cannot be chosen")
NO_SHAMAN_WAITS: Final = Rule("TT-11.2", "no shaman of yours is waiting")
NOT_SO_OLD: Final = Rule("TT-11.2", "that Testament has existed for {0} {0:round|rounds} only")
TOO_FEW_SHAMANS: Final = Rule(
    "TT-11.2", "{0} {0:round costs|rounds cost} {1} {1:shaman|shamans}, and you have {2} waiting"
)
PAST_DEFENDERS_WAIT: Final = Rule("TT-11.6", "only waiting pieces defend: you have {0} of these waiting")
PAST_SUPERFLUOUS: Final = Rule(
    "TT-11.6", "fewer defenders are enough: attackers took {0} {0:section|sections} in that round"
)
NOT_ONES_TO_MEND: Final = Rule("TT-R13", "only the owner can repair the past of a Testament")
ATTACKS_MADE: Final = Rule("TT-14.5", "at this table, a player may attack at most {0} {0:time|times} a round")
NOT_HOSTILE: Final = Rule("TT-14.2", "at this table, you can reverse only your own past")
