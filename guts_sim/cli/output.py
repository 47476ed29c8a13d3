"""Print, save and draw a result."""

from typing import Any

import click

from guts_sim.results import PLOT_FORMATS, TABLE_FORMATS, Result, check_output

INTERRUPTED = 130


def check_outputs(options: dict[str, Any]) -> None:
    """Refuse files that could not be written before any work is done."""
    if options["out"] is not None:
        check_output(options["out"], TABLE_FORMATS)
    if options["plot"] is not None:
        check_output(options["plot"], PLOT_FORMATS)


def emit(result: Result, options: dict[str, Any]) -> None:
    """Print ``result`` in the format asked for; exit with 130 if it is partial."""
    text = {"table": result.summary, "json": result.to_json, "csv": result.to_csv}[options["output_format"]]()
    click.echo(text.rstrip("\n"))
    if options["out"] is not None:
        result.save(options["out"])
    if options["plot"] is not None:
        result.plot(options["plot"])
    if result.seed is not None and options["output_format"] == "table":
        click.echo(f"seed {result.seed}, digest {result.digest[:16]}", err=True)
    if not result.complete:
        click.echo(f"interrupted: a partial result of {result.n:,} deals", err=True)
        raise SystemExit(INTERRUPTED)
