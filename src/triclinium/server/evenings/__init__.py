"""Evenings: several rounds of friends at changing tables, with one code and one list of points."""
