"""Practice: exercises made from mistakes in a person's own matches."""
