"""The rules engine, which does not depend on any particular game, on the web or on the clock."""
