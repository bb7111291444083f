"""Synchronization of servers that share one database."""
