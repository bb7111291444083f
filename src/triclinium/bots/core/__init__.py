"""The compiled core of the search bots."""
