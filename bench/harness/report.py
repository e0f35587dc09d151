"""Tables of the figures, for the terminal and as Markdown, and the verdict on each target."""

import statistics
from dataclasses import dataclass

from harness.modes import REFERENCE


@dataclass(frozen=True)
class Table:
    title: str
    note: str
    columns: tuple
    rows: list

    def text(self):
        cells = [self.columns, *self.rows]
        widths = [max(len(str(row[i])) for row in cells) for i in range(len(self.columns))]
        lines = ["  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
        return "\n".join([self.title, "-" * len(self.title), self.note, "", *lines, ""])

    def markdown(self):
        def line(cells):
            return "| " + " | ".join(str(cell) for cell in cells) + " |"

        return "\n".join(
            [f"## {self.title}", "", self.note, "", line(self.columns), "|" + "---|" * len(self.columns)]
            + [line(row) for row in self.rows]
            + [""]
        )


def number(value, digits=2):
    return "–" if value is None or value == -1 else f"{value:,.{digits}f}"


def tables(results, labels, subject):
    made = [_targets(results, subject)]
    for mode, make in _TABLES.items():
        if mode in results:
            made.append(make(results[mode], labels))
    made.append(_faults(results, labels))
    return [table for table in made if table.rows]


def _reference(result, labels):
    rows = [
        (row["clients"], labels[row["peer"]], number(row["requests_per_second"], 1),
         number(row["megabytes_per_second"], 0), number(row["ratio"]), number(row["fairness"]),
         number(row["median_seconds"], 3), number(row["slowest_seconds"], 3), row["timeouts"], row["errors"])
        for row in result["rows"]
    ]
    note = (
        "Rounds of *c* concurrent GETs of 7 MiB, relays taking turns. Median over the timed rounds; the ratio is the "
        "median of the ratios of rounds that lie next to each other; fairness: slowest / median request of a round."
    )
    columns = ("clients", "relay", "requests/s", "MB/s", "× HAProxy", "fairness", "median s", "slowest s", "time-outs", "errors")
    return Table("Throughput, reference method", note, columns, rows)


def _cost(result, labels):
    rows = [
        (row["clients"], labels[row["peer"]], number(row["gigabytes"], 1), number(row["cpu_per_gigabyte"], 3),
         number(row["ratio"]), f"{number(min(row['ratios'], default=None))}–{number(max(row['ratios'], default=None))}",
         number(row["ticks_cpu_per_gigabyte"], 3), number(row["megabytes_per_second"], 0), number(row["speed_ratio"]),
         number(row["peak_megabytes"], 0), row["errors"])
        for row in result["rows"]
    ]
    note = (
        "CPU seconds of the relay's processes (sum over threads, `schedstat`; the process clock where threads ended) per "
        "10⁹ bytes; fresh processes per level, warmed; small blocks, relays taking turns; median of the ratios block by block. "
        "`ticks`: the same from utime + stime. RSS: `VmHWM`, 10⁶ bytes."
    )
    columns = ("clients", "relay", "GB", "CPU s/GB", "× HAProxy", "range", "ticks s/GB", "MB/s", "MB/s × HAProxy", "peak RSS MB", "errors")
    return Table("Cost", note, columns, rows)


def _rss(result, labels):
    rows = [
        (row["clients"], labels[row["peer"]], number(row["idle_megabytes"], 0), number(row["peak_megabytes"], 0))
        for row in result["rows"]
    ]
    note = "`VmHWM` of fresh processes after the first request and after the same number of bytes at each level; 10⁶ bytes."
    return Table("Peak memory", note, ("clients", "relay", "at first MB", "peak MB"), rows)


def _ttfb(result, labels):
    rows = [
        (labels[row["peer"]], number(row["direct"], 3), number(row["via"], 3), number(row["added"], 3), number(row["added95"], 3))
        for row in result["rows"]
    ]
    note = (
        "1 KiB; pairs of a direct and a relayed request, who goes first alternates; one kept-alive connection on each side; "
        "as many pairs again before, unmeasured."
    )
    return Table("Added time to first byte", note, ("relay", "direct ms", "relayed ms", "added ms (median)", "added ms (95 %)"), rows)


def _slow(result, labels):
    rows = [
        (labels[result["peer"]], f"{result['served']} of {result['readers']}", result["cut"],
         number(result["firstMedian"] * 1000, 0), number(result["firstSlowest"] * 1000, 0),
         number(result["rateMedian"] / 1000, 0), number(result["peak_megabytes"], 0), result["threads"],
         f"{result['probes']} of 20", number(result["probeMedian"] * 1000, 1), number(result["probeSlowest"] * 1000, 1))
    ]
    note = (
        f"Readers of 100 KB/s each with receive buffers of 16 KiB on bodies of 10⁹ bytes, for {result['seconds']:.0f} s; "
        "20 new clients in the second half: connecting to first byte."
    )
    columns = ("relay", "got first byte", "cut", "first byte ms (median)", "(slowest)", "KB/s each", "peak RSS MB",
               "threads", "new clients served", "their first byte ms (median)", "(slowest)")
    return Table("Slow readers", note, columns, rows)


def _start(result, labels):
    note = "From launching the process to the first byte of 1 KiB through it."
    row = (labels[result["peer"]], result["count"], number(result["median"], 3), number(result["slowest"], 3))
    return Table("Start", note, ("relay", "starts", "median s", "slowest s"), [row])


_CASES = {
    "paused": "client reads 5 MB of 200 MB, pauses, reads on",
    "slow": "origin sends 50 KB/s all the time",
    "silent": "origin falls silent in mid-body, client waits",
}


def _pause(result, labels):
    rows = [
        (_CASES[name], case["ended"], f"{case['bytes']:,} of {case['length']:,}", number(case["seconds"], 1))
        for name, case in sorted(result["cases"].items())
    ]
    note = (
        f"{labels[result['peer']]}, real time, {result['silence']:.0f} s each, all at once. The first two must end whole; "
        "the third must be cut at the idle limit if that is shorter, never ended as if complete and never hang."
    )
    return Table("Pauses", note, ("case", "ended", "bytes", "s"), rows)


def _with_and_without(result):
    rows = [
        (row["clients"], number(row["off"], 3), number(row["on"], 3), number(row["ratio"], 3),
         f"{number(row['lowest'])}–{number(row['highest'])}")
        for row in result["rows"]
    ]
    return ("clients", "off", "on", "ratio (median)", "range"), rows


def _watched(result, labels):
    note = "CPU s/GB without metrics, access log and password, and with all three and a scrape every 15 s; blocks that take turns."
    return Table("What watching costs", note, *_with_and_without(result))


def _sealed(result, labels):
    note = "CPU s/GB of an open server, and of one with a password by sealed links (expiry, address, one header); blocks that take turns."
    return Table("What sealed links cost", note, *_with_and_without(result))


def _resume(result, labels):
    note = "A body of 4 MB that its origin cuts once at half, against one that is not cut; pairs that take turns; all compared byte for byte."
    row = (labels[result["peer"]], result["pairs"], number(result["whole"] * 1000, 1), number(result["cut"] * 1000, 1),
           number(result["added"] * 1000, 1), number(result["slowest"] * 1000, 1), result["wrong"])
    columns = ("relay", "pairs", "whole ms", "cut ms", "added ms (median)", "(slowest)", "wrong bodies")
    return Table("Resuming", note, columns, [row])


def _deployments(result, labels):
    rows = [
        (row["clients"], row["label"], number(row["megabytes_per_second"], 0), number(row["ratio"]),
         number(row["cpu_per_gigabyte"], 3), row["errors"])
        for row in result["rows"]
    ]
    note = "GETs of 7 MiB, deployments taking turns in small blocks, warmed; ratio of throughput to the jar, median of the ratios block by block."
    return Table("Deployments", note, ("clients", "deployment", "MB/s", "× the jar", "CPU s/GB", "errors"), rows)


_TABLES = {
    "reference": _reference, "cost": _cost, "rss": _rss, "ttfb": _ttfb, "slow": _slow, "start": _start, "pause": _pause,
    "watched": _watched, "sealed": _sealed, "resume": _resume, "deployments": _deployments,
}


def _faults(results, labels):
    rows = [
        (mode, labels.get(peer, peer), fault, count)
        for mode, result in results.items()
        for peer, faults in result.get("faults", {}).items()
        for fault, count in faults.items()
    ]
    return Table("Errors", "Everything that was not a whole, right answer, warm-ups included.", ("mode", "relay", "what", "times"), rows)


def _targets(results, subject):
    rows = []

    def judge(what, target, value, holds, digits=2, unit=""):
        if value is not None:
            rows.append((what, target, number(value, digits) + unit, "met" if holds else "**missed**"))

    for mode, rule in _RULES.items():
        if mode in results:
            rule(results[mode], subject, judge)
    wrong = sum(sum(r.get("faults", {}).get(subject, {}).values()) for r in results.values())
    if any("faults" in r for r in results.values()):
        judge("errors and time-outs", "0", wrong, wrong == 0, 0)
    return Table("Targets", "Ratios are taken within this run.", ("what", "target", "figure", ""), rows)


def _against(rows, subject, other, figure):
    """Per level: subject's figure over the other's."""
    theirs = {row["clients"]: row[figure] for row in rows if row["peer"] == other}
    return [
        row[figure] / theirs[row["clients"]]
        for row in rows
        if row["peer"] == subject and theirs.get(row["clients"])
    ]


def _own(rows, subject, figure):
    return [row[figure] for row in rows if row["peer"] == subject and row[figure] is not None]


def _judge_reference(result, subject, judge):
    ratios = _own(result["rows"], subject, "ratio")
    if ratios and subject != REFERENCE:
        middle = statistics.median(ratios)
        judge("throughput against HAProxy, median over levels", "≥ 0.9", middle, middle >= 0.9)
        judge("… lowest level", "≥ 0.8", min(ratios), min(ratios) >= 0.8)
    other = _against(result["rows"], subject, "nginx", "requests_per_second")
    if other:
        middle = statistics.median(other)
        judge("throughput against nginx, median over levels", "≥ 1.2", middle, middle >= 1.2)
    for row in result["rows"]:
        if row["peer"] == subject and row["clients"] == 100:
            judge("fairness at 100 clients", "≤ 3", row["fairness"], row["fairness"] <= 3)


def _judge_cost(result, subject, judge):
    ratios = _own(result["rows"], subject, "ratio")
    if ratios and subject != REFERENCE:
        middle = statistics.median(ratios)
        judge("CPU per GB against HAProxy, median over levels", "≤ 1.3", middle, middle <= 1.3)
        judge("… highest level", "≤ 1.5", max(ratios), max(ratios) <= 1.5)
    for peer, name in (("nginx", "nginx"), ("stock", "the stock servlet")):
        other = _against(result["rows"], subject, peer, "cpu_per_gigabyte")
        if other:
            middle = statistics.median(other)
            judge(f"CPU per GB against {name}, median over levels", "≤ 0.6", middle, middle <= 0.6)


def _judge_rss(result, subject, judge):
    peaks = {row["clients"]: row["peak_megabytes"] for row in result["rows"] if row["peer"] == subject}
    if 100 in peaks and 10 in peaks:
        judge("peak RSS at 100 clients", "≤ 170 MB", peaks[100], peaks[100] <= 170, 0, " MB")
        more = peaks[100] - peaks[10]
        judge("… above that at 10", "≤ 20 MB", more, more <= 20, 1, " MB")


def _judge_ttfb(result, subject, judge):
    for row in result["rows"]:
        if row["peer"] == subject:
            judge("added time to first byte, median", "≤ 2 ms", row["added"], row["added"] <= 2, 3, " ms")


def _judge_slow(result, subject, judge):
    readers = result["readers"]
    judge("slow readers that got their first byte", f"{readers}", result["served"], result["served"] == readers, 0)
    judge("slow readers that were cut", "0", result["cut"], result["cut"] == 0, 0)
    judge("RSS with slow readers", "≤ 250 MB", result["peak_megabytes"], result["peak_megabytes"] <= 250, 0, " MB")
    judge("threads with slow readers", "≤ 64", result["threads"], result["threads"] <= 64, 0)
    fast = result["probes"] == 20 and result["probeMedian"] < 0.1
    judge("first byte of 20 new clients meanwhile, median", "< 100 ms", result["probeMedian"] * 1000, fast, 1, " ms")


def _judge_start(result, subject, judge):
    judge("start to first byte, median", "< 1.5 s", result["median"], result["median"] < 1.5, 2, " s")


def _judge_watched(result, subject, judge):
    middle = statistics.median(row["ratio"] for row in result["rows"])
    judge("CPU per GB, watched / not", "≤ 1.03", middle, middle <= 1.03, 3)


def _judge_sealed(result, subject, judge):
    middle = statistics.median(row["ratio"] for row in result["rows"])
    judge("CPU per GB, sealed links / open", "≤ 1.03", middle, middle <= 1.03, 3)


def _judge_resume(result, subject, judge):
    right = result["added"] <= 0.05 and not result["wrong"]
    judge("time that a cut adds, median", "≤ 50 ms", result["added"] * 1000, right, 1, " ms")


def _judge_deployments(result, subject, judge):
    ratios = [row["ratio"] for row in result["rows"] if row["label"].startswith("Tomcat") and "documented" in row["label"]]
    middle = statistics.median(ratios)
    judge("throughput in Tomcat as documented / the jar", "≥ 0.45", middle, middle >= 0.45)


_RULES = {
    "reference": _judge_reference, "cost": _judge_cost, "rss": _judge_rss, "ttfb": _judge_ttfb,
    "slow": _judge_slow, "start": _judge_start, "watched": _judge_watched, "sealed": _judge_sealed, "resume": _judge_resume,
    "deployments": _judge_deployments,
}
