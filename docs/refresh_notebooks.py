"""Execute the notebooks and store their outputs.

``python docs/refresh_notebooks.py [--check] [NAME ...]``, by default all of them. With ``--check`` nothing is stored:
they only have to run. GUTS_SIM_QUICK=1 in the environment makes samples small; do not store the outputs of such a run.
"""

import argparse
import base64
import io
import os
import re
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from PIL import Image

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
TIMEOUT = 600  # seconds for one cell; far more than any needs
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
COLOURS = 128  # of a stored chart: a third of the size, and no visible difference


def execute(path: Path) -> Any:
    """Return the notebook with the outputs of a fresh run, every cell in order; a cell that fails or warns raises."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=TIMEOUT, record_timing=False, resources={"metadata": {"path": str(path.parent)}}
    )
    executed = client.execute()
    complaints = [output.text for output in outputs_of(executed) if output.get("name") == "stderr"]
    if complaints:
        raise RuntimeError(f"{path.name} writes to standard error: {' '.join(complaints)}")
    return executed


def outputs_of(notebook: Any) -> list[Any]:
    """All outputs of all cells."""
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def small_png(text: str) -> str:
    """Return a PNG, in base 64, with a palette."""
    stream = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(text))) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    return base64.b64encode(stream.getvalue()).decode()


def store(path: Path, notebook: Any) -> None:
    """Write an executed notebook back without what changes from run to run."""
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    for output in outputs_of(notebook):
        data = output.get("data", {})
        if "image/png" in data:
            data["image/png"] = small_png(data["image/png"])
        if "text/plain" in data:
            data["text/plain"] = ADDRESS.sub("", data["text/plain"])
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true", help="store nothing")
    arguments = parser.parse_args()
    os.environ["GUTS_SIM_STORED"] = "1"  # sliders cannot be stored
    for name in arguments.names or sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")):
        start = time.perf_counter()
        executed = execute(NOTEBOOKS / name)
        if not arguments.check:
            store(NOTEBOOKS / name, executed)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
