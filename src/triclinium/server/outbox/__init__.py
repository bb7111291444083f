"""Notifications that wait to be sent: their kinds, the queue, and when each is due."""
