"""The same digest on threads, processes and a Dask cluster, also if a worker is lost."""

import json
import multiprocessing
import operator
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

import guts_sim as gs
from guts_sim.cli import main
from guts_sim.engine.blocks import _capacity, _Packing, _packing
from guts_sim.engine.cluster import cluster
from guts_sim.errors import InputError
from guts_sim.studies.session_sampling import SessionTally

CALLS = {
    "odds": (gs.odds, {"hand": "As Kd 2c", "n_players": 4, "method": "mc", "deals": 5 << 18}),
    "cascade": (gs.cascade, {"n_players": 3, "field": "A4+", "method": "mc", "cycles": 100_000}),
    "session": (gs.session, {"n_players": 3, "field": "A4+", "cycles": 3, "sessions": 30_000}),
    "field": (gs.odds, {"hand": "As Kd", "n_players": 3, "field": "A4+", "method": "mc", "deals": 100_000}),
}


def digest(name, **options):
    study, arguments = CALLS[name]
    return study(**arguments, seed=9, **options).digest


def test_executors_say_how_many_blocks_they_run_at_once():
    with ThreadPoolExecutor(3) as threads:
        assert _capacity(threads) == 3
    with ProcessPoolExecutor(5, mp_context=multiprocessing.get_context("spawn")) as processes:  # starts none
        assert _capacity(processes) == 5
    assert _capacity(None) >= 1


def test_bundles_get_longer_with_the_number_of_workers():
    """As many messages as a scheduler can pass on, if one answer stands for a whole bundle; else they would grow."""
    few, many = _packing(8, operator.add), _packing(10_000, operator.add)
    assert (few.window, few.seconds) == (16, 0.5)
    assert (many.window, many.seconds) == (20_000, 50.0)
    assert _packing(10_000, None).seconds == 0.5


def test_tallies_travel_small_and_whole():
    study = gs.session(3, field="A4+", cycles=3, sessions=500, seed=1).study
    tally = study.task(0, 500)
    sent = pickle.dumps(tally)
    back = pickle.loads(sent)
    assert isinstance(back, SessionTally)
    assert all(np.array_equal(getattr(back, name), getattr(tally, name)) for name in vars(tally))
    assert len(sent) < 20_000 < tally.histograms.nbytes


def test_without_dask_one_line_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["odds", "As Kd", "--players", "3", "--method", "mc", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    error = capsys.readouterr().err
    assert error == "error: scheduler: a Dask cluster needs the package distributed; install guts-sim[dask]\n"


class Cluster:
    """A client of a Dask cluster as far as `cluster` looks at it; its workers are in this process."""

    threads: ClassVar = {"w1": 2, "w2": 1}

    def __init__(self, address, **_options):
        if address == "nobody":
            raise OSError
        if address == "nonsense":
            raise ValueError
        self.address = address

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass

    def wait_for_workers(self, _n, timeout):
        if self.address == "empty":
            raise TimeoutError

    def run(self, function):
        return {"w1": function(), "w2": {"old": "0.0.1", "bare": None}.get(self.address, function())}

    def nthreads(self):
        return self.threads

    def get_executor(self, pure):
        assert not pure
        return ThreadPoolExecutor(sum(self.threads.values()))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("nobody", "nobody answers"),
        ("nonsense", "no address such as tcp://"),
        ("empty", "has no workers; start some"),
        ("old", r"worker w2 has guts_sim 0\.0\.1, here is"),
        ("bare", "worker w2 has no guts_sim, here is"),
    ],
)
def test_clusters_that_cannot_be_used_are_refused(monkeypatch, address, reason):
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    with pytest.raises(InputError, match=reason), cluster(address):
        pass


def test_a_cluster_runs_blocks_until_it_is_shut_down(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Cluster))
    with cluster("tcp://127.0.0.1:8786") as executor:
        assert executor.max_workers == 3
        assert executor.submit(divmod, 17, 5).result() == (3, 2)
        executor.shutdown()
        with pytest.raises(RuntimeError, match="shutdown"):
            executor.submit(divmod, 17, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_threads_and_processes_give_the_same_digest(name):
    expected = digest(name, workers=1)
    assert digest(name, workers=2) == expected
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        assert digest(name, executor=processes) == expected


@pytest.fixture(scope="module")
def dask_cluster(tmp_path_factory):
    """A scheduler and three workers, each a process without anybody to restart it; its address and the processes."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    log = (folder / "log.txt").open("w")

    def start(*arguments):
        command = [sys.executable, "-m", *arguments, "--scheduler-file", str(file), "--no-dashboard"]
        return subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)

    scheduler = start("distributed.cli.dask_scheduler", "--port", "0")
    workers = []
    try:
        deadline = time.monotonic() + 60
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        workers = [
            start("distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1", "--name", f"w{number}")
            for number in range(3)
        ]
        yield json.loads(file.read_text())["address"], workers
    finally:
        for process in [*workers, scheduler]:
            process.kill()
            process.wait()
        log.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
class TestDask:
    @pytest.mark.parametrize("name", CALLS)
    def test_a_cluster_gives_the_same_digest(self, dask_cluster, name):
        address, _ = dask_cluster
        with cluster(address) as executor:
            assert digest(name, executor=executor) == digest(name, workers=1)

    def test_a_local_cluster_gives_the_same_digest(self):
        distributed = pytest.importorskip("distributed")
        with (
            distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
            cluster(local.scheduler_address) as executor,
        ):
            assert executor.max_workers == 2
            assert digest("odds", executor=executor) == digest("odds", workers=1)
        with (
            distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as local,
            distributed.Client(local) as client,
        ):  # an executor of Dask's own does as well
            assert digest("session", executor=client.get_executor()) == digest("session", workers=1)

    def test_the_command_line(self, dask_cluster, capsys):
        address, _ = dask_cluster
        command = ["session", "--players", "3", "--field", "A4+", "--cycles", "3", "--sessions", "30000"]
        assert main([*command, "--seed", "9", "--format", "json", "--scheduler", address]) == 0
        assert json.loads(capsys.readouterr().out)["digest"] == digest("session", workers=1)

    def test_addresses_without_a_scheduler_are_refused_in_one_line(self, capsys):
        for address in ("tcp://127.0.0.1:1", "nonsense", "", "tcp://", "ftp://x:1"):
            assert main(["odds", "As Kd", "--players", "3", "--method", "mc", "--scheduler", address]) == 2
            error = capsys.readouterr().err
            assert error.startswith("error: scheduler: "), error
            assert error.count("\n") == 1

    def test_another_version_on_a_worker_is_refused(self, dask_cluster, monkeypatch):
        address, _ = dask_cluster
        monkeypatch.setattr("guts_sim.engine.cluster.__version__", "99.0")
        with pytest.raises(InputError, match=r"worker tcp.* has guts_sim .*, here is 99.0; install the same there"):
            cluster(address).__enter__()

    def test_a_lost_worker_costs_only_its_blocks(self, dask_cluster, monkeypatch):
        """Last, since it leaves the cluster with a worker less."""
        address, workers = dask_cluster
        monkeypatch.setattr("guts_sim.engine.blocks._packing", lambda n, _: _Packing(2 * n, 0.0, 1))  # one by one
        study, arguments = CALLS["odds"]
        arguments = arguments | {"deals": 100 << 18, "seed": 9}
        expected = study(**arguments).digest
        killed = threading.Event()

        class KillsOne:
            """Executor that lets one worker die once some blocks were sent."""

            def __init__(self, executor):
                self.executor, self.max_workers, self.sent = executor, executor.max_workers, 0

            def submit(self, *call):
                self.sent += 1
                if self.sent == 20:
                    os.kill(workers[0].pid, signal.SIGKILL)
                    killed.set()
                return self.executor.submit(*call)

        with cluster(address) as executor:
            assert executor.max_workers == 3
            assert study(**arguments, executor=KillsOne(executor)).digest == expected
        assert killed.is_set()
        assert workers[0].wait(10) == -signal.SIGKILL
