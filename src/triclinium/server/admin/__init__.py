"""Commands for the operator of a server, which may be running or stopped."""
