"""What users get of an exploration: the graph with its findings and counts."""
