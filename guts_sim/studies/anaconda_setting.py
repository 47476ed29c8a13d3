"""What the studies of whole Anaconda hands are given and what they hand back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from guts_sim.checks import check_count, shown
from guts_sim.errors import InputError
from guts_sim.games.anaconda import HAND_SIZE, MAX_PLAYERS, MIN_PLAYERS, AnacondaRules
from guts_sim.games.anaconda_strategy import ORDERS, AnacondaStrategy, GivenStrategies, list_strategies
from guts_sim.passing import get_policy, parse_passes
from guts_sim.results import Result
from guts_sim.studies.anaconda_sampling import Tally
from guts_sim.studies.measurement import RunOptions


@dataclass(frozen=True)
class Setting:
    """What all studies of whole hands are given: players, rules, and how to run."""

    n_players: int
    rules: AnacondaRules
    passes: str
    expected: str
    options: RunOptions

    def rules_record(self) -> dict[str, Any]:
        """Every switch."""
        return {
            "game": "anaconda",
            "cards": HAND_SIZE,
            "passes": self.passes,
            "roll": self.rules.roll,
            "betting": "bet 1 and three raises of 1",
        }

    def parameters(self, **more: Any) -> dict[str, Any]:
        """Arguments that repeat the call."""
        common = {"n_players": self.n_players, "passes": self.passes, "roll": self.rules.roll}
        common["expected"] = self.expected
        return common | {"deals": self.options.n_deals} | more

    def answer(
        self, command: str, tally: Tally, parameters: dict[str, Any], results: dict[str, Any], lines: Any
    ) -> Result:
        """Wrap an answer whose main table is ``results["rows"]``."""
        return Result(
            command=command,
            rules=self.rules_record(),
            parameters=parameters,
            method="mc",
            n=tally.n_deals,
            seed=self.options.seed,
            confidence=self.options.confidence,
            complete=tally.n_deals == self.options.n_deals,
            results=results,
            rows=results["rows"],
            lines=lines,
        )


def read_setting(
    n_players: int, passes: str, roll: bool, high_low: bool, expected: str, options: RunOptions
) -> Setting:
    """Check what is played."""
    if high_low:
        raise InputError("high_low: high-low with declarations is not played; the best high hand takes the pot")
    if not isinstance(roll, bool):
        raise InputError(f"roll: {shown(roll)} is not allowed; give True or False")
    if expected not in ORDERS:
        raise InputError(f"expected: {shown(expected)} is not allowed; choose {', '.join(ORDERS)}")
    n_players = check_count(n_players, "n_players", MIN_PLAYERS, MAX_PLAYERS)
    program = parse_passes(passes, n_players)
    if any(abs(places) != 1 for _, places in program.passes):
        raise InputError("passes: with betting, batches go to the next player only, as in 3L or 3L,2R,1L")
    return Setting(n_players, AnacondaRules(program.passes, roll), program.text, expected, options)


def check_policies(players: Sequence[AnacondaStrategy], n_players: int) -> None:
    """Refuse pass policies that do not exist before any work begins."""
    for player in players:
        get_policy(player.passing, n_players)


def recorded(given: GivenStrategies, read: Sequence[AnacondaStrategy]) -> Any:
    """The strategies as they were written, or every field of those that were made in Python."""
    if all(isinstance(spec, str) for spec in list_strategies(given)):
        return [strategy.name for strategy in read]
    return [strategy.as_dict() for strategy in read]
