"""A local page to write registrations on: the same checks as the command line, as you type."""
