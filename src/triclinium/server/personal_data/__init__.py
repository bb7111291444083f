"""Personal data: export, merging and deletion of everything that the server stores about a person."""
