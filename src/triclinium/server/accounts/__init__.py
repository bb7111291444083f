"""Accounts: users, recovery, passkeys, visibility, bans, deletion and vacation."""
