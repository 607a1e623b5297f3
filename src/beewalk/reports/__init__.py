"""One document, many renderers: terminal, JSON, pictures."""
