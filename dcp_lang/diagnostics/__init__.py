"""One value per finding, one registry of codes, several renderers."""

#: The output formats, which `formats` writes.
FORMAT_NAMES = ("text", "json", "sarif", "github", "markdown")
