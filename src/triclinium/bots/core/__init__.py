"""What a search spends its time in: compiled."""
