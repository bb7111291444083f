"""Accounts: users, recovery, passkeys, visibility, bans, quotas and vacations."""
