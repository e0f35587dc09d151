"""What a report says about the machine and the code."""

import os
import platform
import subprocess

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo", encoding="ascii") as file:
        memory = int(file.readline().split()[1]) / 1e6
    return (f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB, "
            f"Linux {platform.release().split('-')[0]}")


def commit():
    def git(*words):
        done = subprocess.run(["git", "-C", PROJECT, *words], capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "src", "pom.xml", "bench")
    return (git("rev-parse", "--short", "HEAD") or "unknown") + (" with changes" if changed else "")
