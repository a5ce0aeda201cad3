"""How bots are spoken to: the native protocol, and those of the courses."""
