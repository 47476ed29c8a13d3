"""The folder on disk where compiled code and counted tables are kept; importing this compiles nothing.

The folder is the user's own and its name holds the package version and a digest of the sources of the kernels
and of the counting above them, so that nothing made by other code is ever read. Set ``GUTS_SIM_CACHE_DIR`` to
move it. Where no folder can be written, code is compiled and tables are counted again in every process.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import platformdirs
from numpy.typing import NDArray

from guts_sim._version import __version__


def source_digest() -> str:
    """Digest of every source file of the kernels and of exact counting, in name order."""
    digest = hashlib.sha256()
    kernels = Path(__file__).parent
    for path in [*sorted(kernels.glob("*.py")), *sorted((kernels.parent / "exact").glob("*.py"))]:
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Folder to keep things in, or None where none can be written (or the sources cannot be read)."""
    try:
        base = os.environ.get("GUTS_SIM_CACHE_DIR") or platformdirs.user_cache_dir("guts_sim", appauthor=False)
        folder = Path(base) / f"{__version__}-{source_digest()}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


_folder_of_this_process = cache(cache_folder)


def stored_table(name: str, count: Callable[[], NDArray[np.float64]]) -> NDArray[np.float64]:
    """Read the table ``name``; count it and keep it if it is not there or damaged.

    Loading a table takes milliseconds, loading compiled code and numba itself the better part of a second.
    """
    folder = _folder_of_this_process()
    if folder is None:
        return count()
    path = folder / f"{name}.npy"
    try:
        table: NDArray[np.float64] = np.load(path, allow_pickle=False)
        if table.dtype == np.float64 and np.isfinite(table).all():
            return table
    except (OSError, ValueError, EOFError):
        pass
    table = count()
    _keep(path, table)
    return table


def _keep(path: Path, table: NDArray[np.float64]) -> None:
    """Write the whole table or nothing; a folder that cannot be written to costs only time."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                np.save(file, table, allow_pickle=False)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError:
        pass
