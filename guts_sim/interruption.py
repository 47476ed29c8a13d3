"""Ctrl-C that is heard at once, whatever the program is doing.

Python answers Ctrl-C between two instructions of its main thread. A kernel being compiled, a linear programme or a
block of deals is one instruction, which may take ten seconds. So functions that may take long work on a thread of
their own, and the main thread does nothing but wait; when Ctrl-C comes, it gives the work a moment to end in good order
and then goes on without it.

An import is never struck: half of one could not be taken up again, and all later calls would fail.
"""

import atexit
import contextvars
import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from math import inf
from types import FrameType
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Returned = TypeVar("Returned")
Hook = Callable[["sys.UnraisableHookArgs"], object]

PATIENCE_SECONDS = 1.2  # from Ctrl-C until work that has nothing to show for it is left alone
SUMMARY_SECONDS = 10.0  # the same if there is a partial result, which is being put together
BLOCK_PATIENCE_SECONDS = 0.8  # from Ctrl-C until blocks that are still running are given up
EXIT_SECONDS = 15.0  # that the end of a program waits for a kernel that is being compiled
THREAD_NAMES = "guts_sim"  # all names of threads begin so
_GLANCE_SECONDS = 0.2  # Windows hears Ctrl-C only between two waits

_here = threading.local()


class Work:
    """What a function does on behalf of the main thread, and whether it was asked to stop."""

    def __init__(self) -> None:
        self.interrupted = threading.Event()
        self.has_partial_result = False
        self.has_ended = False
        self._ident: int | None = None  # of the thread
        self._asked_at = 0.0
        self._given_up = False
        self._is_spared = False  # was asked to stop in the middle of an import, and will be after it
        self._lock = threading.Lock()
        self._listens = True  # False where the work itself looks at `interrupted`, and after its end
        self._depth = 0
        self._hooks: tuple[Hook, Hook] | None = None  # of Python for errors that nobody catches: ours and the former

    def run(self, function: Callable[[], Returned]) -> Returned:
        """Return what ``function`` returns or raises; in the main thread only."""
        outcome: list[tuple[Returned | None, BaseException | None]] = []
        ended = threading.Lock()
        ended.acquire()
        context = contextvars.copy_context()

        def work() -> None:
            _here.work = self
            self._ident = threading.get_ident()
            try:
                try:
                    if not self._given_up:
                        outcome.append((context.run(function), None))
                except BaseException as error:
                    outcome.append((None, error))
                with self._lock:
                    self._listens = False
            except KeyboardInterrupt:
                pass  # asked to stop when it had just ended
            finally:
                self._let_be_reported()
                self.has_ended = True
                ended.release()

        try:
            self._wait(threading.Thread(target=work, name=f"{THREAD_NAMES} work", daemon=True), ended)
        except KeyboardInterrupt:
            self._give_up()
            raise
        if not outcome:
            raise KeyboardInterrupt
        returned, error = outcome[0]
        if error is not None:
            try:
                raise error
            finally:
                del error, outcome  # they refer to this very frame
        return returned  # type: ignore[return-value]  # None only where the function returns it

    def _wait(self, thread: threading.Thread, ended: threading.Lock) -> None:
        """Start the work and wait for its end; after Ctrl-C no longer than a moment, after a second one not at all.

        Not by joining the thread: Python 3.11 and 3.12 take a thread for ended if Ctrl-C strikes while it is joined.
        """
        is_new = True
        while True:
            try:
                if is_new:
                    is_new = False
                    thread.start()
                while not self.has_ended:
                    ended.acquire(timeout=_GLANCE_SECONDS)
                    if self._is_spared:
                        with self._lock:
                            self._interrupt_thread()
                    if self.seconds_since_asked() > self._patience():
                        raise KeyboardInterrupt
                return
            except KeyboardInterrupt:
                if self._asked_at:
                    raise
                self._ask_to_stop()

    def _patience(self) -> float:
        return SUMMARY_SECONDS if self.has_partial_result else PATIENCE_SECONDS

    def _ask_to_stop(self) -> None:
        self._asked_at = time.monotonic()
        with self._lock:
            self.interrupted.set()
            self._interrupt_thread()

    def _give_up(self) -> None:
        """Leave the work alone; it stops at the next opportunity."""
        with self._lock:
            self._given_up = True
            self._asked_at = -inf
            self.interrupted.set()
            self._interrupt_thread()

    def _interrupt_thread(self) -> None:
        if self._listens and self._ident is not None:
            self._is_spared = _is_importing(self._ident)
            if self._is_spared:
                return
            self._let_be_swallowed()
            # Raised in the thread between two of its instructions, as Ctrl-C is in the main thread.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._ident), ctypes.py_object(KeyboardInterrupt))

    def _let_be_swallowed(self) -> None:
        """Say nothing where Ctrl-C strikes a function that C calls, as the compiler does: it cannot be handed on.

        The work then goes on until it is left alone.
        """
        if self._hooks is not None:
            return
        former = sys.unraisablehook

        def hook(unraisable: "sys.UnraisableHookArgs") -> None:
            if not (issubclass(unraisable.exc_type, KeyboardInterrupt) and current_work() is self):
                former(unraisable)

        self._hooks = hook, former
        sys.unraisablehook = hook

    def _let_be_reported(self) -> None:
        """Take the hook away again, unless somebody has put another in its place."""
        with self._lock:
            if self._hooks is not None and sys.unraisablehook is self._hooks[0]:
                sys.unraisablehook = self._hooks[1]

    def seconds_since_asked(self) -> float:
        """Seconds since Ctrl-C; 0 before, infinite once the work is left alone."""
        return time.monotonic() - self._asked_at if self._asked_at else 0.0

    @contextmanager
    def looking_itself(self) -> Iterator[None]:
        """Announce that the block looks at `interrupted` itself: nothing is raised inside, and it starts unset."""
        with self._lock:
            self._stop_if_given_up()
            if self._is_spared:
                raise KeyboardInterrupt
            if self._depth == 0:
                self._listens = False
                self.interrupted.clear()
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1
                self._listens = self._depth == 0
        self._stop_if_given_up()

    def _stop_if_given_up(self) -> None:
        if self._given_up:
            raise KeyboardInterrupt


def _is_importing(ident: int) -> bool:
    """Whether a thread is in the middle of an import."""
    frame = sys._current_frames().get(ident)
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done, where it would strike the main thread in an import."""
    former = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(former):
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, former)
    if heard:
        former(*heard[0])


def current_work() -> Work | None:
    """Work that this thread belongs to; None if nobody can interrupt it."""
    return getattr(_here, "work", None)


@contextmanager
def belonging_to(work: Work | None) -> Iterator[None]:
    """Let this thread take part in some work."""
    before = current_work()
    _here.work = work
    try:
        yield
    finally:
        _here.work = before


def interruptible(function: Callable[Parameters, Returned]) -> Callable[Parameters, Returned]:
    """Make a function answer Ctrl-C within two seconds when it is called from the main thread.

    It runs on a thread of its own. Called from another thread, where no Ctrl-C arrives, or by a function that is
    interruptible itself, it runs where it is.
    """

    @wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Returned:
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        result = Work().run(lambda: function(*args, **kwargs))
        _say_if_partial(result)
        return result

    return call


def _say_if_partial(result: object) -> None:
    """Tell whoever types in a notebook or at a prompt that the answer is one of a run cut short."""
    if hasattr(sys, "ps1") and getattr(result, "complete", True) is False:
        print("interrupted: a partial result", file=sys.stderr)


@atexit.register
def wait_for_machine_code() -> None:
    """Wait for threads that were left in the middle of something.

    A process must not be taken down while one of its threads compiles: that ends in a crash.
    """
    end = time.monotonic() + EXIT_SECONDS
    for thread in threading.enumerate():
        if thread.name.startswith(THREAD_NAMES) and thread is not threading.current_thread():
            thread.join(max(0.0, end - time.monotonic()))
