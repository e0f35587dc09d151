"""An independent reader of MP4 files (ISO/IEC 14496-12): which samples of which track are in them.

    python3 samples.py FILE [FILE ...]

The files are taken as one, in their order (initialization segment, then segments). Fragmented
and progressive files are read. One line for each sample, tracks in the order of their ids:

    TRACK <tab> SIZE <tab> MD5

Written from the standard with nothing but the standard library, and knows nothing of protection:
it tells whether two files hold the same samples. Exit code 1 and a line on standard error if a
file contradicts the standard.
"""

import hashlib
import struct
import sys


class Malformed(Exception):
    pass


def boxes(data, start, end):
    """Type, first byte of the header, first byte of the content, end."""
    at = start
    while end - at >= 8:
        size, kind = struct.unpack_from(">I4s", data, at)
        content = at + 8
        if size == 1:
            if end - at < 16:
                raise Malformed("no room for a large size at %d" % at)
            (size,) = struct.unpack_from(">Q", data, content)
            content += 8
        elif size == 0:
            size = end - at
        if size < content - at or size > end - at:
            raise Malformed("box %r at %d has the size %d of %d" % (kind, at, size, end - at))
        yield kind, at, content, at + size
        at += size


def child(data, start, end, *path):
    """The content of the first box on a path, or None."""
    for name in path:
        for kind, _, content, stop in boxes(data, start, end):
            if kind == name:
                start, end = content, stop
                break
        else:
            return None
    return start, end


def u32(data, at):
    return struct.unpack_from(">I", data, at)[0]


def u64(data, at):
    return struct.unpack_from(">Q", data, at)[0]


def track_id(data, trak):
    start, _ = child(data, *trak, b"tkhd")
    return u32(data, start + (12 if data[start] == 0 else 20))


def chunk_offsets(data, stbl):
    narrow = child(data, *stbl, b"stco")
    if narrow:
        at, _ = narrow
        return [u32(data, at + 8 + 4 * i) for i in range(u32(data, at + 4))]
    wide = child(data, *stbl, b"co64")
    if wide:
        at, _ = wide
        return [u64(data, at + 8 + 8 * i) for i in range(u32(data, at + 4))]
    return []


def sample_sizes(data, stbl):
    found = child(data, *stbl, b"stsz")
    if found:
        at, _ = found
        fixed, count = u32(data, at + 4), u32(data, at + 8)
        if fixed:
            return [fixed] * count
        return [u32(data, at + 12 + 4 * i) for i in range(count)]
    found = child(data, *stbl, b"stz2")
    if not found:
        return []
    at, _ = found
    bits, count = data[at + 7], u32(data, at + 8)
    at += 12
    if bits == 16:
        return [struct.unpack_from(">H", data, at + 2 * i)[0] for i in range(count)]
    if bits == 8:
        return [data[at + i] for i in range(count)]
    return [data[at + i // 2] >> (0 if i % 2 else 4) & 15 for i in range(count)]


def progressive(data, trak):
    """Position and size of the samples that the movie itself lists."""
    stbl = child(data, *trak, b"mdia", b"minf", b"stbl")
    if not stbl:
        return
    offsets, sizes = chunk_offsets(data, stbl), sample_sizes(data, stbl)
    found = child(data, *stbl, b"stsc")
    runs = []
    if found:
        at, _ = found
        for i in range(u32(data, at + 4)):
            runs.append((u32(data, at + 8 + 12 * i), u32(data, at + 12 + 12 * i)))
    sample = 0
    for number, position in enumerate(offsets, 1):
        in_chunk = 0
        for first, count in runs:
            if first <= number:
                in_chunk = count
        for _ in range(in_chunk):
            if sample == len(sizes):
                raise Malformed("chunks hold more samples than there are sizes")
            yield position, sizes[sample]
            position += sizes[sample]
            sample += 1
    if sample != len(sizes):
        raise Malformed("chunks hold %d of %d samples" % (sample, len(sizes)))


def default_sizes(data, moov):
    sizes = {}
    for kind, _, content, end in boxes(data, *moov):
        if kind == b"mvex":
            for inner, _, at, _ in boxes(data, content, end):
                if inner == b"trex":
                    sizes[u32(data, at + 4)] = u32(data, at + 16)
    return sizes


def track_fragments(data, moof_at, moof, defaults):
    """Track, position and size of the samples of a moof (8.8.4 to 8.8.8)."""
    behind = moof_at  # of the data of the track fragment before
    for kind, _, content, end in boxes(data, *moof):
        if kind != b"traf":
            continue
        tfhd, _ = child(data, content, end, b"tfhd")
        flags = u32(data, tfhd) & 0xFFFFFF
        track = u32(data, tfhd + 4)
        at = tfhd + 8
        base = moof_at if flags & 0x20000 else behind
        if flags & 0x1:
            base = u64(data, at)
            at += 8
        at += 4 if flags & 0x2 else 0
        at += 4 if flags & 0x8 else 0
        size = u32(data, at) if flags & 0x10 else defaults.get(track, 0)
        position = base
        for inner, _, trun, _ in boxes(data, content, end):
            if inner != b"trun":
                continue
            run = u32(data, trun) & 0xFFFFFF
            count = u32(data, trun + 4)
            field = trun + 8
            if run & 0x1:
                position = base + struct.unpack_from(">i", data, field)[0]
                field += 4
            field += 4 if run & 0x4 else 0
            for _ in range(count):
                field += 4 if run & 0x100 else 0
                length = u32(data, field) if run & 0x200 else size
                field += 4 if run & 0x200 else 0
                field += 4 if run & 0x400 else 0
                field += 4 if run & 0x800 else 0
                yield track, position, length
                position += length
        behind = position


def samples(data):
    """Per track the samples in their order."""
    found, defaults = {}, {}
    for kind, start, content, end in boxes(data, 0, len(data)):
        if kind == b"moov":
            defaults = default_sizes(data, (content, end))
            for inner, _, at, stop in boxes(data, content, end):
                if inner == b"trak":
                    track = track_id(data, (at, stop))
                    found.setdefault(track, []).extend(progressive(data, (at, stop)))
        elif kind == b"moof":
            for track, position, size in track_fragments(data, start, (content, end), defaults):
                found.setdefault(track, []).append((position, size))
    return found


def main(names):
    data = bytearray()
    for name in names:
        with open(name, "rb") as file:
            data += file.read()
    view = memoryview(data)
    for track, places in sorted(samples(data).items()):
        for position, size in places:
            if position < 0 or position + size > len(data):
                raise Malformed("a sample of track %d is not in the file" % track)
            digest = hashlib.md5(view[position : position + size]).hexdigest()
            print("%d\t%d\t%s" % (track, size, digest))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Malformed, struct.error, TypeError, IndexError) as problem:
        sys.exit("samples.py: %s" % problem)
