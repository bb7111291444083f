"""Being told: what is worth a message, when it is due, and the ways by which it reaches somebody who is not here."""
