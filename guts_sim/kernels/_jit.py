"""The one place that decides how functions are compiled.

``kernel``
    Entry points called from Python: they release the GIL (so blocks run on threads) and keep their
    machine code in a cache on disk.
``uncached``
    Entry points that are made while the program runs, and users' functions: compiled in memory.
``lean``
    Functions that only kernels call, that allocate nothing and return no array: scalar ones, loops over the
    lanes of some rows, and sequences of these. No references need counting, which would cost as much as a loop over
    256 lanes with every row that is handed over, and LLVM gets to optimise them once, as parts of the kernel, and
    not at every level of the calls.
``helper``
    Other functions that only kernels call, and loops over lanes so long that they are better optimised as functions
    of their own, where nothing else takes up registers.
``inlined``
    Helpers that allocate what they return, or are called once. They become part of their caller before anything
    is compiled.

numba makes machine code of every function it meets, callable from Python or not, and leads it through passes for
parts of Python that do not occur here. For helpers both are left out (`guts_sim.kernels._helper_compiler`), which
spares a third of a first run. How that is done is no part of numba's interface, so it is done only with versions it is
known to work with; with any other all is compiled as numba does by itself.

The cache lives in the folder of `guts_sim.kernels._store`, whose name holds a digest of the kernels' sources.
numba's own freshness test looks only at the file of the function itself, so without the digest a changed
helper in another file would leave stale machine code behind.
"""

import threading
from collections.abc import Callable
from typing import Any

import numba
import numba.core.caching
import numba.core.event
import numpy as np

from guts_sim.kernels._store import cache_folder

_KNOWN_FROM, _KNOWN_BEFORE = (0, 61), (0, 69)
if _KNOWN_FROM <= tuple(map(int, numba.__version__.split(".")[:2])) < _KNOWN_BEFORE:
    from guts_sim.kernels._helper_compiler import HelperCompiler, LeanCompiler

    _HELPER: dict[str, Any] = {"pipeline_class": HelperCompiler}
    _LEAN: dict[str, Any] = {"pipeline_class": LeanCompiler}
else:
    _HELPER = _LEAN = {}
_OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False, "boundscheck": False}
_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_CONFIG_LOCK = threading.Lock()
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


class _Compilations(numba.core.event.Listener):
    """Counts the compilations that are going on."""

    def __init__(self):
        self.n = 0

    def on_start(self, event):
        self.n += 1

    def on_end(self, event):
        self.n -= 1


_COMPILATIONS = _Compilations()
numba.core.event.register("numba:compile", _COMPILATIONS)


def is_compiling() -> bool:
    """Whether some function is being compiled now."""
    return _COMPILATIONS.n > 0


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
    dispatcher = numba.njit(no_cfunc_wrapper=True, **_OPTIONS)(function)
    if _CACHE_FOLDER is not None:
        _attach_cache(dispatcher)
    return dispatcher


def uncached(function: Callable[..., Any]) -> Any:
    """Compile a function, or a helper once more, with all that numba understands, in memory, for Python to call."""
    return numba.njit(**_OPTIONS)(getattr(function, "py_func", function))


def _once_per_type(dispatcher: Any) -> Any:
    """Compile a helper for types of arguments alone, where numba would do it again for every literal number."""
    if _HELPER and not numba.config.DISABLE_JIT:
        template = dispatcher.get_call_template
        dispatcher.get_call_template = lambda args, kws: template(
            [numba.types.unliteral(each) for each in args],
            {name: numba.types.unliteral(each) for name, each in kws.items()},
        )
    return dispatcher


def helper(function: Callable[..., Any]) -> Any:
    """Compile a function that only kernels call."""
    return _once_per_type(numba.njit(**_HELPER, **_NO_WRAPPERS, **_OPTIONS)(function))


def lean(function: Callable[..., Any]) -> Any:
    """Compile a helper that allocates nothing and returns no array."""
    return _once_per_type(numba.njit(**_LEAN, _nrt=False, **_NO_WRAPPERS, **_OPTIONS)(function))


def inlined(function: Callable[..., Any]) -> Any:
    """Make a function part of the kernels that call it."""
    return numba.njit(inline="always", **_OPTIONS)(function)
