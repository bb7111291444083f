"""Tables: opened, sat down at, played at, talked at."""
