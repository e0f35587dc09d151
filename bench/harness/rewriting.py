"""bench/hls rewrite: how fast playlists are rewritten, and what that allocates. One thread, JMH."""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROJECT = os.path.dirname(BENCH)
TARGET_MB_PER_S = 200
TARGET_ALLOCATION = 3
FORMS = {"plain": "plain links", "token": "token links"}


def java(name):
    home = os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin", name) if home else shutil.which(name) or sys.exit(f"needs {name} of a JDK 17 or later")


def class_path(work):
    """JMH by Maven, Millrace as `mvn package` has made it."""
    own = os.path.join(PROJECT, "target", "millrace", "millrace.jar")
    if not os.path.exists(own):
        sys.exit("target/millrace is missing: mvn -q package -DskipTests")
    listed = os.path.join(work, "class-path")
    subprocess.run(["mvn", "-q", "-B", "-f", os.path.join(BENCH, "jmh", "pom.xml"),
                    "dependency:build-classpath", f"-Dmdep.outputFile={listed}"], check=True)
    with open(listed, encoding="utf-8") as file:
        return os.pathsep.join([own, *sorted(glob.glob(os.path.join(PROJECT, "target", "millrace", "lib", "*.jar"))), file.read().strip()])


def measured(quick, path, work):
    classes = os.path.join(work, "classes")
    subprocess.run([java("javac"), "--release", "17", "-cp", path, "-d", classes,
                    os.path.join(BENCH, "jmh", "RewritingBenchmark.java")], check=True)
    result = os.path.join(work, "result.json")
    effort = ["-f", "1", "-wi", "2", "-w", "1", "-i", "2", "-r", "1"] if quick else ["-f", "3", "-wi", "5", "-w", "2", "-i", "5", "-r", "2"]
    subprocess.run([java("java"), "-cp", os.pathsep.join([classes, path]), "org.openjdk.jmh.Main", "RewritingBenchmark",
                    "-prof", "gc", "-rf", "json", "-rff", result, "-v", "SILENT", *effort], check=True, stdout=sys.stderr)
    with open(result, encoding="utf-8") as file:
        return json.load(file)


def secondary(result, name):
    """JMH puts a middle dot before the names of its profilers in some versions."""
    return next(metric["score"] for key, metric in result["secondaryMetrics"].items() if key.lstrip("·") == name)


def rows(results):
    """Of each form: name, MB of output per second, bytes allocated per byte of input, bytes of output per byte of input."""
    found = []
    for result in results:
        per_second = {name: secondary(result, name) for name in ("in", "out")}
        playlist = per_second["in"] / result["primaryMetric"]["score"]
        form = result["benchmark"].rsplit(".", 1)[1]
        found.append((form, per_second["out"] / 1e6, secondary(result, "gc.alloc.rate.norm") / playlist, per_second["out"] / per_second["in"]))
    return found


def table(found):
    lines = ["| form | MB/s of output | target | allocated / input | target | output / input |", "|---|---|---|---|---|---|"]
    for form, speed, allocated, growth in found:
        is_plain = form == "plain"
        lines.append(f"| {FORMS[form]} | {speed:.0f} | {f'≥ {TARGET_MB_PER_S}' if is_plain else '–'} | {allocated:.2f} |"
                     f" {f'≤ {TARGET_ALLOCATION}' if is_plain else '–'} | {growth:.2f} |")
    return "\n".join(lines)


def run(quick, path=None):
    """Prints the table; returns it, and whether the targets are met."""
    with tempfile.TemporaryDirectory() as work:
        found = rows(measured(quick, path or class_path(work), work))
    text = table(found)
    print(text)
    return text, all(speed >= TARGET_MB_PER_S and allocated <= TARGET_ALLOCATION for form, speed, allocated, _ in found if form == "plain")
