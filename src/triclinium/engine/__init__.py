"""The rules engine. It knows no particular game, no web and no clock."""
