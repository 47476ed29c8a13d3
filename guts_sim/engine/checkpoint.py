"""Files from which an interrupted run is taken up again, with the same digest as if it had not been interrupted.

A file is a line that says what it is, with the SHA-256 of the rest, and one JSON object: whose run it is and the sums
over its finished blocks. It is written to a temporary file and renamed, so that there is a whole one at every moment;
a copy of the one before is kept beside it as ``NAME.previous``. Nothing in it is ever executed.
"""

import base64
import hashlib
import json
import os
import shutil
import time
import warnings
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from guts_sim._version import __version__
from guts_sim.checks import shown
from guts_sim.engine.seeds import resolve_seed
from guts_sim.engine.sums import State, Sums
from guts_sim.errors import InputError
from guts_sim.files import replacing, temporary_beside, write_text

SAVE_SECONDS = 5.0  # a crash costs at most as much work; writing takes a few hundredths of a second
_MAGIC = "guts_sim checkpoint 1 "
_DTYPES = ("<i8", "<f8")

CheckpointPath = str | os.PathLike[str] | None
"""Name of a checkpoint as users give it; None for none."""


class Damaged(Exception):
    """The file is a checkpoint, but not as it was written."""


class Checkpoint:
    """One file for one run, which may consist of several parts done one after another.

    Parameters
    ----------
    path : Path
        Where the file lies or will lie.
    owner : mapping
        Whose run it is, as plain JSON: ``command``, ``rules``, ``parameters``, ``seed``. The package's version is
        added. A file of another owner is refused.

    Raises
    ------
    InputError
        The file is another run's or no checkpoint, no good one is left, or no file can be made there.
    """

    def __init__(self, path: Path, owner: Mapping[str, Any]) -> None:
        self.path = path
        self._previous = path.with_name(path.name + ".previous")
        self._owner = {"version": __version__} | json.loads(json.dumps(owner))
        self._saved_at = time.monotonic()
        _check_writable(path)
        found, self._keep_previous = _newest_good(path, self._previous)
        self._parts: dict[str, State] = {}
        if found is not None:
            _check_owner(path, found["owner"], self._owner)
            self._parts = found["parts"]

    def restore(self, part: str, sums: Sums, n_deals: int) -> None:
        """Take up the sums of a part, if there are any and they are more than ``sums`` has.

        Raises
        ------
        InputError
            There are more deals in the file than asked for.
        """
        state = self._parts.get(part)
        if state is None or state["n"] <= sums.n_whole:
            return
        if state["n"] > n_deals:
            raise InputError(
                f"{self.path}: it holds {state['n']:,} already, more than the {n_deals:,} asked for; ask for more or"
                " give another file"
            )
        try:
            sums.restore(state["sums"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{self.path}: its sums do not fit this run ({error}); give another file") from None

    def save_now_and_then(self, part: str, sums: Sums) -> None:
        """Write the sums, unless that was done a moment ago."""
        if time.monotonic() - self._saved_at >= SAVE_SECONDS:
            self.save(part, sums)

    def save(self, part: str, sums: Sums) -> None:
        """Write the sums, and keep the file before."""
        if part in self._parts and self._parts[part]["n"] == sums.n_whole and self.path.exists():
            return
        self._parts[part] = {"n": sums.n_whole, "sums": sums.state()}
        text = _encoded({"owner": self._owner, "parts": self._parts})
        # A damaged file must not take the place of the good one before it.
        if self._keep_previous:
            self._keep_previous = False
        elif self.path.exists():
            with replacing(self._previous) as temporary:
                shutil.copyfile(self.path, temporary)
        write_text(self.path, text)
        self._saved_at = time.monotonic()


def recorded_seed(path: Path) -> int | None:
    """Seed of the run that a checkpoint belongs to; None if there is none that can be read."""
    try:
        found, _ = _newest_good(path, path.with_name(path.name + ".previous"), quiet=True)
    except InputError:
        return None
    seed = found["owner"].get("seed") if found else None
    return seed if isinstance(seed, int) else None


def seed_to_use(seed: int | None, checkpoint: CheckpointPath) -> int:
    """Return the seed given; without one that of the run in the checkpoint, or a drawn one."""
    if seed is None and checkpoint is not None:
        seed = recorded_seed(checkpoint_path(checkpoint))
    return resolve_seed(seed)


def checkpoint_path(path: object) -> Path:
    """Return the name of a file as a user gave it, or refuse what is none."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise InputError(f"checkpoint: {shown(path)} is no name of a file")
    return Path(os.fsdecode(path))


def _check_writable(path: Path) -> None:
    try:
        with suppress(FileNotFoundError):
            path.lstat()  # a name that can be none
        if path.is_dir():
            raise InputError(f"{path}: it is a folder; give the name of a file")
        if not path.parent.is_dir():
            raise InputError(f"{path}: there is no folder {path.parent} to write to")
        temporary_beside(path).unlink()
    except InputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else "no name of a file"
        raise InputError(f"{shown(str(path))}: cannot be written: {reason}; choose another file") from None


def _newest_good(path: Path, previous: Path, quiet: bool = False) -> tuple[dict[str, Any] | None, bool]:
    """Content of the file, or else of the one before; and whether the file is damaged."""
    try:
        found = _read(path)
    except Damaged as damage:
        older = None
        if previous.exists():
            try:
                older = _read(previous)
            except Damaged as second:
                raise InputError(f"{path}: {damage}, and {previous.name}: {second}; remove both") from None
        if older is None:
            raise InputError(f"{path}: {damage}; remove it or give another file") from None
        if not quiet:
            warnings.warn(f"{path}: {damage}; going on from {previous.name}", RuntimeWarning, stacklevel=2)
        return older, True
    return found, False


def _read(path: Path) -> dict[str, Any] | None:
    """Content of a checkpoint; None if there is no file."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else "no name of a file"
        raise InputError(f"{shown(str(path))}: cannot be read: {reason}; give another file") from None
    head, _, body = data.partition(b"\n")
    magic = _MAGIC.encode()
    if not head.startswith(magic) and not magic.startswith(head):
        raise Damaged("it is no checkpoint of this version, or damaged")
    if head.removeprefix(magic) != hashlib.sha256(body).hexdigest().encode():
        raise Damaged("it is damaged (its checksum does not fit)")
    try:
        content = _decoded(json.loads(body))
        if not isinstance(content["owner"], dict) or not isinstance(content["parts"], dict):
            raise TypeError
        return dict(content)
    except (KeyError, TypeError, ValueError, RecursionError, zlib.error):
        raise Damaged("it is damaged") from None


def _encoded(content: Mapping[str, Any]) -> str:
    body = json.dumps(content, default=_encoded_array, separators=(",", ":"))
    return f"{_MAGIC}{hashlib.sha256(body.encode()).hexdigest()}\n{body}"


def _encoded_array(array: Any) -> dict[str, Any]:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"no array: {array!r}")
    if array.dtype == object:  # integers of any size
        return {"integers": array.ravel().tolist(), "shape": array.shape}
    little = array.astype(array.dtype.newbyteorder("<"))
    packed = zlib.compress(little.tobytes(), 1)
    return {"array": base64.b64encode(packed).decode(), "dtype": little.dtype.str, "shape": array.shape}


def _decoded(data: Any) -> Any:
    """Put arrays in the place of their descriptions."""
    if isinstance(data, list):
        return [_decoded(item) for item in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {"integers", "shape"}:
        integers = np.empty(len(data["integers"]), object)
        integers[:] = [int(value) for value in data["integers"]]
        return integers.reshape(data["shape"])
    if data.keys() == {"array", "dtype", "shape"}:
        if data["dtype"] not in _DTYPES:
            raise ValueError("unknown kind of array")
        raw = zlib.decompress(base64.b64decode(data["array"]))
        return np.frombuffer(raw, data["dtype"]).astype(data["dtype"][1:]).reshape(data["shape"])
    return {key: _decoded(value) for key, value in data.items()}


def _check_owner(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse the file of another run, and say in what it differs."""
    difference = _difference(found, wanted)
    if difference is not None:
        name, there, here = difference
        raise InputError(
            f"{path}: it belongs to a run with {name} {shown(there)}, this one has {shown(here)}; give another file"
        )


def _difference(found: Any, wanted: Any, name: str = "") -> tuple[str, Any, Any] | None:
    """First place where two plain objects differ: its name, and what is there and here."""
    if not isinstance(found, Mapping) or not isinstance(wanted, Mapping):
        return None if found == wanted else (name, found, wanted)
    for key in [*wanted, *found]:
        if key not in found or key not in wanted:
            return f"{name} {key}".strip(), found.get(key), wanted.get(key)
        deeper = _difference(found[key], wanted[key], f"{name} {key}".strip())
        if deeper is not None:
            return deeper
    return None
