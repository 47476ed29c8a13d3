"""Writing files so that they are always the old one or the new one, never half."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_temporaries: set[Path] = set()


def write_text(target: Path, text: str) -> None:
    """Write UTF-8 text so that the file is always the old one or the new one, never half."""
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary file beside ``target`` and rename it over ``target`` when the block succeeds."""
    temporary = temporary_beside(target)
    try:
        yield temporary
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        _temporaries.discard(temporary)


def temporary_beside(target: Path) -> Path:
    """Make an empty file in the folder of ``target``."""
    # A short name of its own: the target's, with something added, could be too long.
    handle, name = tempfile.mkstemp(prefix=".guts_sim-", dir=target.parent)
    os.close(handle)
    _temporaries.add(Path(name))
    return Path(name)


def remove_temporaries() -> None:
    """Remove the files that are being written, for a process that ends at once."""
    for temporary in list(_temporaries):
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
