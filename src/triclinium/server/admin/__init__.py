"""What whoever runs a house does to it from the command line, while it is open or closed."""
