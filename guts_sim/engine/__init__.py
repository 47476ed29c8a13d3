"""From a number of deals to accumulated results: blocks, workers, seeds, progress, interruption."""

from guts_sim.engine.blocks import DEFAULT_BLOCK_SIZE, MAX_DEALS, RunStatus, default_workers, run_all_blocks, run_blocks
from guts_sim.engine.dealing import deal
from guts_sim.engine.progress import progress_bar
from guts_sim.engine.seeds import PURPOSE_DEALS, PURPOSE_ENTRY, resolve_seed, run_key

__all__ = [
    "DEFAULT_BLOCK_SIZE",
    "MAX_DEALS",
    "PURPOSE_DEALS",
    "PURPOSE_ENTRY",
    "RunStatus",
    "deal",
    "default_workers",
    "progress_bar",
    "resolve_seed",
    "run_all_blocks",
    "run_blocks",
    "run_key",
]
