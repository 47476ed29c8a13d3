"""Print, save and draw a result."""

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from guts_sim.cli import INTERRUPTED

if TYPE_CHECKING:
    from guts_sim.results import Result


def check_outputs(options: dict[str, Any]) -> None:
    """Refuse files that could not be written before any work is done."""
    from guts_sim.results import PLOT_FORMATS, TABLE_FORMATS, check_output

    if options["out"] is not None:
        check_output(options["out"], TABLE_FORMATS)
    if options.get("plot") is not None:
        check_output(options["plot"], PLOT_FORMATS)


def emit(result: "Result", options: dict[str, Any]) -> None:
    """Save, draw and print ``result`` in the format asked for; exit with 130 if it is partial."""
    try:  # files first: a reader that has gone must not cost them, nor a full disk the printed answer
        if options["out"] is not None:
            result.save(options["out"])
        if options.get("plot") is not None:
            result.plot(options["plot"])
    finally:
        _print(_text(result, options["output_format"]).rstrip("\n"))
    if not result.complete:
        click.echo(f"interrupted: a partial result of {result.n:,} {result.unit}", err=True)
        raise SystemExit(INTERRUPTED)


def _print(text: str) -> None:
    """Write to standard output; that its reader has gone (``| head``) is no error."""
    try:
        click.echo(text)
    except OSError as error:
        # Python flushes again when it exits and would complain once more.
        with contextlib.suppress(OSError, ValueError):  # ValueError: standard output is no file of the system
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def _text(result: "Result", output_format: str) -> str:
    """The result as text that standard output can hold, whatever its encoding."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if output_format == "json":
        return result.to_json(ascii_only=encoding.lower().replace("-", "") != "utf8")
    text = result.to_csv() if output_format == "csv" else result.summary()
    return text.encode(encoding, "backslashreplace").decode(encoding)
