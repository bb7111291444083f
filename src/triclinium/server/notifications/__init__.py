"""Notifications: the events that are worth a message, the time to send it, and the channels to people who are away."""
