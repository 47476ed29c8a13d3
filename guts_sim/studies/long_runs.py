"""What studies that may run long have in common: checkpoints, a precision to reach, blocks that Ctrl-C can wait for."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from guts_sim.engine.block_size import PILOT_GAMES, PILOT_ROUNDS, games_per_block, rounds_expected
from guts_sim.engine.checkpoint import Checkpoint, CheckpointPath, checkpoint_path
from guts_sim.engine.long_run import Ending, run_sums
from guts_sim.engine.plans import EncodedTable, play_block
from guts_sim.engine.precision import HalfWidth, check_precision, plan_looks
from guts_sim.engine.sums import Sums
from guts_sim.kernels.cascade import CYCLE_ROUNDS
from guts_sim.provenance import plain
from guts_sim.studies.fields import checked_extension
from guts_sim.studies.measurement import RunOptions
from guts_sim.studies.text import prose


def precision_to_reach(precision: float | None) -> float | None:
    """Return the half-width asked for, refused before any work begins if it is none."""
    return None if precision is None else check_precision(precision)


def with_checkpoint(
    options: RunOptions, path: CheckpointPath, command: str, rules: Mapping[str, Any], parameters: Mapping[str, Any]
) -> RunOptions:
    """Open the checkpoint of a run, which is refused if it is another's.

    ``parameters`` are all that decide what is counted, without the number of deals: a run may be taken up with more.
    """
    if path is None:
        return options
    asked: dict[str, Any] = dict(parameters)
    if options.precision is not None:  # the looks depend on these
        asked |= {"precision": options.precision, "most": options.n_deals, "confidence": options.confidence}
    switches = {name: value for name, value in rules.items() if name != "profile"}  # it only names them
    owner = {"command": command, "rules": switches, "parameters": asked, "seed": options.seed}
    return replace(options, checkpoint=Checkpoint(checkpoint_path(path), plain(owner)))


def continued(result: Any, n: int, unit: str = "deals") -> tuple[Any, dict[str, Any]]:
    """Return the study and the parameters of a result that goes on to ``n`` in all, whatever ended it before.

    ``unit``: what is counted, as the parameter is called.

    Raises
    ------
    InputError
        The result is exact, or has more already.
    """
    n = checked_extension(result.method, result.n, n, unit)
    options = replace(result.study.options, n_deals=n, checkpoint=None, precision=None)
    parameters = {name: value for name, value in result.parameters.items() if name != "precision"}
    return replace(result.study, options=options), parameters | {unit: n}


def run_long(
    task: Callable[[int, int], Any],
    sums: Sums,
    options: RunOptions,
    block_size: int,
    *,
    part: str = "",
    half_width: HalfWidth | None = None,
) -> Ending:
    """Bring sums to the deals or the precision that the options ask for; see `guts_sim.engine.long_run.run_sums`."""
    target = None
    if options.precision is not None and half_width is not None:
        target = plan_looks(options.precision, options.n_deals, block_size, options.confidence)
    return run_sums(
        task,
        sums,
        options.n_deals,
        block_size=block_size,
        workers=options.workers,
        executor=options.executor,
        progress=options.progress,
        checkpoint=options.checkpoint,
        part=part,
        target=target,
        half_width=half_width,
    )


def confidence_of(ending: Ending | None, options: RunOptions) -> float:
    """Coverage that each interval needs: more than asked for if they decided when the run ended."""
    return options.confidence if ending is None or ending.confidence is None else ending.confidence


def precision_results(ending: Ending | None, options: RunOptions, of: str) -> dict[str, Any]:
    """Entry ``precision`` of the results; nothing if no precision was asked for. ``of``: the estimate meant."""
    if ending is None or options.precision is None:
        return {}
    return {
        "precision": {
            "of": of,
            "wanted": options.precision,
            "half_width": ending.half_width,
            "reached": ending.reached,
            "confidence_per_look": ending.confidence,
        }
    }


def precision_lines(results: Mapping[str, Any], confidence: float) -> list[str]:
    """Say whether the precision asked for was reached."""
    if "precision" not in results:
        return []
    asked = results["precision"]
    found = "unknown" if asked["half_width"] is None else f"{asked['half_width']:.3g}"
    verb = "reached" if asked["reached"] else "NOT reached"
    return [
        "",
        *prose(
            f"Precision {asked['wanted']:g} of {asked['of']} {verb}: the half-width is {found}. All intervals are made"
            f" at {asked['confidence_per_look']:.5g}, so that each is worth {confidence:g} although the run was looked"
            " at on the way."
        ),
    ]


def block_of_games(table: EncodedTable, keys: tuple[Any, Any], most: int, *, cycles: int, rounds: int) -> int:
    """Games per block such that Ctrl-C waits a second or so: as many as a pilot says, from the first deals of the run.

    ``cycles``: of a game, 0 if it has exactly so many ``rounds``; else that is the most it may have.
    """
    if cycles == 0:
        return games_per_block(most, float(rounds))
    if rounds * most <= PILOT_ROUNDS:
        return most
    pilot = min(rounds, PILOT_ROUNDS)
    played = play_block(table, *keys, 0, PILOT_GAMES, cycles=cycles, rounds=pilot).records[:, CYCLE_ROUNDS]
    unfinished = int((played >= pilot).sum())
    return games_per_block(most, rounds_expected(float(played.mean()), unfinished, PILOT_GAMES, rounds))
