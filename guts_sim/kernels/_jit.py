"""The one place that decides how functions are compiled.

``kernel``
    Entry points called from Python: they release the GIL (so blocks run on threads) and keep their
    machine code in a cache on disk.
``helper``
    Functions that only kernels call. They are compiled into their callers and need no cache.

The cache lives in a folder of the user's own whose name holds the package version and a digest of
the kernels' sources. numba's own freshness test looks only at the file of the function itself, so
without the digest a changed helper in another file would leave stale machine code behind. Set
``GUTS_SIM_CACHE_DIR`` to move the folder; where no folder can be written, code is compiled in memory.
"""

import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numba.core.caching
import numpy as np
import platformdirs

from guts_sim._version import __version__

_OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False, "boundscheck": False}
_CONFIG_LOCK = threading.Lock()


def source_digest() -> str:
    """Digest of every source file in this folder, in name order."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Folder for machine code, or None where none can be written (or the sources cannot be read)."""
    try:
        base = os.environ.get("GUTS_SIM_CACHE_DIR") or platformdirs.user_cache_dir("guts_sim", appauthor=False)
        folder = Path(base) / f"{__version__}-{source_digest()}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


_CACHE_FOLDER = None if numba.config.DISABLE_JIT else cache_folder()


class _ForgivingCache(numba.core.caching.FunctionCache):
    """A cache on disk whose damage costs a compilation and never an error.

    Truncated, foreign or vanished files count as absent; a full disk or a folder that has become
    read-only means that the code stays in memory.
    """

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            self._discard()
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except Exception:
            self._discard()

    def _discard(self):
        try:
            self.flush()
        except Exception:
            self.disable()


def _attach_cache(dispatcher: Any) -> None:
    """Give a dispatcher a cache in our folder, leaving the user's numba configuration as it was."""
    with _CONFIG_LOCK:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(_CACHE_FOLDER)
        try:
            dispatcher._cache = _ForgivingCache(dispatcher.py_func)
        except (OSError, RuntimeError):
            pass  # sources inside a zip file, or a numba without a usable locator: compile in memory
        finally:
            numba.config.CACHE_DIR = before


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an entry point that Python calls; its machine code is kept on disk."""
    if numba.config.DISABLE_JIT:
        # Compiled code wraps round and divides by zero silently; NumPy's scalars warn unless told not to.
        return np.errstate(all="ignore")(function)
    dispatcher = numba.njit(**_OPTIONS)(function)
    if _CACHE_FOLDER is not None:
        _attach_cache(dispatcher)
    return dispatcher


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call."""
    return numba.njit(**_OPTIONS)(function)
