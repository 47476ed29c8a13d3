"""The command line: ``python -m guts_sim`` and ``guts-sim``. It parses, calls a study and prints."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from guts_sim.files import remove_temporaries

__all__ = ["console", "main"]

INTERRUPTED = 130
NOT_CONFIRMED = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments after the program's name; default those of the process.

    Returns
    -------
    int
        Exit code: 0 answered, 1 the answer could not be written, 2 bad input, 3 a value was
        not confirmed, 130 interrupted.

    Examples
    --------
    >>> main(["hands", "rank", "9s Kh 9d", "--format", "csv"])
    cards,category,name,hand_rank
    9s Kh 9d,pair,99K,368
    0
    """
    try:
        # Imported here, so that Ctrl-C while modules load ends as quietly as at any other time.
        from guts_sim.cli.app import run

        return run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        # An interrupt inside exec(), which modules use while they load, makes Python end by the signal whatever
        # exit code it is given; the next exec() clears that mark.
        exec("")
        print("interrupted before there was anything to report", file=sys.stderr)
        return INTERRUPTED


def console() -> NoReturn:
    """Run the command line of this process and end it with the exit code.

    What was interrupted is not waited for, be it in the middle of something that cannot be stopped.
    """
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is nothing left to clean up or to report
    if code == INTERRUPTED:
        remove_temporaries()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    sys.exit(code)
