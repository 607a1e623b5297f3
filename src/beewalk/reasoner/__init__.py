"""From rules to one request, or a dead end, with who decided what."""
