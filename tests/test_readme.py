"""What the README and the documentation say: console blocks, examples, links and names of files."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from guts_sim.cli import main
from guts_sim.cli.app import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ python -m guts_sim ([^\n]+)\n(.*?)```", README, flags=re.DOTALL)


def test_readme_has_an_example_of_every_command():
    assert {shlex.split(line)[0] for line, _ in BLOCKS} == set(app.commands)


@pytest.mark.parametrize(("line", "printed"), BLOCKS, ids=[line for line, _ in BLOCKS])
def test_console_block_is_what_the_command_prints(line, printed, capsys):
    assert main(shlex.split(line)) == 0
    assert capsys.readouterr().out == printed


TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# Where a file may lie that a text names, as in `strategy/text.py`.
FOLDERS = [ROOT, ROOT / "guts_sim", ROOT / "guts_sim" / "kernels"]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_links_lead_somewhere(text):
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", text.read_text(encoding="utf-8")):
        assert (text.parent / target).exists(), target


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_modules_that_are_named_exist(text):
    for name in re.findall(r"`([\w/]+(?:\.py|/))`", text.read_text(encoding="utf-8")):
        assert any((folder / name).exists() for folder in FOLDERS), name


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_examples_in_the_documentation_run(text):
    assert doctest.testfile(str(text), module_relative=False).failed == 0
