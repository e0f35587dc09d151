"""The measurements. Each returns its figures as plain data; `report` puts them into words."""

import dataclasses
import socket
import statistics
import threading
import time

from harness import proc
from harness.bodies import MEGABYTES_7
from harness.load import LoadFailed
from harness.relays import fetch_until_served

REFERENCE = "haproxy"
WARM_UP_REQUESTS = 1400  # 10 GB: a JVM goes on compiling for the first seconds of work


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much is measured."""

    levels: tuple
    rounds: int
    cell_bytes: int
    ratios: int
    rss_bytes: int
    pairs: int
    readers: int
    slow_seconds: float
    starts: int

    @staticmethod
    def full():
        return Effort((10, 20, 30, 50, 100), 5, 10**10, 9, 5 * 10**9, 1000, 1000, 40, 10)

    @staticmethod
    def quick():
        return Effort((10, 100), 5, 10**9, 7, 5 * 10**8, 200, 200, 10, 3)


class Bench:
    """Relays, load and bodies of one run."""

    def __init__(self, site, relays, subject, load, bodies, effort, say):
        self.site, self.relays, self.load, self.bodies, self.effort, self.say = (
            site, relays, load, bodies, effort, say,
        )
        self.subject = next(relay for relay in relays if relay.name == subject)

    @property
    def metered(self):
        """Relays whose processes are known."""
        return [relay for relay in self.relays if relay.name != "direct"]

    def start_all(self):
        self.load.ask("forget", 10)
        for relay in self.relays:
            relay.start()

    def stop_all(self):
        for relay in self.relays:
            relay.stop()

    def round(self, relay, clients, requests=None, hashed=False):
        return self.load.crowd(
            relay.url(self.bodies["7m"].path), clients, requests or clients, self.bodies["7m"], hashed
        )

    def warm_up(self, relays, clients, rounds):
        """The first round of all checks the hash of every body."""
        faults = {}
        for number in range(rounds):
            for relay in relays:
                note_faults(faults, relay, self.round(relay, clients, hashed=number == 0))
        return faults


def note_faults(faults, relay, answer):
    for fault, count in answer["errors"].items():
        mine = faults.setdefault(relay.name, {})
        mine[fault] = mine.get(fault, 0) + count


def merge_faults(into, more):
    for name, faults in more.items():
        for fault, count in faults.items():
            mine = into.setdefault(name, {})
            mine[fault] = mine.get(fault, 0) + count


def rotated(items, by):
    """Another one begins each time, and the direction alternates, so that drift hits all alike."""
    by %= len(items)
    turned = items[by:] + items[:by]
    return turned[::-1] if by % 2 else turned


def reference(bench):
    """5 global warm-ups at the highest level, 3 per level, then timed rounds of c concurrent GETs of 7 MiB; medians over the rounds."""
    rows, faults = [], {}
    bench.start_all()
    try:
        merge_faults(faults, bench.warm_up(bench.relays, bench.effort.levels[-1], 5))
        for clients in bench.effort.levels:
            merge_faults(faults, bench.warm_up(bench.relays, clients, 3))
            taken = {relay.name: [] for relay in bench.relays}
            for number in range(bench.effort.rounds):
                for relay in rotated(bench.relays, number):
                    answer = bench.round(relay, clients)
                    note_faults(faults, relay, answer)
                    taken[relay.name].append(answer)
            for relay in bench.relays:
                rows.append(_reference_row(relay, clients, taken))
            bench.say(f"reference method, {clients} clients: done")
    finally:
        bench.stop_all()
    return {"rows": rows, "faults": faults}


def _reference_row(relay, clients, taken):
    mine = taken[relay.name]
    wall = statistics.median(answer["seconds"] for answer in mine)
    return {
        "peer": relay.name,
        "clients": clients,
        "requests_per_second": clients / wall,
        "megabytes_per_second": clients * MEGABYTES_7 / 1e6 / wall,
        "ratio": _median_ratio(taken, relay.name, lambda answer: 1 / answer["seconds"]),
        "fairness": statistics.median(answer["slowest"] / answer["median"] for answer in mine),
        "median_seconds": statistics.median(answer["median"] for answer in mine),
        "slowest_seconds": max(answer["slowest"] for answer in mine),
        "timeouts": sum(answer["timeouts"] for answer in mine),
        "errors": sum(sum(answer["errors"].values()) for answer in mine),
    }


def _median_ratio(taken, name, figure):
    """Median of the ratios of rounds that lie next to each other in time."""
    against = taken.get(REFERENCE)
    if not against:
        return None
    ratios = [figure(mine) / figure(theirs) for mine, theirs in zip(taken[name], against) if figure(theirs)]
    return statistics.median(ratios) if ratios else None


def cost(bench):
    """CPU seconds per GB: at each level fresh processes, warmed, then small blocks, relays alternating."""
    rows, faults = [], {}
    per_block = bench.effort.cell_bytes / bench.effort.ratios / MEGABYTES_7
    for clients in bench.effort.levels:
        requests = -(-int(per_block + 1) // clients) * clients
        bench.start_all()
        try:
            merge_faults(faults, bench.warm_up(bench.metered, clients, 1))
            taken = {relay.name: [] for relay in bench.metered}
            for relay in bench.metered:
                note_faults(faults, relay, bench.round(relay, clients, max(requests * 3, WARM_UP_REQUESTS)))
            for number in range(bench.effort.ratios):
                for relay in rotated(bench.metered, number):
                    block = measured_block(bench, relay, clients, requests)
                    note_faults(faults, relay, block)
                    taken[relay.name].append(block)
            for relay in bench.metered:
                rows.append(_cost_row(relay, clients, requests, taken))
        finally:
            bench.stop_all()
        bench.say(f"cost, {clients} clients: done")
    return {"rows": rows, "faults": faults}


def measured_block(bench, relay, clients, requests):
    pids = relay.pids()
    start = proc.cpu(pids)
    answer = bench.round(relay, clients, requests)
    used = proc.cpu(pids).since(start)
    failed = sum(answer["errors"].values())
    gigabytes = max(1, requests - failed) * MEGABYTES_7 / 1e9
    return answer | {
        "cpu": used.used / gigabytes,
        "threads_cpu": used.threads / gigabytes,
        "ticks_cpu": used.ticks / gigabytes,
        "speed": gigabytes * 1000 / answer["seconds"],
    }


def _cost_row(relay, clients, requests, taken):
    mine = taken[relay.name]
    return {
        "peer": relay.name,
        "clients": clients,
        "gigabytes": len(mine) * requests * MEGABYTES_7 / 1e9,
        "cpu_per_gigabyte": statistics.median(block["cpu"] for block in mine),
        "threads_cpu_per_gigabyte": statistics.median(block["threads_cpu"] for block in mine),
        "ticks_cpu_per_gigabyte": statistics.median(block["ticks_cpu"] for block in mine),
        "ratio": _median_ratio(taken, relay.name, lambda block: block["cpu"]),
        "ratios": [
            block["cpu"] / other["cpu"] for block, other in zip(mine, taken.get(REFERENCE, [])) if other["cpu"]
        ],
        "megabytes_per_second": statistics.median(block["speed"] for block in mine),
        "speed_ratio": _median_ratio(taken, relay.name, lambda block: block["speed"]),
        "peak_megabytes": proc.peak_megabytes(relay.pids()),
        "errors": sum(sum(block["errors"].values()) for block in mine),
    }


def rss(bench):
    """Peak resident set of fresh processes at 10 and at 100 clients, after the same number of bytes."""
    rows, faults = [], {}
    for clients in (10, 100):
        requests = -(-int(bench.effort.rss_bytes / MEGABYTES_7 + 1) // clients) * clients
        bench.start_all()
        try:
            for relay in bench.metered:
                idle = proc.peak_megabytes(relay.pids())
                note_faults(faults, relay, bench.round(relay, clients, requests))
                rows.append(
                    {
                        "peer": relay.name,
                        "clients": clients,
                        "idle_megabytes": idle,
                        "peak_megabytes": proc.peak_megabytes(relay.pids()),
                    }
                )
        finally:
            bench.stop_all()
    bench.say("memory: done")
    return {"rows": rows, "faults": faults}


def ttfb(bench):
    """Added time to first byte of 1 KiB: alternating pairs direct and relayed, one kept-alive connection each side."""
    rows, faults = [], {}
    bench.start_all()
    try:
        for relay in bench.metered:
            try:
                answer = bench.load.ask(
                    "pairs", 120, direct=bench.site.origin + bench.bodies["1k"].path,
                    via=relay.url(bench.bodies["1k"].path), n=bench.effort.pairs, warm=bench.effort.pairs,
                )
                rows.append({"peer": relay.name} | {key: value * 1000 for key, value in answer.items()})
            except LoadFailed as e:
                faults[relay.name] = {str(e): 1}
    finally:
        bench.stop_all()
    bench.say("time to first byte: done")
    return {"rows": rows, "faults": faults}


def slow(bench):
    """Many slow readers of endless bodies; new clients that come meanwhile."""
    relay = bench.subject
    relay.settings = {"MAX_CONNECTIONS_PER_ORIGIN": "1200"}
    bench.load.ask("forget", 10)
    relay.start()
    seen, done = {"Threads": 0, "VmRSS": 0}, threading.Event()

    def watch():
        while not done.wait(0.25):
            for field in seen:
                seen[field] = max(seen[field], proc.status(relay.pids(), field))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        answer = bench.load.ask(
            "slow", bench.effort.slow_seconds + 240, url=relay.url(bench.bodies["1g"].path), c=bench.effort.readers,
            rate=100_000, seconds=bench.effort.slow_seconds, probe=relay.url(bench.bodies["1k"].path), probes=20,
        )
        peak = proc.peak_megabytes(relay.pids())
    finally:
        done.set()
        watcher.join(5)
        relay.stop()
        relay.settings = {}
    bench.say("slow readers: done")
    return answer | {
        "peer": relay.name, "readers": bench.effort.readers, "seconds": bench.effort.slow_seconds,
        "threads": seen["Threads"], "peak_megabytes": peak,
    }


def start(bench):
    """From launching the process to the first byte of 1 KiB fetched through it."""
    relay, seconds = bench.subject, []
    for _ in range(bench.effort.starts):
        begin = time.perf_counter()
        relay.launch()
        try:
            seconds.append(_first_byte(relay, begin))
            fetch_until_served(relay.url("/1k.mp4"), process=relay.process)
        finally:
            relay.stop()
    bench.say("start: done")
    return {"peer": relay.name, "median": statistics.median(seconds), "slowest": max(seconds), "count": len(seconds)}


def _first_byte(relay, begin):
    target = relay.url("/1k.mp4").split("/", 3)[3]
    request = f"GET /{target} HTTP/1.1\r\nHost: 127.0.0.1:{relay.port}\r\n\r\n".encode()
    while time.perf_counter() - begin < 30:
        try:
            with socket.create_connection(("127.0.0.1", relay.port), 30) as client:
                client.sendall(request)
                if client.recv(4096).startswith(b"HTTP/1.1 200"):
                    return time.perf_counter() - begin
        except OSError:
            pass  # does not listen yet
        time.sleep(0.002)
    raise RuntimeError(f"{relay.name} served nothing in 30 s")
