"""From machines to tables, to the graph of all states, to what is wrong in it."""
