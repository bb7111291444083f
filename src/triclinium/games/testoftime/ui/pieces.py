"""Followers and shamans in words."""

from triclinium.engine.core.text import Message


def describe_pieces(followers: int, shamans: int) -> Message:
    """Return followers and shamans in words, without a kind that has none."""
    if shamans == 0:
        return Message("{0} {0:follower|followers}", followers)
    if followers == 0:
        return Message("{0} {0:shaman|shamans}", shamans)
    return Message("{0} {0:follower|followers} and {1} {1:shaman|shamans}", followers, shamans)
