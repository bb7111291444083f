"""The routes of the pages, one module for each subject."""
