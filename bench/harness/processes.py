"""Child processes: started in groups of their own, ended whatever happens."""

import ctypes
import os
import signal
import socket
import subprocess

_PR_SET_PDEATHSIG = 1


def _end_with_parent():
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Processes:
    """Use as a context: on leaving it every process that is left is ended."""

    def __init__(self):
        self._running = []

    def __enter__(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: (_ for _ in ()).throw(SystemExit(1)))
        return self

    def __exit__(self, *_):
        for process in list(self._running):
            self.stop(process)

    def start(self, command, log, environment=None, directory=None, piped=False):
        pipe = subprocess.PIPE if piped else subprocess.DEVNULL
        with open(log, "ab") as output:
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=directory,
                stdin=pipe,
                stdout=pipe if piped else output,
                stderr=output,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        self._running.append(process)
        return process

    def stop(self, process):
        """Asks the group to end, then makes it."""
        for number, seconds in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
            try:
                os.killpg(process.pid, number)
            except ProcessLookupError:
                pass
            try:
                process.wait(seconds)
                break
            except subprocess.TimeoutExpired:
                continue
        if process in self._running:
            self._running.remove(process)
