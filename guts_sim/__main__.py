"""``python -m guts_sim``."""

from guts_sim.cli import console

if __name__ == "__main__":
    console()
