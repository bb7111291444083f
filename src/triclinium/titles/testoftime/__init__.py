"""Test of Time."""

from triclinium.titles.testoftime.title import TITLE

__all__ = ["TITLE"]
