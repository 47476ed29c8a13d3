"""The command that makes the reference tables and charts."""

from typing import Any

import click

from guts_sim.cli import NOT_CONFIRMED
from guts_sim.cli.options import command, format_option
from guts_sim.cli.output import emit


@command()
@click.option("--check", is_flag=True, help="Write nothing; compare with the files. Exit code 3 if one differs.")
@click.option("--out", metavar="FOLDER", default="results", show_default=True, help="Folder of the files.")
@click.option("--only", metavar="TEXT", multiple=True, help="Only names that contain TEXT; repeatable.")
@click.option("--list", "lists", is_flag=True, help="Compute nothing; list the tables and charts.")
@click.option("--quiet", is_flag=True, help="No progress bar (there is one only on a terminal).")
@format_option
def reproduce(**options: Any) -> None:
    """Make the reference tables and charts in results/, or check that they come out the same."""
    from guts_sim.studies.reproduction import list_recipes
    from guts_sim.studies.reproduction import reproduce as study

    outputs = {"out": None, "output_format": options["output_format"]}
    if options["lists"]:
        emit(list_recipes(), outputs)
        return
    progress = False if options["quiet"] else None
    result = study(options["only"] or None, out=options["out"], check=options["check"], progress=progress)
    emit(result, outputs)
    if not result.results["passed"]:
        raise SystemExit(NOT_CONFIRMED)
