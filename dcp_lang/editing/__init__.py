"""What an editor shows and does, as pure functions over a compilation; every place is a character offset.

The language server and the local page are two thin layers above it.
"""
