"""The command line: ``python -m guts_sim`` and ``guts-sim``. It parses, calls a study and prints."""

from guts_sim.cli.app import main

__all__ = ["main"]
