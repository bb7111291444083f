"""The rules machine: knows no game, no web, no clock."""
