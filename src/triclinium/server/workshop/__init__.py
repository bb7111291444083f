"""The workshop: people's editions of games, and studies of them with bots."""
