"""Reads all playlists of a directory with python3-m3u8, and checks what players take for granted.

Usage: read.py DIRECTORY; prints a line "name<TAB>problem" for each problem, and last
"segments<TAB>number of all".
"""
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
import m3u8  # noqa: E402


def problems(playlist):
    if playlist.is_variant:
        if not playlist.playlists:
            yield "no variant"
        groups = {(media.type, media.group_id) for media in playlist.media}
        for variant in playlist.playlists:
            info = variant.stream_info
            if not info.bandwidth or not variant.uri:
                yield "a variant without bandwidth or address"
            if info.audio and ("AUDIO", info.audio) not in groups:
                yield "no such audio group"
            if info.subtitles and ("SUBTITLES", info.subtitles) not in groups:
                yield "no such subtitle group"
        names = [(media.type, media.name) for media in playlist.media]
        if len(set(names)) != len(names):
            yield "two renditions of one name"
        return
    if not playlist.segments:
        yield "no segment"
    for segment in playlist.segments:
        if not segment.uri or not segment.duration or segment.duration <= 0:
            yield "a segment without address or duration"
        elif round(segment.duration) > playlist.target_duration:
            yield "a segment longer than the target duration"
    if playlist.playlist_type == "vod" and not playlist.is_endlist:
        yield "of the type VOD without an end"
    for before, after in zip(playlist.segments, playlist.segments[1:]):
        if not after.discontinuity and after.program_date_time and before.program_date_time:
            gap = (after.program_date_time - before.program_date_time).total_seconds() - before.duration
            if abs(gap) > 0.002 + before.duration / 2:
                yield "time is missing without a discontinuity"


total = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.m3u8")):
    playlist = m3u8.loads(path.read_text(encoding="utf-8"))
    total += len(playlist.segments)
    for problem in dict.fromkeys(problems(playlist)):
        print(f"{path.name}\t{problem}")
print(f"segments\t{total}")
