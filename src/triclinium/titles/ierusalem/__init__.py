"""Ierusalem: Anno Domini."""

from triclinium.titles.ierusalem.title import TITLE

__all__ = ["TITLE"]
