"""A progress bar of one method, and its silent stand-in."""

import sys
import threading
from types import TracebackType
from typing import Protocol, Self

FIRST_RUN = "compiling for a first run"
_NOTICE_SECONDS = 1.5  # of waiting before it is said what for


class Progress(Protocol):
    """Counts what is done; a context manager that cleans up behind itself."""

    def advance(self, n: int) -> None:
        """Count ``n`` more."""

    def note(self, text: str) -> None:
        """Show a line of text."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...


class _Silent:
    def advance(self, n: int) -> None:
        pass

    def note(self, text: str) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass


class _TextBar:
    """Plain-text tqdm: it needs no widgets, so notebooks show it wherever they show text."""

    def __init__(self, total: int, unit: str, n_before: int) -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=total,
            initial=n_before,
            unit=f" {unit}",
            unit_scale=True,
            file=sys.stderr,
            leave=False,
            smoothing=0.01,  # some ten seconds count: with a shorter memory the forecast jumps by half, up and down
        )
        self._notice = threading.Timer(_NOTICE_SECONDS, self._say_what_for)
        self._notice.daemon = True
        self._notice.start()

    def _say_what_for(self) -> None:
        from guts_sim.kernels._jit import is_compiling

        if is_compiling():
            self._bar.set_description(FIRST_RUN)

    def _forget_notice(self) -> None:
        self._notice.cancel()
        if self._bar.desc:
            self._bar.set_description("", refresh=False)

    def advance(self, n: int) -> None:
        self._forget_notice()
        self._bar.update(n)

    def note(self, text: str) -> None:
        self._bar.write(text, file=sys.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._forget_notice()
        self._bar.close()


def progress_bar(total: int, show: bool | None = None, unit: str = "deals", n_before: int = 0) -> Progress:
    """Return a progress bar on standard error, or a silent stand-in.

    Parameters
    ----------
    total
        How much there is to do, in ``unit``.
    show
        None shows the bar only where standard error is a terminal, so that logs and pipes stay clean.
    unit
        What is counted.
    n_before
        What was done by an earlier run: it counts as done, but says nothing about how fast this one is.

    Returns
    -------
    Progress
        A context manager with ``advance(n)``.

    Examples
    --------
    >>> with progress_bar(100, show=False) as bar:
    ...     bar.advance(100)
    """
    if show is None:
        show = sys.stderr is not None and sys.stderr.isatty()
    return _TextBar(total, unit, n_before) if show else _Silent()
