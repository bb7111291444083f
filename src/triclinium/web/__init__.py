"""The pages: templates, styles and one small script."""
