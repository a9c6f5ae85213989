"""The processes of the cluster: refreshd and nats-server on each node, and nginx."""

import asyncio
import base64
import hashlib
import json
import os
import pathlib
import secrets
import signal
import subprocess
import time

import network
from network import NODES, PROXY, address

LISTEN, BUS, ROUTES, MONITOR, FRONT = 8080, 4222, 6222, 8222, 8000
# The seconds that a start or an orderly stop may take. They only end a run that hangs.
START_SECONDS = 60
STOP_SECONDS = 60


class Failed(Exception):
    """The run cannot continue. The text is the reason."""


async def fetch(url_address, port, path, method="GET", token=None, seconds=2, body=""):
    """Requests a path. Returns the status and the body, or (0, "") if there is no answer in time."""
    head = (f"{method} {path} HTTP/1.1\r\nHost: {url_address}:{port}\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n")
    if token:
        head += f"Authorization: Bearer {token}\r\n"
    writer = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(url_address, port)
            writer.write(f"{head}\r\n{body}".encode())
            answer = (await reader.read()).decode(errors="replace")
    except (OSError, TimeoutError):
        return 0, ""
    finally:
        if writer:
            writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    words = head.split(" ", 2)
    return (int(words[1]), body) if len(words) > 1 and words[1].isdigit() else (0, "")


class Process:
    """A program on a machine. It is ended only by this script, and any other end is a violation."""

    def __init__(self, name, machine, folder, verdicts):
        self.name, self.machine, self.folder, self.verdicts = name, machine, folder, verdicts
        self.process = None
        self.starts = 0
        self.is_stopped = False  # by SIGSTOP

    def launch(self, command, environment=None):
        with open(self.folder / f"{self.name}.log", "ab") as log:
            self.process = subprocess.Popen(
                network.inside(self.machine, *map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})}, start_new_session=True)
        self.starts += 1
        self.is_stopped = False

    def runs(self):
        return self.process is not None and self.process.poll() is None

    def check(self):
        """Records a violation if the process has ended by itself."""
        if self.process is not None and self.process.poll() is not None:
            self.verdicts.fail("processes", f"{self.name} ended by itself with status {self.process.returncode}")
            self.process = None

    def kill(self):
        self.check()
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stand_still(self):
        if self.runs():
            self.process.send_signal(signal.SIGSTOP)
            self.is_stopped = True

    def go_on(self):
        if self.runs():
            self.process.send_signal(signal.SIGCONT)
        self.is_stopped = False

    async def stop(self, is_checked=True):
        """Stops the process in an orderly way."""
        self.check()
        if self.process is None:
            return
        process, self.process = self.process, None
        process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        if process.poll() is None:
            process.kill()
            process.wait()
            self.verdicts.fail("processes", f"{self.name} did not stop within {STOP_SECONDS} s")
        elif is_checked:
            self.verdicts.check(
                "processes", process.returncode == 0, f"{self.name} stopped with status {process.returncode}")

    async def await_true(self, condition, what):
        """Waits until an asynchronous condition is true. Ends the run if the process ends before."""
        deadline = time.monotonic() + START_SECONDS
        while not await condition():
            if not self.runs() or time.monotonic() > deadline:
                log = (self.folder / f"{self.name}.log").read_text(errors="replace")[-3000:]
                raise Failed(f"{self.name} {what}\n{log}")
            await asyncio.sleep(0.05)


class Certificate:
    """A certificate for all servers of NATS, which is its own authority."""

    def __init__(self, folder):
        self.chain, self.key = folder / "bus.pem", folder / "bus.key"
        names = ",".join(f"IP:{address(machine)}" for machine in NODES)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=bus", "-addext", f"subjectAltName={names}", "-keyout", self.key, "-out", self.chain],
            check=True, capture_output=True)


class Bus(Process):
    """A nats-server with JetStream. The three servers are one cluster of NATS."""

    def __init__(self, machine, folder, verdicts, program, certificate):
        super().__init__(f"nats-{machine}", machine, folder, verdicts)
        self.program = program
        self.store = folder / f"jetstream-{machine}"
        self.configuration = folder / f"nats-{machine}.conf"
        routes = ", ".join(f'"nats-route://{address(other)}:{ROUTES}"' for other in NODES if other != machine)
        tls = f'tls {{ cert_file: "{certificate.chain}", key_file: "{certificate.key}" }}' if certificate else ""
        self.configuration.write_text(f"""\
listen: {address(machine)}:{BUS}
{tls}
server_name: bus-{machine}
http: {address(machine)}:{MONITOR}
jetstream {{ store_dir: "{self.store}", max_memory_store: 64MB, max_file_store: 64MB }}
cluster {{
  name: bus
  listen: {address(machine)}:{ROUTES}
  no_advertise: true
  routes: [ {routes} ]
}}
""")

    async def start(self):
        # The leader is killed at a node that the plan does not know, so another step may have started it again.
        if not self.runs():
            self.launch([self.program, "-c", self.configuration])

        async def listens():
            return (await fetch(address(self.machine), MONITOR, "/varz"))[0] == 200
        await self.await_true(listens, "did not start")

    def forget(self):
        """Removes what JetStream has stored."""
        subprocess.run(["rm", "-rf", str(self.store)], check=True)

    async def leader(self):
        """Returns the name of the server that leads the first stream, or without a stream the server that leads
        JetStream. Returns None if this server knows no leader."""
        status, body = await fetch(address(self.machine), MONITOR, "/jsz?streams=true")
        if status != 200:
            return None
        state = json.loads(body)
        for account in state.get("account_details") or []:
            for stream in account.get("stream_detail") or []:
                if leader := (stream.get("cluster") or {}).get("leader"):
                    return leader
        return (state.get("meta_cluster") or {}).get("leader") or None


class Node(Process):
    """A refreshd. Node `CLOCK_NODE` has a clock that can be changed."""

    CLOCK_NODE = 2
    # The token of the operator, and the key of all snapshots.
    TOKEN = secrets.token_hex(32)
    KEY = base64.b64encode(secrets.token_bytes(32)).decode()

    def __init__(self, machine, folder, verdicts, program, certificate, level="info", broken=None):
        super().__init__(f"node-{machine}", machine, folder, verdicts)
        self.program = program
        self.clock = folder / f"clock-{machine}"
        self.clock.write_text("+0\n")
        self.configuration = folder / f"node-{machine}" / "refreshd.yaml"
        self.configuration.parent.mkdir(exist_ok=True)
        is_last = machine == NODES[-1]
        key = self.configuration.with_name("k1.key")
        key.touch(0o600)
        is_foreign = broken == "resume" and is_last
        key.write_text(base64.b64encode(secrets.token_bytes(32)).decode() if is_foreign else self.KEY)
        self.configuration.write_text(CONFIGURATION.format(
            listen=f"{address(machine)}:{LISTEN}", proxy=address(PROXY), node=f"node-{machine}",
            cluster="other" if broken == "nodes" and is_last else "chaos",
            servers=", ".join(f"{'tls' if certificate else 'nats'}://{address(other)}:{BUS}" for other in NODES),
            tls=f", tls: {{ ca: {certificate.chain} }}" if certificate else "",
            level=level, token=hashlib.sha256(self.TOKEN.encode()).hexdigest(),
            backend=f"http://{network.BACKEND}:9000"))

    async def start(self, faketime=None):
        environment = {}
        if self.machine == self.CLOCK_NODE and faketime:
            environment = {
                "LD_PRELOAD": str(faketime), "FAKETIME_TIMESTAMP_FILE": str(self.clock),
                "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_CACHE_DURATION": "1"}
        self.launch([self.program, "--config", self.configuration], environment)

        async def is_ready():
            return (await self.ask("/healthz"))[0] == 200
        await self.await_true(is_ready, "did not start")

    async def ask(self, path, method="GET", body=""):
        """`body` is ASCII."""
        if not self.runs() or self.is_stopped:
            return 0, ""
        return await fetch(address(self.machine), LISTEN, path, method, self.TOKEN, body=body)

    async def metrics(self):
        """Returns the values of all metrics by name with labels, or None if the node does not answer."""
        status, body = await self.ask("/metrics")
        if status != 200:
            return None
        pairs = (line.rsplit(" ", 1) for line in body.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    async def live_nodes(self):
        """Returns the number of nodes that this node reports, or 0 without a connection to the bus."""
        values = await self.metrics() or {}
        return int(values.get("refreshd_cluster_nodes", 0)) if values.get("refreshd_cluster_connected") else 0


# The time limits are long, because a slow link is also the link to the backend.
CONFIGURATION = """\
listen: {listen}
auth: {{ mode: none }}
proxies: [{proxy}]
resume: {{ keys: [ {{ id: k1, file: k1.key }} ] }}
tokens: [ {{ name: operator, sha256: "{token}", may: [change, measure, administer] }} ]
cluster: {{ name: {cluster}, node: {node}, servers: [{servers}]{tls} }}
limits:
  connectionsPerAddressMax: 25000
  handshakesPerAddressMax: 10000
  heartbeatMs: 3000
drain: {{ delayMs: 200, spreadMs: 500 }}
log: {{ level: {level} }}
feeds:
  news:
    backend: http
    url: "{backend}/news?shelf={{parameter:shelf}}&page={{page}}&size={{size}}"
    paging: page
    size: 20
    parameters: {{ shelf: text }}
    itemKey: /id
    shared: true
    coolDownMs: 60000
    connectTimeoutMs: 20000
    totalTimeoutMs: 25000
  board:
    backend: http
    url: "{backend}/board?page={{page}}&size={{size}}"
    paging: page
    size: 20
    itemKey: /id
    shared: true
    edits: {{ operations: [insert, update, remove, move], url: "{backend}/board/edits" }}
    connectTimeoutMs: 20000
    totalTimeoutMs: 25000
  packages:
    backend: http
    url: "{backend}/packages?page={{page}}&size={{size}}"
    paging: page
    size: 20
    itemKey: /id
    shared: true
    connectTimeoutMs: 20000
    totalTimeoutMs: 25000
"""


class Proxy(Process):
    """nginx in front of the nodes. It sends each connection to the next node."""

    def __init__(self, folder, verdicts, program):
        super().__init__("nginx", PROXY, folder, verdicts)
        self.program = program
        self.place = folder / "nginx"
        self.place.mkdir(exist_ok=True)
        servers = " ".join(f"server {address(node)}:{LISTEN} fail_timeout=2s;" for node in NODES)
        (self.place / "nginx.conf").write_text(f"""\
# In a user namespace nginx cannot change its user, so it runs as one process.
user root root;
master_process off;
daemon off;
pid pid;
error_log error.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path client_body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    upstream nodes {{ {servers} }}
    server {{
        listen {address(PROXY)}:{FRONT};
        location = /v1/session {{
            proxy_pass http://nodes;
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_set_header Host $host:{LISTEN};
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_connect_timeout 1s;
            proxy_read_timeout 30s;
            proxy_next_upstream error timeout http_502 http_503;
            # The client knows its node from this header.
            add_header X-Node $upstream_addr always;
        }}
    }}
}}
""")

    async def start(self):
        self.launch([
            self.program, "-p", self.place, "-c", self.place / "nginx.conf", "-e", self.place / "error.log"])

        async def listens():
            return (await fetch(address(PROXY), FRONT, "/"))[0] == 404
        await self.await_true(listens, "did not start")
