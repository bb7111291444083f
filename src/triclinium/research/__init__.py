"""For who trains and measures: perfect recall, many matches at once, solvers, and other libraries' environments."""
