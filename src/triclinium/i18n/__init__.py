"""Translation catalogues: gettext .po files, read as text. Translators need no code."""
