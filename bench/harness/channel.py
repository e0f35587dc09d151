"""The origin of bench/hls viewers: nginx on files that a thread writes, one live channel per relay; its access log is counted."""

import collections
import os
import threading
import time
import zlib

from harness.processes import free_port
from harness.relays import fetch_until_served

SEGMENT_BYTES = 1_000_000
SEGMENT_SECONDS = 2
WINDOW = 6
_FIRST = 100  # a media sequence number of 0 could be a recording that has just begun
_DRIP_RATE = "160k"  # of nginx, which sends one second's worth at once: 1 MB takes about 5 s

_ORIGIN = """  types {{ video/mp2t ts; application/vnd.apple.mpegurl m3u8; }}
  log_format counted '$request_uri $status';
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {root};
    access_log {log} counted;
    location ~ ^/drip/.*ts$ {{ limit_rate {drip}; }}
  }}"""


class Origin:
    """Serves what is under its root and counts what it was asked for."""

    def __init__(self, site):
        self.root = os.path.join(site.directory, "channels")
        self._log = os.path.join(site.directory, "origin-requests")
        self._base = os.urandom(SEGMENT_BYTES - 16)
        self._checksums = {}
        os.makedirs(self.root)
        site.origin_port = free_port()
        self.write("probe.m3u8", _playlist(0, ["probe.ts"], is_ended=True))
        self.write("probe.ts", b"G" * 1024)
        http = _ORIGIN.format(port=site.origin_port, root=self.root, log=self._log, drip=_DRIP_RATE)
        process = site.processes.start(site.nginx("origin", 1, http), log=site.log("origin"))
        fetch_until_served(site.origin + "/probe.ts", process=process)

    def write(self, name, content):
        """At once: who asks gets the old file or the new one."""
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "wb") as file:
            file.write(content)
        os.replace(path + ".new", path)

    def write_segment(self, directory, number):
        """1 MB that no other number has."""
        name = f"{number}.ts"
        body = f"{number:016d}".encode() + self._base
        self._checksums[name] = zlib.crc32(body)
        self.write(f"{directory}/{name}", body)

    def checksum(self, name):
        return self._checksums[name]

    def write_recording(self, directory, numbers):
        """Segments, and for each a playlist that lists it alone."""
        for number in numbers:
            self.write_segment(directory, number)
            self.write(f"{directory}/{number}.m3u8", _playlist(0, [f"{number}.ts"], is_ended=True))

    def requests(self, directory):
        """How often each file of the directory was asked for until now."""
        time.sleep(0.3)  # nginx logs a request when it has ended
        with open(self._log, encoding="ascii") as log:
            paths = [line.split(" ")[0].split("?")[0] for line in log]
        return collections.Counter(path.rpartition("/")[2] for path in paths if path.startswith(f"/{directory}/"))


class Channel:
    """Use as a context: a live playlist of WINDOW segments that gets a new one every SEGMENT_SECONDS."""

    def __init__(self, origin, directory):
        self._origin = origin
        self._directory = directory
        self._next = _FIRST
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        for _ in range(WINDOW):
            self._add()
        self._publish()
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()

    def _run(self):
        due = time.monotonic() + SEGMENT_SECONDS
        while not self._is_over.wait(max(0, due - time.monotonic())):
            self._add()
            self._publish()
            due += SEGMENT_SECONDS

    def _add(self):
        self._origin.write_segment(self._directory, self._next)
        self._next += 1

    def _publish(self):
        first = self._next - WINDOW
        names = [f"{number}.ts" for number in range(first, self._next)]
        self._origin.write(f"{self._directory}/live.m3u8", _playlist(first, names, is_ended=False))


def _playlist(first, names, is_ended):
    lines = ["#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{SEGMENT_SECONDS}", f"#EXT-X-MEDIA-SEQUENCE:{first}"]
    for name in names:
        lines += [f"#EXTINF:{SEGMENT_SECONDS:.3f},", name]
    return "\n".join([*lines, *(["#EXT-X-ENDLIST"] if is_ended else []), ""]).encode()
