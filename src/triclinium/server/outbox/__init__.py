"""Notifications that wait to be sent: their kinds, the queue, and the schedule."""
