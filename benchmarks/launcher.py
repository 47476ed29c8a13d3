"""Run one command and print what it cost, as JSON: ``python -I launcher.py COMMAND ...``.

A process of its own because the peak memory that the system reports for a child is never less than that of
the process it was forked from: this one is small, the benchmark is not.
"""

import json
import os
import subprocess
import sys
import time


def main() -> int:
    start = time.perf_counter()
    child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert child.stderr is not None
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    kilobytes = usage.ru_maxrss if sys.platform != "darwin" else usage.ru_maxrss / 1024
    print(
        json.dumps(
            {
                "wall": wall,
                "cpu": usage.ru_utime + usage.ru_stime,
                "peak_mb": kilobytes / 1024,
                "exit_code": os.waitstatus_to_exitcode(status),
                "errors": errors.decode(errors="replace")[-500:],
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
