"""The same proxy in other containers, against the jar."""

import os
import statistics

from harness import modes, relays
from harness.processes import free_port


class War(relays.Millrace):
    """target/millrace.war in a container that a launcher of the tests starts."""

    def __init__(self, site, name, label, *options):
        super().__init__(site)
        self.name, self.label, self._options = name, label, options

    def command(self):
        target = self._target()
        launcher = os.path.join(os.path.dirname(target), "src/test/containers/TomcatMain.java")
        return [self.site.java, *self.site.jvm_flags, "-Dmillrace.ALLOW_TARGETS=loopback",
                "-cp", os.path.join(target, "containers/tomcat/*"), launcher, "--port", str(self.port),
                "--war", os.path.join(target, "millrace.war"), *self._options]

    def _target(self):
        return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(self.site.millrace))))

    def launch(self):
        """It ends when its standard input does."""
        self.port = free_port()
        self.process = self.site.processes.start(
            self.command(), self.site.log(self.name), self.environment(),
            os.path.dirname(self._target()), piped=True,
        )

    def start(self):
        relays.Relay.start(self)


def deployments(bench, levels=(10, 50), pairs=5):
    """Blocks of 7 MiB bodies; deployments take turns; ratio to the jar block by block."""
    jar = bench.subject
    chosen = [jar] + [
        War(bench.site, "tomcat", "Tomcat, defaults"),
        War(bench.site, "tomcat-documented", "Tomcat, documented settings", "--documented"),
    ]
    rows, faults = [], {}
    for clients in levels:
        requests = -(-int(bench.effort.cell_bytes / 4 / pairs / modes.MEGABYTES_7 + 1) // clients) * clients
        bench.load.ask("forget", 10)
        for relay in chosen:
            relay.start()
        try:
            for relay in chosen:
                modes.note_faults(faults, relay, bench.round(relay, clients, modes.WARM_UP_REQUESTS // 2))
            taken = {relay.name: [] for relay in chosen}
            for number in range(pairs):
                for relay in modes.rotated(chosen, number):
                    block = modes.measured_block(bench, relay, clients, requests)
                    modes.note_faults(faults, relay, block)
                    taken[relay.name].append(block)
        finally:
            for relay in chosen:
                relay.stop()
        for relay in chosen:
            mine = taken[relay.name]
            rows.append({
                "label": relay.label, "clients": clients,
                "megabytes_per_second": statistics.median(block["speed"] for block in mine),
                "ratio": statistics.median(a["speed"] / b["speed"] for a, b in zip(mine, taken[jar.name])),
                "cpu_per_gigabyte": statistics.median(block["cpu"] for block in mine),
                "errors": sum(sum(block["errors"].values()) for block in mine),
            })
        bench.say(f"deployments, {clients} clients: done")
    return {"rows": rows, "faults": faults}
