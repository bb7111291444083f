"""What rules are made of and what moves them: compiled."""
