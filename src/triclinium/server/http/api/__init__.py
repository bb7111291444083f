"""Routes of the JSON API, one module per subject."""
