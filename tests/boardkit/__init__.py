"""The board kit: parts out of views, and what is made of them."""
