"""What is shown of a table: page and API are fed by what is made here, and by nothing else.

Two rules keep secrets in: the decision is spelt out only to the seat that is asked, and whatever else is computed from
the state is computed from what the viewer knows, or from worlds that it cannot tell from the true one.
"""
