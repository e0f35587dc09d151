"""Long pauses and silences in real time: three clients at once, each for a little over three minutes."""

import hashlib
import socket
import threading
import time
import urllib.parse

from harness.bodies import random_body

_HALF_SILENT_BYTES = 2_000_000
TRICKLE_BYTES_PER_SECOND = 50_000
_CLIENT_PATIENCE_SECONDS = 60  # beyond the silence


class SilentOrigin:
    """Sends half a body, is silent, sends the rest. One thread per connection; ends with the run."""

    def __init__(self):
        self._server = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.port = self._server.getsockname()[1]
        self.silence_seconds = 180
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self._server.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client:
            try:
                client.recv(65536)
                head = f"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: {2 * _HALF_SILENT_BYTES}\r\n\r\n"
                client.sendall(head.encode() + b"a" * _HALF_SILENT_BYTES)
                time.sleep(self.silence_seconds)
                client.sendall(b"b" * _HALF_SILENT_BYTES)
            except OSError:
                pass  # the relay has left


def pause(bench, root, silence_seconds):
    """A paused client, a slow stream, a silent origin."""
    bench.site.silent.silence_seconds = silence_seconds
    film = random_body(root, "200m.mp4", 200_000_000)
    trickle = random_body(root, "trickle.mp4", TRICKLE_BYTES_PER_SECOND * silence_seconds)
    half = b"a" * _HALF_SILENT_BYTES + b"b" * _HALF_SILENT_BYTES
    cases = {
        "paused": (film.path, film.sha256, 5_000_000),
        "slow": ("/trickle" + trickle.path, trickle.sha256, None),
        "silent": ("/silent/half.mp4", hashlib.sha256(half).hexdigest(), None),
    }
    results = {}
    relay = bench.subject
    relay.start()
    try:
        clients = [
            threading.Thread(
                target=lambda name=name, case=case: results.update(
                    {name: _read(relay.url(case[0]), case[1], case[2], silence_seconds)}
                ),
                daemon=True,
            )
            for name, case in cases.items()
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join(silence_seconds * 2 + 2 * _CLIENT_PATIENCE_SECONDS)
    finally:
        relay.stop()
    bench.say("pauses: done")
    return {"peer": relay.name, "silence": silence_seconds, "cases": results}


def _read(url, sha256, pause_after, silence_seconds):
    """Reads a body to its end, pausing once where asked; tells how it ended."""
    parts = urllib.parse.urlsplit(url)
    target = parts.path + ("?" + parts.query if parts.query else "")
    begin, digest, body, length = time.monotonic(), hashlib.sha256(), 0, -1
    try:
        with socket.create_connection((parts.hostname, parts.port), 10) as client:
            client.settimeout(silence_seconds + _CLIENT_PATIENCE_SECONDS)
            client.sendall(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(65536)
                if not piece:
                    return _ended("no answer", 0, -1, begin)
                head += piece
            fields, _, first = head.partition(b"\r\n\r\n")
            if not fields.startswith(b"HTTP/1.1 200"):
                return _ended(fields.split(b"\r\n")[0].decode("ascii", "replace"), 0, -1, begin)
            for line in fields.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    length = int(line[15:])
            piece = first
            while True:
                digest.update(piece)
                body += len(piece)
                if body >= length:
                    break
                if pause_after is not None and body >= pause_after:
                    pause_after = None
                    time.sleep(silence_seconds)
                piece = client.recv(262144)
                if not piece:
                    return _ended("cut", body, length, begin)
    except TimeoutError:
        return _ended("hangs", body, length, begin)
    except OSError as e:
        return _ended(f"cut ({e.strerror})", body, length, begin)
    exact = body == length and digest.hexdigest() == sha256
    return _ended("whole, byte for byte" if exact else "wrong bytes", body, length, begin)


def _ended(how, body, length, begin):
    return {"ended": how, "bytes": body, "length": length, "seconds": time.monotonic() - begin}
