"""Event types of Test of Time with their sentences for the log.

A sentence names a Testament by its kind, its owner and, if another could be meant, its space as the last fact. *Pieces*
are followers and shamans packed in one fact, as in the state; as ``dead`` they are the pieces that die. *Seats* are
several seats in one fact, as a mask.
"""

from typing import Final

from triclinium.engine.core.event import BOOKKEEPING, IMPORTANT, TURNING_POINT, WHO, EventType

# Rounds (TT-2, TT-14.3)
ROUND_BEGUN: Final = EventType("round", "Round {0} begins with {who}.", begins_round=True)
MERCY: Final = EventType(
    "mercy",
    "{who} receives {0} {0:follower|followers} out of mercy.",
    target_fact=WHO,
    to_target="You receive {0} {0:follower|followers} out of mercy.",
)
PASSED: Final = EventType("passes", "{who} passes.", weight=BOOKKEEPING)

# Moves (TT-4 to TT-10)
CREATES: Final = EventType("creates", "{who} starts to create {0:kind} on space {1} with {2:pieces}.")
PRESERVES: Final = EventType("preserves", "{who} preserves {0:kind} on space {1} with {2:pieces}.")
SIRES: Final = EventType("sires", "{who} sires a follower with {0:pieces}.")
SIRES_SHAMAN: Final = EventType("sires_shaman", "{who} sires a shaman with {0:pieces}.")
CONVERTS: Final = EventType(
    "converts",
    "{who} converts a follower of {0:seat} with {1:pieces}.",
    weight=IMPORTANT,
    target_fact=0,
    to_target="{who} converts one of your followers with {1:pieces}.",
)
ATTACKS: Final = EventType(
    "attacks",
    "{who} attacks {0:kind} of {1:seat} on space {3} with {2:pieces}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="{who} attacks your {0:kind} on space {3} with {2:pieces}.",
)
DEFENDS: Final = EventType("defends", "{who} defends {0:kind} on space {2} with {1:pieces}.")

# Reverse Time (TT-11)
REVERSES: Final = EventType(
    "reverses",
    "{who} reverses {2} {2:round|rounds} of {0:kind} of {1:seat} on space {4}; {3} {3:shaman dies|shamans die}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="{who} reverses {2} {2:round|rounds} of your {0:kind} on space {4}; {3} {3:shaman dies|shamans die}.",
)
MENDS: Final = EventType("mends", "In round {1}, {who} has {0:kind} preserved after all, with {2:pieces}.")
SPOILS_MORE: Final = EventType(
    "spoils_more",
    "In round {2}, {who} spoils the preservation of {0:kind} of {1:seat} too.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="In round {2}, {who} spoils the preservation of your {0:kind} too.",
)
SPOILS: Final = EventType(
    "spoils",
    "In round {2}, {who} spoils the preservation of {0:kind} of {1:seat}, with {3:pieces}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="In round {2}, {who} spoils the preservation of your {0:kind}, with {3:pieces}.",
)
COVERS: Final = EventType(
    "covers", "In round {1}, {who} defends {0:kind} and saves {2} {2:section|sections}, with {3:pieces}."
)
PAST_DEAD: Final = EventType("past_dead", "{0} {0:follower dies|followers die} defending the past.")
RETURNED: Final = EventType(
    "returned",
    "Back in the present {0:kind} of {1:seat} shows {3} {3:section|sections} instead of {2}.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="Back in the present, your {0:kind}: {3} {3:section|sections} instead of {2}.",
)
RETURNED_SAME: Final = EventType(
    "returned_same",
    "Back in the present {0:kind} of {1:seat} still shows {2} {2:section|sections}.",
    target_fact=1,
    to_target="Back in the present, your {0:kind}: still {2} {2:section|sections}.",
)
RETURNED_BURIED: Final = EventType(
    "returned_buried",
    "Back in the present {0:kind} of {1:seat} is buried.",
    weight=TURNING_POINT,
    target_fact=1,
    to_target="Back in the present, your {0:kind}: buried.",
)

# End of a round (TT-12)
MEETS: Final = EventType(
    "meets",
    "{who} has the defenders of {0:kind} on space {3} meet {2} {2:follower|followers} of {1:seat}.",
    target_fact=1,
    to_target="{who} has the defenders of {0:kind} on space {3} meet {2} of your {2:follower|followers}.",
)
FELL: Final = EventType(
    "fell",
    "{who} loses {0} {0:follower|followers} in the fight for {1:kind} of {2:seat} on space {3}.",
    weight=IMPORTANT,
    target_fact=WHO,
    to_target="You lose {0} {0:follower|followers} in the fight for {1:kind} of {2:seat} on space {3}.",
)
KEPT: Final = EventType("kept", "{0:kind} of {1:seat} on space {5}: preserved.", weight=BOOKKEEPING)
DECAYED: Final = EventType(
    "aged",
    "{0:kind} of {1:seat} on space {5}: decayed, {2} {2:section|sections} left.",
    target_fact=1,
    to_target="Your {0:kind} on space {5}: decayed, {2} {2:section|sections} left.",
)
STRUCK: Final = EventType(
    "struck",
    "{0:kind} of {1:seat} on space {5}: {3} {3:section|sections} lost to {4:seats}, {2} left.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="Your {0:kind} on space {5}: {3} {3:section|sections} lost to {4:seats}, {2} left.",
)
STRUCK_AND_DECAYED: Final = EventType(
    "struck_and_decayed",
    "{0:kind} of {1:seat} on space {5}: {3} {3:section|sections} lost to {4:seats} and decayed, {2} left.",
    weight=IMPORTANT,
    target_fact=1,
    to_target="Your {0:kind} on space {5}: {3} {3:section|sections} lost to {4:seats} and decayed, {2} left.",
)
BURIED: Final = EventType(
    "buried",
    "{0:kind} of {1:seat} on space {5}: buried.",
    weight=TURNING_POINT,
    target_fact=1,
    to_target="Your {0:kind} on space {5}: buried.",
)
BURIED_BY: Final = EventType(
    "buried_by",
    "{0:kind} of {1:seat} on space {5}: {3} {3:section|sections} lost to {4:seats} and buried.",
    weight=TURNING_POINT,
    target_fact=1,
    to_target="Your {0:kind} on space {5}: {3} {3:section|sections} lost to {4:seats} and buried.",
)
CREATED: Final = EventType("created", "{who} has created {0:kind} on space {1}; {2:dead}.", weight=IMPORTANT)
PARENTS: Final = EventType("parents", "The new shaman of {who} comes home; {0:dead}.")

# End of the match (TT-13)
OVER: Final = EventType("over", "The last round is over.", weight=TURNING_POINT)
SCORED: Final = EventType(
    "scored",
    "{0:kind} of {1:seat}: {2} gold {2:dot|dots} in {3} {3:round|rounds} make {4} {4:point|points}.",
    weight=IMPORTANT,
)
EVEN: Final = EventType("even", "Equal points: {who} has {0} {0:shaman|shamans} in play.", weight=IMPORTANT)
