"""One turn of the loop as a pure function, and the values that go in and out of it."""
