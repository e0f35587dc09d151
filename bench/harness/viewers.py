"""bench/hls viewers: many viewers of one live channel through one relay, and what of that its origin notices."""

import asyncio
import os
import statistics
from dataclasses import dataclass

from harness import players, proc, relays
from harness.channel import Channel, Origin
from harness.report import Table, number

CACHE_MEGABYTES = 64 * 1024 * 1024 / 1e6  # SEGMENT_CACHE as it is by default
_TARGET_GROWTH = CACHE_MEGABYTES + 30
_TARGET_JOINER = 0.050
_TARGET_SECOND = 0.300
_BASE_SECONDS = 3
_SECOND_LATER = 1.5

# Playlists are asked for once a second; while that happens the others get the old one, or wait for the first.
_CACHING = """  proxy_cache_path {directory}/cache levels=1:2 keys_zone=hls:10m max_size=1g inactive=10m use_temp_path=off;
  upstream origin {{ server 127.0.0.1:{origin}; keepalive {connections}; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_cache hls;
    proxy_cache_lock on;
    location ~ m3u8$ {{ proxy_pass http://origin; proxy_cache_valid 200 1s; proxy_cache_use_stale updating; }}
    location / {{ proxy_pass http://origin; proxy_cache_valid 200 10m; }}
  }}"""


@dataclass(frozen=True)
class Effort:
    viewers: int
    seconds: int
    joiners: int
    drips: int

    @staticmethod
    def of(quick):
        return Effort(100, 10, 5, 2) if quick else Effort(100, 60, 20, 5)


class Millrace(relays.Millrace):
    template = "http://127.0.0.1:{port}/proxy/hls/manifest.m3u8?d={url}"
    probe = "/probe.m3u8"


class CachingNginx(relays.Relay):
    name, label = "nginx", "nginx proxy_cache"
    probe = "/probe.m3u8"

    def command(self):
        directory = os.path.join(self.site.directory, self.name)
        http = _CACHING.format(directory=directory, port=self.port, origin=self.site.origin_port, connections=relays.CONNECTIONS)
        return self.site.nginx(self.name, "auto", http)

    def version(self):
        return relays.NginxProxyPass.version(self) + ", proxy_cache_lock, playlists 1 s, segments 10 min"


def run(site, effort, say):
    """Figures of each relay, and the relays."""
    origin = Origin(site)
    chosen = [Millrace(site), CachingNginx(site)]
    rows = []
    for relay in chosen:
        say(f"viewers: {relay.label}")
        relay.start()
        try:
            rows.append({"peer": relay.name, "label": relay.label} | asyncio.run(_measured(relay, origin, effort)))
        finally:
            relay.stop()
    return rows, chosen


async def _measured(relay, origin, effort):
    with Channel(origin, relay.name):
        audience = players.Audience(relay.url(f"/{relay.name}/live.m3u8"), origin.checksum, effort.viewers)
        row = await _watched(relay, audience, effort.seconds)
        row |= _asked(origin.requests(relay.name), audience)
    # The channel stands still now: whoever comes is a late joiner.
    before = origin.requests(relay.name)
    joiners = await players.late_joiners(audience, effort.joiners)
    more = origin.requests(relay.name) - before
    row["joiner_median"], row["joiner_slowest"] = statistics.median(joiners), max(joiners)
    row["joiner_requests"] = sum(count for name, count in more.items() if name in audience.delivered)
    return row | await _second(relay, origin, effort.drips)


async def _watched(relay, audience, seconds):
    watching = asyncio.create_task(audience.watch(seconds))
    start, pids = proc.cpu(relay.pids()), relay.pids()
    await asyncio.sleep(_BASE_SECONDS)
    base = proc.status(pids, "VmRSS") * 1024 / 1e6
    await asyncio.sleep(seconds / 2 - _BASE_SECONDS)
    half, bytes_at_half = proc.cpu(pids), audience.bytes
    await watching
    end, peak = proc.cpu(pids), proc.peak_megabytes(pids)
    return {
        "viewers": audience.viewers,
        "seconds": seconds,
        "gigabytes": audience.bytes / 1e9,
        "cpu_per_gigabyte": end.since(start).used / max(1, audience.bytes) * 1e9,
        "cpu_per_gigabyte_later": end.since(half).used / max(1, audience.bytes - bytes_at_half) * 1e9,
        "base_megabytes": base,
        "peak_megabytes": peak,
        "growth_megabytes": peak - base,
        "faults": dict(audience.faults),
    }


def _asked(requests, audience):
    """What reached the origin. Segments that nobody asked for count as what they are: none."""
    playlist = requests.pop("live.m3u8", 0)
    return {
        "segments": len(requests),
        "segment_mean": statistics.mean(requests.values()) if requests else None,
        "segment_most": max(requests.values(), default=None),
        "delivered_segments": audience.segments,
        "polls": audience.polls,
        "playlist_requests": playlist,
        "playlist_per_poll": playlist / max(1, audience.polls),
    }


async def _second(relay, origin, drips):
    directory = f"drip/{relay.name}"
    numbers = range(1, drips + 1)
    origin.write_recording(directory, numbers)
    playlists = [relay.url(f"/{directory}/{each}.m3u8") for each in numbers]
    found = await players.second_viewers(playlists, origin.checksum, _SECOND_LATER)
    requests = origin.requests(directory)
    return {
        "second_median": statistics.median(first_byte for first_byte, _ in found),
        "second_slowest": max(first_byte for first_byte, _ in found),
        "second_meanwhile": sum(is_meanwhile for _, is_meanwhile in found),
        "second_tries": len(found),
        "second_most": max(requests[f"{each}.ts"] for each in numbers),
    }


def tables(rows):
    return [table for table in (_targets(rows[0]), _origin(rows), _cost(rows), _first_bytes(rows), _faults(rows)) if table.rows]


def _origin(rows):
    note = (
        f"{rows[0]['viewers']} viewers of one live channel for {rows[0]['seconds']} s: segments of 2 s and 1 MB, a window of 6, "
        "a poll every 2 s. Counted in the origin's access log."
    )
    columns = ("relay", "segments asked for", "requests each (mean)", "(most)", "segments delivered", "polls", "of these at the origin",
               "per poll", "errors")
    return Table("What reaches the origin", note, columns, [
        (row["label"], row["segments"], number(row["segment_mean"]), row["segment_most"], f"{row['delivered_segments']:,}",
         f"{row['polls']:,}", row["playlist_requests"], number(row["playlist_per_poll"], 3), sum(row["faults"].values()))
        for row in rows
    ])


def _cost(rows):
    note = (
        "Of the same time. CPU seconds of the relay's processes per 10⁹ bytes delivered, from a fresh start, and of the second half alone. "
        f"RSS in 10⁶ bytes: after {_BASE_SECONDS} s, and `VmHWM` at the end. nginx keeps its cache in files, whose pages are in no process."
    )
    columns = ("relay", "GB", "CPU s/GB", "(second half)", "RSS base MB", "peak MB", "growth MB")
    return Table("Cost", note, columns, [
        (row["label"], number(row["gigabytes"]), number(row["cpu_per_gigabyte"]), number(row["cpu_per_gigabyte_later"]),
         number(row["base_megabytes"], 0), number(row["peak_megabytes"], 0), number(row["growth_megabytes"], 1))
        for row in rows
    ])


def _first_bytes(rows):
    note = (
        "Late joiner: comes after the others, one at a time, on a connection of its own, and asks for a segment that they have had. "
        f"Second viewer: asks for a segment {_SECOND_LATER} s after the first, while the origin drips its 1 MB over 5 s."
    )
    columns = ("relay", "late joiner ms (median)", "(slowest)", "segments asked for again", "second viewer ms (median)", "(slowest)",
               "while it arrives", "requests each (most)")
    return Table("First byte", note, columns, [
        (row["label"], number(row["joiner_median"] * 1000, 1), number(row["joiner_slowest"] * 1000, 1), row["joiner_requests"],
         number(row["second_median"] * 1000, 1), number(row["second_slowest"] * 1000, 1),
         f"{row['second_meanwhile']} of {row['second_tries']}", row["second_most"])
        for row in rows
    ])


def _faults(rows):
    note = "Everything that was not a whole, right answer."
    return Table("Errors", note, ("relay", "what", "times"), [
        (row["label"], fault, count) for row in rows for fault, count in sorted(row["faults"].items())
    ])


def _targets(row):
    made = []

    def judge(what, target, figure, holds):
        made.append((what, target, figure, "met" if holds else "**missed**"))

    wrong = sum(row["faults"].values())
    judge("errors", "0", wrong, wrong == 0)
    judge("requests at the origin per segment, most", "1", row["segment_most"], row["segment_most"] == 1)
    judge("growth of RSS", f"≤ {_TARGET_GROWTH:.0f} MB", f"{row['growth_megabytes']:.1f} MB", row["growth_megabytes"] <= _TARGET_GROWTH)
    judge("first byte of a late joiner, median", f"< {_TARGET_JOINER * 1000:.0f} ms", f"{row['joiner_median'] * 1000:.1f} ms",
          row["joiner_median"] < _TARGET_JOINER)
    judge("segments asked for again by late joiners", "0", row["joiner_requests"], row["joiner_requests"] == 0)
    judge("first byte of a second viewer, slowest", f"< {_TARGET_SECOND * 1000:.0f} ms", f"{row['second_slowest'] * 1000:.1f} ms",
          row["second_slowest"] < _TARGET_SECOND)
    all_meanwhile = row["second_meanwhile"] == row["second_tries"]
    judge("… while the segment still arrives", f"{row['second_tries']} of {row['second_tries']}",
          f"{row['second_meanwhile']} of {row['second_tries']}", all_meanwhile)
    judge("… requests at the origin for it, most", "1", row["second_most"], row["second_most"] == 1)
    growth = f"the cache of 64 MiB and 30 MB: {_TARGET_GROWTH:.0f} MB"
    return Table("Targets", f"Of {row['label']}. RSS may grow by {growth}.", ("what", "target", "figure", ""), made)
