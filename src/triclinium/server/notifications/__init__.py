"""Notifications: which events are worth a message, when it is due, and how it reaches somebody who is not here."""
