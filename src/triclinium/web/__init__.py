"""The web pages of the server: routes, templates, styles and scripts."""

from triclinium.engine.extras import require_extra

require_extra("web", "triclinium.web", "fastapi", "jinja2")
