"""What every test can rely on, however the suite was started."""

import signal

import pytest

from guts_sim.studies.equilibria import forget_equilibria

# A shell starts background jobs with Ctrl-C ignored, and children inherit that; tests that send one need it heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _solves_anew():
    """No test depends on what another one solved before."""
    forget_equilibria()
