"""The actions of the rulebook, with one module for each action."""
