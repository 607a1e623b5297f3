"""The real loop: asks chat models, runs tools, asks the user; what is decided is decided in turn/."""
