"""The load generator, Load.java, driven over its standard input and output."""

import json
import os
import select
import time


class LoadFailed(Exception):
    pass


class Load:
    def __init__(self, processes, java, classes, log):
        self._process = processes.start(
            [java, "-Xmx256m", "-XX:+UseSerialGC", "-cp", classes, "Load"], log=log, piped=True
        )
        self._rest = b""

    @property
    def pid(self):
        return self._process.pid

    def ask(self, do, limit_seconds, **words):
        line = " ".join([f"do={do}"] + [f"{key}={value}" for key, value in words.items() if value is not None])
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._line(time.monotonic() + limit_seconds))
        if "failure" in answer:
            raise LoadFailed(f"{do}: {answer['failure']}")
        return answer

    def _line(self, deadline):
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            ready, _, _ = select.select([descriptor], [], [], max(0, deadline - time.monotonic()))
            piece = os.read(descriptor, 65536) if ready else b""
            if not piece:
                raise LoadFailed("load generator gave no answer" if not ready else "load generator ended")
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def crowd(self, url, clients, requests, body, hashed=False):
        """n GETs by c clients; each may take 10 s."""
        rounds = -(-requests // clients)
        return self.ask(
            "crowd", 30 + 11 * rounds, url=url, c=clients, n=requests, bytes=body.size, timeout=10,
            sha=body.sha256 if hashed else None,
        )
