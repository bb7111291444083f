"""The Acts of the Evangelists."""

from triclinium.titles.evangelists.title import TITLE

__all__ = ["TITLE"]
