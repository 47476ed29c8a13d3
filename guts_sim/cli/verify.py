"""The command that recomputes known values."""

from typing import Any

import click

from guts_sim.cli import NOT_CONFIRMED
from guts_sim.cli.options import command, output_options
from guts_sim.cli.output import check_outputs, emit


@command()
@click.option("--only", metavar="TEXT", help="Check only quantities whose name contains TEXT.")
@output_options
def verify(only: str | None, **options: Any) -> None:
    """Recompute published and exact values; exit code 3 if one of them is not reproduced."""
    from guts_sim.studies.verification import verify as study

    check_outputs(options)
    result = study(only)
    emit(result, options)
    if not result.results["passed"]:
        raise SystemExit(NOT_CONFIRMED)
