"""What people see: the view, its sentences, the board."""
