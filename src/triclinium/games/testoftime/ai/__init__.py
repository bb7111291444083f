"""What a bot looks at: compiled."""
