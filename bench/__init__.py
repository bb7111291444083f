"""Measurements that can be repeated: of the running server, of bots, and of the pages."""
