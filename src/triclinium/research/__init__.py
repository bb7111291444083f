"""For training and measuring: perfect recall, many matches at once, solvers, and other libraries' environments."""
