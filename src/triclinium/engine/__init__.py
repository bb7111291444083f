"""The kernel: knows no title, no web, no clock."""
