"""Who plays the language model: scripts, functions, dice; live ones are kept out of tests."""
