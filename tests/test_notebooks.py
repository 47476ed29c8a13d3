"""The notebooks use the public names alone, hold the outputs of a clean run, and run."""

import ast
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import guts_sim as gs

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MAX_BYTES = 600_000
LIBRARIES = {"numpy", "pandas", "matplotlib", "ipywidgets", "IPython"} | sys.stdlib_module_names
MACHINE_PATH = re.compile(r"/(?:home|tmp|work|root|Users|opt|usr|var)/|[A-Z]:\\\\")

REFRESHER = importlib.util.spec_from_file_location("refresh_notebooks", ROOT / "docs" / "refresh_notebooks.py")
refresh_notebooks = importlib.util.module_from_spec(REFRESHER)
REFRESHER.loader.exec_module(refresh_notebooks)

by_name = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(path):
    return [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def syntax_tree(path):
    return ast.parse("\n".join("".join(cell["source"]) for cell in code_cells(path)))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 8


@by_name
def test_imports_the_library_as_a_whole(path):
    for node in ast.walk(syntax_tree(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.module.split(".")[0] in LIBRARIES
        elif isinstance(node, ast.Import):
            for name in node.names:
                assert (name.name, name.asname) == ("guts_sim", "gs") or name.name.split(".")[0] in LIBRARIES


@by_name
def test_uses_public_names_alone(path):
    used = {
        node.attr
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "gs"
    }
    assert used
    assert used <= set(gs.__all__)


@by_name
def test_first_cell_chooses_the_size_of_the_samples(path):
    assert "GUTS_SIM_QUICK" in "".join(code_cells(path)[0]["source"])


@by_name
def test_asserts_its_key_numbers(path):
    assert sum(isinstance(node, ast.Assert) for node in ast.walk(syntax_tree(path))) >= 3


@by_name
def test_stores_the_outputs_of_one_clean_run(path):
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert all(output["output_type"] != "error" and output.get("name") != "stderr" for output in outputs)
    assert any("image/png" in output.get("data", {}) for output in outputs)
    texts = [text for output in outputs for kind, text in output.get("data", {}).items() if kind != "image/png"]
    texts += [output["text"] for output in outputs if "text" in output]
    for text in texts:
        assert not MACHINE_PATH.search("".join(text))
        assert "Warning" not in "".join(text)
        assert " at 0x" not in "".join(text)  # a place in memory, another one in every run


@by_name
def test_is_small(path):
    assert path.stat().st_size < MAX_BYTES


def written(folder, *sources):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    path = folder / "cells.ipynb"
    nbformat.write(notebook, path)
    return path


def test_a_notebook_that_warns_is_not_stored(tmp_path):
    path = written(tmp_path, "import warnings", "warnings.warn('old way')")
    with pytest.raises(RuntimeError, match=r"cells\.ipynb writes to standard error.*old way"):
        refresh_notebooks.execute(path)


def test_progress_without_ipywidgets_is_a_line_of_text(tmp_path):
    """Some kernels have no ipywidgets; a bar of text must do, with no warning and no error."""
    sources = [
        "import sys, warnings\nsys.modules['ipywidgets'] = None\nwarnings.simplefilter('error')",
        "import guts_sim as gs\n"
        "r = gs.odds('7s 6s 5s', n_players=5, method='mc', deals=3_000_000, seed=1, progress=True)\nr.n",
    ]
    notebook = nbformat.read(written(tmp_path, *sources), as_version=4)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(ROOT)}})
    outputs = refresh_notebooks.outputs_of(client.execute())
    (answer,) = [output["data"]["text/plain"] for output in outputs if output["output_type"] == "execute_result"]
    assert answer == "3000000"
    texts = [output["text"] for output in outputs if output.get("name") == "stderr"]
    assert len(texts) >= 1  # the bar
    assert not re.search("warning|ipywidgets|IProgress|Error", " ".join(texts), flags=re.IGNORECASE)


@pytest.mark.slow
@by_name
def test_runs(path):
    command = [sys.executable, str(ROOT / "docs" / "refresh_notebooks.py"), "--check", path.name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-4000:]


SLIDERS = """
import ipywidgets
every = ipywidgets.widgets.widget._instances
sliders = [w for w in every.values() if isinstance(w, ipywidgets.SelectionSlider)]
answers = [w for w in every.values() if isinstance(w, ipywidgets.Output)]
{s.description: len(s.options) for s in sliders}
"""
MOVES = """
import time
seconds = []
for slider in sliders:
    for value in (slider.options[0], slider.options[-1]):
        start = time.perf_counter()
        slider.value = value
        seconds.append(time.perf_counter() - start)
sorted(seconds)[len(seconds) // 2]
"""
FAILURES = "[o for w in answers for o in w.outputs if o['output_type'] == 'error' or o.get('name') == 'stderr']"
CHARTS = "[sum('image/png' in o.get('data', {}) for o in w.outputs) for w in answers]"


@pytest.mark.alone
def test_sliders_redraw_the_charts_at_once(monkeypatch):
    """With ipywidgets every slider is moved to both ends; an answer replaces the one before, without an error."""
    monkeypatch.delenv("GUTS_SIM_QUICK", raising=False)
    notebook = nbformat.read(ROOT / "notebooks" / "10_explore.ipynb", as_version=4)
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in (SLIDERS, MOVES, FAILURES, CHARTS)]
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT / "notebooks")}})
    cells = client.execute().cells[-4:]
    found, median, failures, charts = [ast.literal_eval(cell.outputs[0]["data"]["text/plain"]) for cell in cells]
    assert {"n_players", "cards", "cap", "field", "share"} <= set(found)
    assert median < 0.5
    assert failures == []
    assert charts == [1, 1, 1]


def test_a_chart_keeps_its_size_beside_pyplot(tmp_path):
    """Importing pyplot gives IPython a way of its own to draw figures, at twice the size."""
    path = written(tmp_path, "import matplotlib.pyplot\nimport guts_sim as gs", "gs.threshold(5).plot()")
    (shown,) = refresh_notebooks.outputs_of(refresh_notebooks.execute(path))
    assert "Chart" in shown["data"]["text/plain"]
    size = shown["metadata"]["image/png"]
    assert (size["width"], size["height"]) == (720, 460)
