"""Run the commands shown in README.md again and put what they print in their place."""

import contextlib
import io
import re
import shlex
from pathlib import Path

from guts_sim.cli import main

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"(```console\n\$ python -m guts_sim ([^\n]+)\n)(.*?)```", flags=re.DOTALL)


def printed_by(line: str) -> str:
    """Return what a command prints on standard output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = main(shlex.split(line))
    assert code == 0, line
    return output.getvalue()


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    README.write_text(BLOCK.sub(lambda m: m[1] + printed_by(m[2]) + "```", text), encoding="utf-8")
