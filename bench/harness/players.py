"""Players in one asyncio process: they poll a playlist, fetch what is new in it, and check every body."""

import asyncio
import collections
import re
import time
import urllib.parse
import zlib
from dataclasses import dataclass

from harness.channel import SEGMENT_SECONDS

_TIMEOUT_SECONDS = 10
_READ_BYTES = 256 * 1024
_BEHIND = 3  # segments from the end at which a player begins (RFC 8216, 6.3.3)
_NAME = re.compile(r"(\d+\.ts)(?:$|&)")


@dataclass
class Answer:
    status: int
    first_byte: float  # seconds from asking, connecting included where it was needed
    began: float  # time.monotonic() of the first byte of the body
    ended: float
    length: int
    checksum: int
    body: bytes


class Connection:
    """One kept-alive connection. One that the server has closed while idle is replaced without counting as an error."""

    def __init__(self):
        self._reader = self._writer = None

    def close(self):
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None

    async def get(self, url, timeout=_TIMEOUT_SECONDS, keeps_body=False):
        try:
            return await asyncio.wait_for(self._get(url, keeps_body), timeout)
        except BaseException:
            self.close()
            raise

    async def _get(self, url, keeps_body):
        asked = time.monotonic()
        parts = urllib.parse.urlsplit(url)
        query = "?" + parts.query if parts.query else ""
        question = f"GET {parts.path}{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n".encode()
        was_open = self._writer is not None
        try:
            head = await self._ask(parts, question)
        except (ConnectionError, asyncio.IncompleteReadError) as e:
            if not was_open or getattr(e, "partial", b""):
                raise
            self.close()
            head = await self._ask(parts, question)
        return await self._receive(asked, head, keeps_body)

    async def _ask(self, parts, question):
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2 * _READ_BYTES)
        self._writer.write(question)
        return (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")

    async def _receive(self, asked, head, keeps_body):
        status, *lines = head.rstrip().split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length, checksum, began, kept = 0, 0, 0, []
        async for piece in self._pieces(fields):
            began = began or time.monotonic()
            length += len(piece)
            checksum = zlib.crc32(piece, checksum)
            if keeps_body:
                kept.append(piece)
        if fields.get("connection", "").lower() == "close":
            self.close()
        ended = time.monotonic()
        return Answer(int(status.split(" ")[1]), (began or ended) - asked, began, ended, length, checksum, b"".join(kept))

    async def _pieces(self, fields):
        if fields.get("transfer-encoding", "").lower() == "chunked":
            while size := int((await self._reader.readuntil(b"\r\n")).split(b";")[0], 16):
                async for piece in self._exactly(size):
                    yield piece
                await self._reader.readexactly(2)
            await self._reader.readuntil(b"\r\n")
        else:
            async for piece in self._exactly(int(fields["content-length"])):
                yield piece

    async def _exactly(self, length):
        while length:
            piece = await self._reader.read(min(length, _READ_BYTES))
            if not piece:
                raise asyncio.IncompleteReadError(b"cut", length)
            length -= len(piece)
            yield piece


def listed(text, base):
    """Number of the first segment of a media playlist, and the addresses of all."""
    first = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text).group(1))
    return first, [urllib.parse.urljoin(base, line) for line in text.splitlines() if line and not line.startswith("#")]


def name_of(address):
    """The file at the origin that a link leads to, whatever else is in it."""
    return _NAME.search(urllib.parse.unquote(address)).group(1)


class Audience:
    """So many viewers of one live channel, spread over the time between two polls."""

    def __init__(self, playlist, checksum, viewers):
        self.playlist = playlist
        self.checksum = checksum
        self.viewers = viewers
        self.polls = self.bytes = self.segments = 0
        self.delivered = set()  # names of segments
        self.faults = collections.Counter()

    async def watch(self, seconds):
        await asyncio.gather(*(self._view(number, time.monotonic() + seconds) for number in range(self.viewers)))

    async def _view(self, number, until):
        await asyncio.sleep(number * SEGMENT_SECONDS / self.viewers)
        connection, following = Connection(), None
        due = time.monotonic()
        while due < until:
            following = await self._step(connection, following)
            due += SEGMENT_SECONDS
            await asyncio.sleep(max(0, due - time.monotonic()))
        connection.close()

    async def _step(self, connection, following):
        """One poll, and what is new in it. Returns the number of the next segment."""
        self.polls += 1
        answer = await self._fetched(connection, self.playlist, "playlist", keeps_body=True)
        if answer is None:
            return following
        first, addresses = listed(answer.body.decode(), self.playlist)
        following = first + max(0, len(addresses) - _BEHIND) if following is None else following
        if following < first:
            self.faults["segments gone before they could be fetched"] += first - following
        for number in range(max(first, following), first + len(addresses)):
            address = addresses[number - first]
            answer = await self._fetched(connection, address, "segment")
            if answer is not None:
                self.segments += 1
                self.delivered.add(name_of(address))
                if answer.checksum != self.checksum(name_of(address)):
                    self.faults["segment with wrong bytes"] += 1
        return max(following, first + len(addresses))

    async def _fetched(self, connection, url, what, keeps_body=False):
        try:
            answer = await connection.get(url, keeps_body=keeps_body)
        except asyncio.TimeoutError:
            self.faults[f"{what}: time-out"] += 1
        except (OSError, ValueError, KeyError, asyncio.IncompleteReadError) as e:
            self.faults[f"{what}: {type(e).__name__}"] += 1
        else:
            self.bytes += answer.length
            if answer.status == 200:
                return answer
            self.faults[f"{what}: status {answer.status}"] += 1
        return None


async def late_joiners(audience, count):
    """First bytes in seconds of viewers who come one by one, on connections of their own, for a segment that others have had."""
    found = []
    for number in range(count):
        connection = Connection()
        answer = await connection.get(audience.playlist, keeps_body=True)
        connection.close()
        _, addresses = listed(answer.body.decode(), audience.playlist)
        had = [address for address in addresses if name_of(address) in audience.delivered]
        address = had[number % len(had)]
        answer = await connection.get(address)
        connection.close()
        if answer.status != 200 or answer.checksum != audience.checksum(name_of(address)):
            raise RuntimeError(f"late joiner: status {answer.status}, {answer.length} bytes")
        found.append(answer.first_byte)
    return found


async def second_viewers(playlists, checksum, seconds_later):
    """Per playlist of one dripping segment: first byte of a second viewer, and whether the first was still receiving."""
    return await asyncio.gather(*(_second_viewer(playlist, checksum, seconds_later) for playlist in playlists))


async def _second_viewer(playlist, checksum, seconds_later):
    first, second = Connection(), Connection()
    answer = await first.get(playlist, keeps_body=True)
    (address,) = listed(answer.body.decode(), playlist)[1]
    running = asyncio.create_task(first.get(address, timeout=30))
    await asyncio.sleep(seconds_later)
    late = await second.get(address, timeout=30)
    early = await running
    first.close()
    second.close()
    for got in (early, late):
        if got.status != 200 or got.checksum != checksum(name_of(address)):
            raise RuntimeError(f"viewer of a segment that arrives: status {got.status}, {got.length} bytes")
    return late.first_byte, late.began < early.ended
