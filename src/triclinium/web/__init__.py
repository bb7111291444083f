"""The web pages of the server: routes, templates, styles and scripts."""
