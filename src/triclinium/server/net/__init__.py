"""Connections: protocol limits, trusted hosts, client addresses, rate limits and reachability."""
