"""What Linux tells about a process and its descendants: CPU time, memory, threads."""

import os
import time
from dataclasses import dataclass

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def _text(path):
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return file.read()
    except OSError:  # it has ended meanwhile
        return ""


def family(pid):
    """The process and all that descend from it (nginx: master and workers)."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            fields = _text(f"/proc/{name}/stat").rpartition(")")[2].split()
            if fields:
                children.setdefault(int(fields[1]), []).append(int(name))
    found, queue = [], [pid]
    while queue:
        found.append(queue.pop())
        queue += children.get(found[-1], [])
    return found


@dataclass(frozen=True)
class Cpu:
    """CPU time read three ways, in seconds.

    threads: sum of /proc/PID/task/*/schedstat; threads that have ended are missing
    whole:   the CPU clock of the process, threads that have ended included
    ticks:   utime + stime of /proc/PID/stat: the same as `whole`, in ticks of 10 ms
    """

    threads: float
    whole: float
    ticks: float

    def since(self, start):
        return Cpu(self.threads - start.threads, self.whole - start.whole, self.ticks - start.ticks)

    @property
    def used(self):
        """The sum over threads; the clock of the process where threads took more than 0.5 % with them."""
        return self.threads if self.whole <= self.threads * 1.005 else self.whole


def cpu(pids):
    threads = whole = ticks = 0
    for pid in pids:
        for task in _listed(f"/proc/{pid}/task"):
            threads += int((_text(f"/proc/{pid}/task/{task}/schedstat").split() or ["0"])[0])
        fields = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
        if fields:
            ticks += int(fields[11]) + int(fields[12])
            whole += _process_clock_nanos(pid)
    return Cpu(threads / 1e9, whole / 1e9, ticks / _TICKS_PER_SECOND)


def _process_clock_nanos(pid):
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)  # clock_getcpuclockid(3)
    except OSError:
        return 0


def _listed(directory):
    try:
        return os.listdir(directory)
    except OSError:
        return []


def status(pids, field):
    """Sum of one numeric field of /proc/PID/status: VmHWM and VmRSS in kB, Threads."""
    total = 0
    for pid in pids:
        for line in _text(f"/proc/{pid}/status").splitlines():
            if line.startswith(field + ":"):
                total += int(line.split()[1])
    return total


def peak_megabytes(pids):
    """Peak resident set in 10^6 bytes; pages shared by several processes count in each."""
    return status(pids, "VmHWM") * 1024 / 1e6
