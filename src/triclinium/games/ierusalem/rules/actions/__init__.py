"""The actions of the rulebook, one file each."""
