"""Compares playlists with rewritten ones, as python3-m3u8 reads both; knows the rules and not our code.

Usage: compare.py ORIGINALS REWRITTEN LIST; a line of LIST is "path<TAB>base address". Prints a line
"path<TAB>problem" for each problem, and last "addresses<TAB>number of those that were compared".
"""
import json
import re
import sys
import warnings
from urllib.parse import parse_qs, unquote_to_bytes, urljoin, urlsplit

warnings.simplefilter("ignore")
from m3u8 import parser  # noqa: E402

PROXY = "http://proxy.test/"
LINK = re.compile(r"http://proxy\.test/\?kind=(\w+)&d=([A-Za-z0-9%._~-]*)")
ADDRESSES = ("uri", "x_asset_uri", "x_asset_list")
KINDS = {"playlists": "VARIANT", "media": "RENDITION", "iframe_playlists": "I_FRAME_VARIANT", "session_keys": "SESSION_KEY",
         "keys": "KEY", "key": "KEY", "init_section": "MAP", "segment_map": "MAP", "parts": "PART", "preload_hint": "PRELOAD_HINT",
         "rendition_reports": "RENDITION_REPORT", "session_data": "SESSION_DATA", "segments": "SEGMENT"}


def variables(text, base):
    """NAME/VALUE and QUERYPARAM definitions, by the text of their lines."""
    found = {}
    for line in re.findall(r"^#EXT-X-DEFINE:(.*?)\r?$", text, re.M):
        attributes = dict(re.findall(r'([A-Z]+)="([^"]*)"', line))
        if "VALUE" in attributes:
            found[attributes["NAME"]] = attributes["VALUE"]
        elif "QUERYPARAM" in attributes:
            values = parse_qs(urlsplit(base).query).get(attributes["QUERYPARAM"])
            if values:
                found[attributes["QUERYPARAM"]] = values[0]
    return found


class Comparison:
    def __init__(self, text, base):
        self.base = base
        self.variables = variables(text, base)
        self.addresses = 0

    def absolute(self, address):
        address = re.sub(r"\{\$([\w-]+)\}", lambda m: self.variables.get(m[1], m[0]), address)
        scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
        if not address or (scheme and scheme[1].lower() not in ("http", "https")):
            return None
        return address if scheme else urljoin(self.base, address)

    def same(self, before, after, where):
        """Equal, but for addresses that are absolute and proxied now."""
        if isinstance(before, dict) and isinstance(after, dict):
            if before.keys() != after.keys():
                return f"{where}: other names"
            return next(filter(None, (self.member(name, before, after, where) for name in before)), None)
        if isinstance(before, list) and isinstance(after, list):
            if len(before) != len(after):
                return f"{where}: {len(before)} became {len(after)}"
            return next(filter(None, (self.same(b, a, where) for b, a in zip(before, after))), None)
        return None if before == after else f"{where}: {before!r} became {after!r}"

    def member(self, name, before, after, where):
        value = before[name]
        if name in ADDRESSES and isinstance(value, str) and before.get("method") != "NONE":
            return self.proxied(value.strip('"'), str(after[name]).strip('"'), KINDS.get(where))
        return self.same(value, after[name], name if isinstance(value, (dict, list)) else where)

    def proxied(self, before, after, kind):
        expected = self.absolute(before.strip())
        if expected is None:
            return None if before == after else f"{before!r} became {after!r}"
        self.addresses += 1
        link = LINK.fullmatch(after)
        if not link:
            return f"{before!r} is not proxied: {after!r}"
        if kind and link[1] != kind:
            return f"{before!r} is {link[1]}, expected {kind}"
        got = unquote_to_bytes(link[2]).decode("utf-8", "replace")
        return None if got == expected else f"{before!r} is {got!r}, expected {expected!r}"

    def lines(self, before, after):
        """Byte for byte the same round the links."""
        befores, afters = before.split("\n"), after.split("\n")
        if len(befores) != len(afters):
            return f"{len(befores)} lines became {len(afters)}"
        for old, new in zip(befores, afters):
            pattern = "(.*?)".join(map(re.escape, re.split(LINK.pattern.replace("(", "(?:"), new)))
            match = re.fullmatch(pattern, old, re.S)
            if not match and not old.startswith("#EXT-X-DEFINE:"):
                return f"line {old!r} became {new!r}"
            for address, link in zip(match.groups() if match else (), LINK.finditer(new)):
                problem = self.proxied(address.strip(), link[0], None)
                if problem:
                    return problem
        return None


def parsed(text):
    return json.loads(json.dumps(parser.parse(text), default=str))


def read(directory, path):
    with open(f"{directory}/{path}", encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def compared(path, base, before, after):
    comparison = Comparison(before, base)
    problem = comparison.lines(before, after)
    if problem:
        return problem, 0
    comparison.addresses = 0
    try:
        original = parsed(before)
    except Exception as failure:  # whatever a parser does with a bad playlist
        return f"unreadable: {type(failure).__name__}", 0
    return comparison.same(original, parsed(after), ""), comparison.addresses


def main():
    originals, rewritten, listed = sys.argv[1:]
    addresses = 0
    for line in open(listed, encoding="utf-8").read().splitlines():
        path, base = line.split("\t")
        problem, count = compared(path, base, read(originals, path), read(rewritten, path))
        addresses += count
        if problem:
            print(f"{path}\t{problem}")
    print(f"addresses\t{addresses}")


main()
