"""The origin and the relays, each started with a configuration made for the run."""

import glob
import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field

from harness import proc
from harness.processes import free_port

CONNECTIONS = 10  # to the origin, for every relay that has a limit
_START_SECONDS = 30
_FALLBACK_JVM_FLAGS = ["-Xms64m", "-Xmx64m", "-XX:MaxDirectMemorySize=320m", "-Xss512k", "-XX:+UseSerialGC"]

_NGINX = """daemon off;
user root;
pid {directory}/nginx.pid;
error_log stderr error;
worker_processes {workers};
worker_rlimit_nofile {files};
events {{ worker_connections 8192; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  types {{ video/mp4 mp4; }}
  keepalive_timeout 3600;
  keepalive_requests 1000000000;
  send_timeout 3600;
  client_body_temp_path {directory}/body;
  proxy_temp_path {directory}/proxy;
  fastcgi_temp_path {directory}/fastcgi;
  uwsgi_temp_path {directory}/uwsgi;
  scgi_temp_path {directory}/scgi;
{http}
}}
"""

_ORIGIN = """  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {root};
    location /trickle/ {{ alias {root}/; limit_rate {trickle}; }}
    location /silent/ {{ proxy_pass http://127.0.0.1:{silent}; proxy_buffering off; proxy_read_timeout 3600; }}
  }}"""

# Defaults, except: bodies are never put on the disk (it would pay for that), upstream connections are kept.
_PROXY_PASS = """  upstream origin {{ server 127.0.0.1:{origin}; keepalive {connections}; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location / {{
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_max_temp_file_size 0;
    }}
  }}"""

_HAPROXY = """global
  maxconn 4096
defaults
  mode http
  option splice-auto
  http-reuse always
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout queue 15s
  timeout http-keep-alive 1h
frontend relay
  bind 127.0.0.1:{port} backlog 4096
  default_backend origin
backend origin
  server origin 127.0.0.1:{origin} maxconn {connections}
"""


def version_of(command, pattern):
    """First group of the pattern in what the command prints."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    match = re.search(pattern, done.stdout + done.stderr)
    return match.group(1) if match else "unknown version"


def post(url, body):
    """What a route of ours answers to JSON."""
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=5) as answer:
        return json.load(answer)


def fetch_until_served(url, deadline_seconds=_START_SECONDS, process=None):
    deadline = time.monotonic() + deadline_seconds
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    reason = "no answer"
    while time.monotonic() < deadline:
        try:
            with opener.open(url, timeout=5) as answer:
                answer.read()
                return
        except (urllib.error.URLError, OSError) as e:
            reason = str(e)
        if process is not None and process.poll() is not None:
            reason = f"ended with {process.returncode}; {reason}"
            break
        time.sleep(0.02)
    raise RuntimeError(f"{url.split('?')[0]} does not serve: {reason}")


@dataclass
class Site:
    """What all relays need to know."""

    processes: object
    directory: str
    java: str
    classes: str
    lib: str
    millrace: str
    silent: object
    origin_port: int = 0
    jvm_flags: list = field(default_factory=lambda: list(_FALLBACK_JVM_FLAGS))

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.origin_port}"

    def log(self, name):
        return os.path.join(self.directory, name + ".log")

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def nginx(self, name, workers, http):
        config = self.write(
            f"{name}/nginx.conf",
            _NGINX.format(directory=os.path.join(self.directory, name), workers=workers, files=16384, http=http),
        )
        return ["nginx", "-p", os.path.dirname(config), "-e", "stderr", "-c", config]

    def start_origin(self, root, trickle):
        self.origin_port = free_port()
        http = _ORIGIN.format(port=self.origin_port, root=root, trickle=trickle, silent=self.silent.port)
        process = self.processes.start(self.nginx("origin", 1, http), log=self.log("origin"))
        fetch_until_served(self.origin + "/1k.mp4", process=process)


class Relay:
    """A relay under test. Subclasses say how it is started."""

    name = label = ""
    template = "http://127.0.0.1:{port}{path}"
    probe = "/1k.mp4"  # what the origin surely has

    def __init__(self, site):
        self.site = site
        self.port = 0
        self.process = None
        self.settings = {}

    def command(self):
        raise NotImplementedError

    def environment(self):
        return None

    def version(self):
        return ""

    def url(self, path):
        absolute = urllib.parse.quote(self.site.origin + path, safe="")
        return self.template.format(port=self.port, path=path, url=absolute)

    def launch(self):
        """Starts it and returns at once."""
        self.port = free_port()
        self.process = self.site.processes.start(
            self.command(), self.site.log(self.name), self.environment(), self.site.directory
        )

    def start(self):
        self.launch()
        fetch_until_served(self.url(self.probe), process=self.process)

    def stop(self):
        if self.process is not None:
            self.site.processes.stop(self.process)
            self.process = None

    def pids(self):
        return proc.family(self.process.pid) if self.process else []


class Direct(Relay):
    name, label = "direct", "direct from the origin"

    def url(self, path):
        return self.site.origin + path

    def start(self):
        pass

    def version(self):
        return "nginx " + version_of(["nginx", "-v"], r"nginx/(\S+)") + ", sendfile, 1 worker"


class Millrace(Relay):
    name, label = "millrace", "Millrace"
    template = "http://127.0.0.1:{port}/proxy/stream?d={url}"

    def command(self):
        return [self.site.millrace, "serve"]

    def environment(self):
        inherited = {key: os.environ[key] for key in ("PATH", "JAVA_HOME", "LANG") if key in os.environ}
        return inherited | {"PORT": str(self.port), "ALLOW_TARGETS": "loopback"} | self.settings

    def version(self):
        return version_of([self.site.millrace, "--version"], r"(\d\S*)")

    def start(self):
        super().start()
        self.site.jvm_flags = self._jvm_flags() or self.site.jvm_flags

    def _jvm_flags(self):
        """The flags bin/millrace gives its JVM, for the stock servlet; class-data archives are not for it."""
        for pid in self.pids():
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
            if os.path.basename(words[0]) == "java":
                unfit = ("-XX:SharedArchiveFile", "-Xshare", "-Xlog", "-XX:ArchiveClasses", "-XX:+AutoCreate")
                return [word for word in words if word.startswith("-X") and not word.startswith(unfit)]
        return []


class NginxProxyPass(Relay):
    name, label = "nginx", "nginx proxy_pass"

    def command(self):
        http = _PROXY_PASS.format(port=self.port, origin=self.site.origin_port, connections=CONNECTIONS)
        return self.site.nginx("nginx", "auto", http)

    def version(self):
        return version_of(["nginx", "-v"], r"nginx/(\S+)") + ", one worker per core"


class HaProxy(Relay):
    name, label = "haproxy", "HAProxy splice"

    def command(self):
        text = _HAPROXY.format(port=self.port, origin=self.site.origin_port, connections=CONNECTIONS)
        return ["haproxy", "-db", "-f", self.site.write("haproxy.cfg", text)]

    def version(self):
        return version_of(["haproxy", "-v"], r"version (\S+)")


class StockServlet(Relay):
    name, label = "stock", "stock AsyncProxyServlet"

    def command(self):
        path = f"{self.site.classes}:{self.site.lib}/*"
        return [self.site.java, *self.site.jvm_flags, "-cp", path, "StockProxy", str(self.port), self.site.origin]

    def version(self):
        jars = glob.glob(f"{self.site.lib}/jetty-ee11-proxy-*.jar")
        return "Jetty " + re.search(r"proxy-(.*)\.jar", jars[0]).group(1) + ", JVM flags of bin/millrace"


class Peer(Relay):
    """A relay that runs already: name=urltemplate[,pid]."""

    def __init__(self, site, text):
        super().__init__(site)
        match = re.fullmatch(r"([\w.-]+)=(.*?\{url\}.*?)(?:,(\d+))?", text)
        if not match:
            raise ValueError(f"--peer {text} (expected: name=urltemplate[,pid] with {{url}} in the template)")
        self.name = self.label = match.group(1)
        self.template = match.group(2)
        self.pid = int(match.group(3) or 0)

    def start(self):
        fetch_until_served(self.url("/1k.mp4"))

    def pids(self):
        return proc.family(self.pid) if self.pid else []

    def version(self):
        return "running already, not restarted between levels"
