"""What watching and sealed links cost, and how long a cut is felt."""

import re
import socket
import statistics
import threading
import time
import urllib.parse

from harness import modes, relays

PASSWORD = "bench-password"
_SCRAPE_SECONDS = 15
_SMALL_REQUESTS = 20_000  # opening links is compiled code then


class Unwatched(relays.Millrace):
    """Nothing is counted, logged or asked for."""

    name, label = "unwatched", "Millrace, nothing watched"

    def environment(self):
        return super().environment() | {"METRICS": "false", "ACCESS_LOG": "false", "LOG_LEVEL": "WARN"}


class Watched(relays.Millrace):
    """Metrics, access log and password, and somebody who scrapes."""

    name, label = "watched", "Millrace, all watched"
    template = relays.Millrace.template + "&api_password=" + PASSWORD

    def environment(self):
        return super().environment() | {"HOST": "127.0.0.1", "API_PASSWORD": PASSWORD, "ACCESS_LOG": "true"}

    def scrape(self):
        target = f"http://127.0.0.1:{self.port}/metrics?api_password={PASSWORD}"
        relays.fetch_until_served(target, 5)


class Open(relays.Millrace):
    """No password: the address of the media stands in the link."""

    name, label = "open", "Millrace without a password"


class Sealed(relays.Millrace):
    """A password, and links that carry everything sealed."""

    name, label = "sealed", "Millrace by sealed links"

    def environment(self):
        secret = {"API_PASSWORD": PASSWORD, "LINK_SECRET": "a secret for benchmarks only"}
        return super().environment() | {"HOST": "127.0.0.1"} | secret

    def url(self, path):
        if path not in self._links:
            relays.fetch_until_served(f"http://127.0.0.1:{self.port}/health", process=self.process)
            asked = {
                "mediaflow_proxy_url": f"http://127.0.0.1:{self.port}", "endpoint": "/proxy/stream",
                "destination_url": f"{self.site.origin}{path}", "api_password": PASSWORD,
                "request_headers": {"referer": "https://site.example/"}, "expiration": 86400, "ip": "127.0.0.1",
            }
            self._links[path] = relays.post(f"http://127.0.0.1:{self.port}/generate_url", asked)["url"]
        return self._links[path]

    def start(self):
        self._links = {}
        super().start()


def watched(bench, levels=(10, 100), starts=3, pairs=20):
    """CPU per GB with and without metrics, access log, password and a scrape every 15 s."""
    return _compared(bench, Unwatched, Watched, levels, starts, pairs)


def sealed(bench, levels=(10, 100), starts=3, pairs=20):
    """CPU per GB by sealed links, against an open server."""
    return _compared(bench, Open, Sealed, levels, starts, pairs, _SMALL_REQUESTS)


def _compared(bench, without, with_it, levels, starts, pairs, small_requests=0):
    """Processes started afresh several times, warmed, then blocks that take turns."""
    rows, faults = [], {}
    for clients in levels:
        taken = {without.name: [], with_it.name: []}
        for _ in range(starts):
            _alternate(bench, without(bench.site), with_it(bench.site), clients, pairs, small_requests, taken, faults)
        off, on = taken[without.name], taken[with_it.name]
        ratios = [mine / theirs for mine, theirs in zip(on, off)]
        rows.append({
            "clients": clients, "off": statistics.median(off), "on": statistics.median(on),
            "ratio": statistics.median(ratios), "lowest": min(ratios), "highest": max(ratios),
        })
        bench.say(f"{with_it.name}, {clients} clients: done")
    return {"rows": rows, "faults": faults}


def _alternate(bench, off, on, clients, pairs, small_requests, taken, faults):
    requests = -(-int(bench.effort.cell_bytes / 10 / modes.MEGABYTES_7 + 1) // clients) * clients
    bench.load.ask("forget", 10)
    done = threading.Event()
    try:
        for relay in (off, on):
            relay.start()
            modes.note_faults(faults, relay, bench.round(relay, clients, modes.WARM_UP_REQUESTS // 2))
            if small_requests:
                small = bench.bodies["1k"]
                modes.note_faults(faults, relay, bench.load.crowd(relay.url(small.path), clients, small_requests, small))
        if isinstance(on, Watched):
            threading.Thread(target=_scrape, args=(on, done), daemon=True).start()
        for number in range(pairs):
            for relay in modes.rotated([off, on], number):
                block = modes.measured_block(bench, relay, clients, requests)
                modes.note_faults(faults, relay, block)
                taken[relay.name].append(block["cpu"])
    finally:
        done.set()
        off.stop()
        on.stop()


def _scrape(relay, done):
    while not done.wait(_SCRAPE_SECONDS):
        relay.scrape()


class CuttingOrigin:
    """Cuts the first answer for each name after half; answers ranges. Every address is new: /NAME."""

    SIZE = 4_000_000

    def __init__(self):
        self._server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self._server.getsockname()[1]
        self._body = bytes(index % 251 for index in range(self.SIZE))
        self._seen = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._server.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client:
            try:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = client.recv(65536)
                    if not piece:
                        return
                    head += piece
                path = head.split(b" ", 2)[1].decode()
                asked = re.search(rb"\r\nrange: *bytes=(\d+)-", head, re.IGNORECASE)
                start = int(asked.group(1)) if asked else 0
                is_cut = path.startswith("/cut") and path not in self._seen
                self._seen.add(path)
                end = self.SIZE // 2 if is_cut else self.SIZE
                client.sendall(
                    (f"HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\nETag: \"a\"\r\n"
                     f"Content-Range: bytes {start}-{self.SIZE - 1}/{self.SIZE}\r\nConnection: close\r\n"
                     f"Content-Length: {self.SIZE - start}\r\n\r\n").encode()
                )
                client.sendall(self._body[start:end])
            except OSError:
                pass  # the relay has left

    def check(self, body):
        return body == self._body


def resume(bench, pairs=60):
    """Pairs of a body that is cut once and one that is not: what the cut adds."""
    relay, origin = bench.subject, CuttingOrigin()
    relay.start()
    whole, cut, wrong = [], [], 0
    try:
        for number in range(-10, pairs):
            for kind, taken in modes.rotated([("whole", whole), ("cut", cut)], number + 10):
                seconds, body = _timed(relay, f"http://127.0.0.1:{origin.port}/{kind}{number}.mp4")
                wrong += not origin.check(body)
                if number >= 0:
                    taken.append(seconds)
    finally:
        relay.stop()
    bench.say("resume: done")
    added = [mine - theirs for mine, theirs in zip(cut, whole)]
    return {"peer": relay.name, "pairs": pairs, "whole": statistics.median(whole), "cut": statistics.median(cut),
            "added": statistics.median(added), "slowest": max(added), "wrong": wrong}


def _timed(relay, url):
    target = f"/proxy/stream?d={urllib.parse.quote(url, safe='')}"
    with socket.create_connection(("127.0.0.1", relay.port), 10) as client:
        begin = time.perf_counter()
        client.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        pieces = []
        while piece := client.recv(1 << 20):
            pieces.append(piece)
        seconds = time.perf_counter() - begin
    return seconds, b"".join(pieces).partition(b"\r\n\r\n")[2]
