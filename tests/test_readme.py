"""Every console block of the README is what the command prints."""

import re
import shlex
from pathlib import Path

import pytest

from guts_sim.cli import main
from guts_sim.cli.app import app

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ python -m guts_sim ([^\n]+)\n(.*?)```", README, flags=re.DOTALL)


def test_readme_has_an_example_of_every_command():
    assert {shlex.split(line)[0] for line, _ in BLOCKS} == set(app.commands)


@pytest.mark.parametrize(("line", "printed"), BLOCKS, ids=[line for line, _ in BLOCKS])
def test_console_block_is_what_the_command_prints(line, printed, capsys):
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out == printed


def test_links_lead_somewhere():
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists(), target
