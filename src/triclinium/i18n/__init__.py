"""Languages: catalogues as gettext .po files, read as text. Whoever translates writes no code."""
