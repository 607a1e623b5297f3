"""Benchmarks: ratios against a peer, measured in one run."""
