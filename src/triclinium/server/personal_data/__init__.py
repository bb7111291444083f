"""What the server does with everything it stores about a person: export, merge and delete it."""
