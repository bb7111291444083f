"""Presentation of tables: the data that pages and the API show.

Two rules protect secrets. Only the seat that has to decide sees its options. All other data is computed from what the
viewer knows, or from possible worlds that the viewer cannot tell from the real one.
"""
