"""How bots learn: matches of search with itself, a ranker fitted to what it found, and a gate before it is shipped."""
