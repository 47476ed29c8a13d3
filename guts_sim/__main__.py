"""``python -m guts_sim``."""

import sys

from guts_sim.cli import main

if __name__ == "__main__":
    sys.exit(main())
