"""Benchmarks: this library against others, side by side in one run. Start with ``python -m benchmarks``."""
