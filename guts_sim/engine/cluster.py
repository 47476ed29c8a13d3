"""A Dask cluster as an executor: the same blocks and the same digest, on as many machines as there are."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any

from guts_sim._version import __version__
from guts_sim.checks import shown
from guts_sim.errors import InputError

CONNECT_SECONDS = 10


class ClusterExecutor(Executor):
    """Executor on a connected `distributed.Client`.

    Parameters
    ----------
    client : distributed.Client
        It is left open.

    Attributes
    ----------
    max_workers : int
        Blocks that can run at once, with the workers there are now.
    """

    def __init__(self, client: Any) -> None:
        # Blocks are not looked up among earlier ones: their results are small and are held by nobody else.
        self._executor = client.get_executor(pure=False)
        self.max_workers = max(1, sum(client.nthreads().values()))

    def submit(self, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Send a block to the cluster.

        Parameters
        ----------
        task : callable
            What to do.
        args, kwargs
            Its arguments, which must be picklable.

        Returns
        -------
        Future
        """
        future: Future[Any] = self._executor.submit(task, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Send no more blocks.

        Parameters
        ----------
        wait : bool
            Whether to wait for those that are running.
        cancel_futures : bool
            Whether to drop those that are not.
        """
        self._executor.shutdown(wait=wait)


@contextmanager
def cluster(address: str) -> Iterator[ClusterExecutor]:
    """Connect to a Dask scheduler.

    Parameters
    ----------
    address : str
        As the scheduler prints it, for example ``"tcp://10.0.0.5:8786"``.

    Yields
    ------
    ClusterExecutor
        For the ``executor`` argument of any study: ``with cluster(address) as executor: ...``

    Raises
    ------
    InputError
        The package distributed is missing, nobody answers, there is no worker, or a worker has another version.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError("scheduler: a Dask cluster needs the package distributed; install guts-sim[dask]") from None
    connect: Any = Client  # has no types where it is installed, and is not known where it is not
    try:
        client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        reason = "nobody answers" if isinstance(error, OSError) else "no address such as tcp://10.0.0.5:8786"
        raise InputError(f"scheduler: {shown(address)}: {reason}") from None
    with client:
        _check_workers(client, address)
        yield ClusterExecutor(client)


def _check_workers(client: Any, address: str) -> None:
    """Refuse a cluster without workers, or with workers that would give other results."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        raise InputError(f"scheduler: {address} has no workers; start some with dask worker {address}") from None
    for worker, version in client.run(_installed_version).items():
        if version != __version__:
            has = "no guts_sim" if version is None else f"guts_sim {version}"
            raise InputError(f"scheduler: worker {worker} has {has}, here is {__version__}; install the same there")


def _installed_version() -> str | None:
    # Sent by value to workers, which need not have the package.
    try:
        import guts_sim
    except ImportError:
        return None
    return guts_sim.__version__
