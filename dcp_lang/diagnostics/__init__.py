"""One value per finding, one registry of codes, several renderers."""
