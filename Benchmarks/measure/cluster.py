"""Measures three nodes of a cluster on one machine, with a NATS server, and compares them with one node.

The daemons share the core of the measured servers, if a figure does not need more. The NATS server, the backend and the
clients share the other core.
"""

import contextlib
import http.client
import json
import operator
import os
import pathlib
import re
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

import crowd
import figures
import pacing
import spread
import traffic

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODES = 3
# The sessions that refresh at the same time, over all nodes.
CROWD = 3000
# The runs with so many sessions in each repetition, at one node and at three.
CROWD_RUNS = 3
# The time that a call of the backend takes then. All sessions have sent their request when it ends.
CALL_MS = 500
# The sessions of each node that are notified of a change.
VIEWS = 2000
# The loads that one client requests from each node, one after the other.
LOADS = 1500
# The lists whose loads are requested for the CPU time. One node owns about half of them. Its lists are refreshed at the
# same time: all of them, or only so many of them (FEW).
LISTS = 300
FEW = 20
# The loads for which the CPU time is measured at once. There are so many measurements in each repetition, for each kind
# of load and number of lists.
CPU_LOADS = 1500
CPU_RUNS = 8
IDLE_SECONDS = 20
# Each wait ends at this time with an error.
END_S = 60
# A backend that prints its port, answers each GET with the same items after a time, and counts its calls. It reads the
# time from the path: /MILLISECONDS. /calls returns the number of calls so far.
BACKEND = """\
import asyncio, json, sys
items = json.dumps([{"id": n, "title": f"Item {n} of a list", "text": "Lorem ipsum dolor sit amet"} for n in range(20)])
calls = 0
async def serve(reader, writer):
    global calls
    try:
        while line := (await reader.readuntil(b"\\r\\n\\r\\n")).split(b" ", 2)[1].decode():
            if line == "/calls":
                body = str(calls)
            else:
                calls += 1
                body = items
                delay = int(line.strip("/").split("?")[0])
                if delay: await asyncio.sleep(delay / 1e3)
            writer.write(f"HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\n"
                         f"Content-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


def measure(servers, folder, repetitions):
    crowd.allow(CROWD + VIEWS * NODES + 1000)
    results = {}
    with backend() as backend_port, bus(folder) as (bus_port, monitor):
        def nodes(count, *keys, delay=0, cluster=True):
            text = configuration(backend_port, bus_port if cluster else None, delay, *keys)
            path = folder / f"cluster-{count}-{delay}-{len(keys)}.yaml"
            path.write_text(text)
            return running(servers, count, path, cluster)

        results.update(one_call(nodes, backend_port, repetitions))
        results.update(remote_loads(nodes, repetitions))
        results.update(changes(nodes, repetitions))
        results.update(idle(nodes, monitor))
        wait_until("A node stays connected.", lambda: connections(monitor) == 0)
        results.update(instructions(servers, folder, backend_port, bus_port, monitor))
    return results


def instructions(servers, folder, backend_port, bus_port, monitor):
    """The instructions of a scroll message of a daemon that belongs to a cluster."""
    path = folder / "cluster-instructions.yaml"
    path.write_text(configuration(backend_port, bus_port, 0))

    @contextlib.contextmanager
    def daemon(wrapper):
        with servers.daemon(wrapper, config=str(path)) as server:
            # A request to the daemon would be counted.
            wait_until("The node does not connect.", lambda: connections(monitor) > 0)
            yield server

    return {"cluster_instructions_per_message": figures.counted(daemon, folder)}


# MARK: - One call

def one_call(nodes, backend_port, repetitions):
    """3,000 sessions refresh one feed at the same time: at one node, and spread over three nodes. The time of the backend
    does not count.
    """
    p99 = {1: [], NODES: []}
    calls = []
    for run in range(CROWD_RUNS * repetitions):
        for count in p99 if run % 2 == 0 else reversed(p99):
            with nodes(count, "shared: true", delay=CALL_MS, cluster=count > 1) as group:
                before = backend_calls(backend_port)
                times = answer_times(group, CROWD // count)
                if count > 1:
                    calls.append(backend_calls(backend_port) - before)
                p99[count].append(statistics.quantiles(times, n=100)[98] * 1e3)
    single, many = (statistics.median(p99[count]) - CALL_MS for count in (1, NODES))
    return {
        "cluster_calls": max(calls), "cluster_p99_ms_one": single, "cluster_p99_ms": many,
        "cluster_p99_ratio": many / single, "cluster_p99_runs": {str(key): value for key, value in p99.items()},
    }


def answer_times(group, clients_each):
    """The seconds from the refresh of each client until it has received the items."""
    times = []
    with clients_of(group, clients_each) as (paced, selector):
        begin = time.monotonic()
        for client in paced:
            client.socket.send(pacing.framed(crowd.refresh(1)))

        drain_until_items(selector, paced, begin, times)
    return times


# MARK: - Loads of another node

def remote_loads(nodes, repetitions):
    """A client at the owner of a list and a client at another node refresh alternately, one at a time. For the CPU
    time, the clients of lists that one node owns refresh at the same time, at this node and at the other one. What a
    load of another node costs more is the median of the differences between two runs that follow each other.
    """
    p50 = {"owner": [], "remote": []}
    cpu = {(kind, size): [] for kind in p50 for size in ("many", "few")}
    with nodes(2) as group:
        owner = the_owner(group)
        owned = [name for name in list_names() if owner_of(group, name) == owner]
        nodes_of = {"owner": group[owner], "remote": group[1 - owner]}
        for repetition in range(repetitions):
            for kind in order(repetition):
                p50[kind].append(statistics.median(load_times(nodes_of[kind], LOADS)) * 1e3)
            for size, lists in (("many", owned), ("few", owned[:FEW])):
                for run in range(CPU_RUNS):
                    for kind in order(run):
                        cpu[kind, size].append(load_cpu_us(group, nodes_of[kind], lists))
    added = {
        size: statistics.median(map(operator.sub, cpu["remote", size], cpu["owner", size]))
        for size in ("many", "few")}
    return {
        "cluster_lists_at_once": len(owned), "cluster_load_cpu_runs": {" ".join(key): cpu[key] for key in cpu},
        **{f"cluster_{kind}_load_p50_ms": statistics.median(p50[kind]) for kind in p50},
        "cluster_owner_load_cpu_us": statistics.median(cpu["owner", "many"]),
        "cluster_load_added_ms": statistics.median(p50["remote"]) - statistics.median(p50["owner"]),
        "cluster_load_added_cpu_us": added["many"],
        "cluster_load_added_cpu_us_few": added["few"],
    }


def order(run):
    """The two kinds of loads in the order of a run. They alternate, and so does the first one, because other work on
    the machine changes the cost of both.
    """
    return ("owner", "remote") if run % 2 == 0 else ("remote", "owner")


def load_cpu_us(group, node, lists):
    """The CPU time of all nodes, in microseconds, for a load of one of the lists that are refreshed at one node. It
    includes neither the handshakes nor the first load of each list.
    """
    each = CPU_LOADS // len(lists)
    with list_clients(node, lists) as (clients, selector):
        load_at_once(clients, selector, 1, first=1)
        before = [pacing.cpu_seconds(server.pid) for server in group]
        load_at_once(clients, selector, each, first=2)
        after = [pacing.cpu_seconds(server.pid) for server in group]
    return (sum(after) - sum(before)) / (each * len(lists)) * 1e6


def list_names():
    return [f"list{number}" for number in range(LISTS)]


def hello(feed):
    return crowd.hello().replace('"news"', f'"{feed}"')


def owner_of(group, feed):
    """The number of the node that owns the list of this feed."""
    before = [metric(node, "refreshd_cluster_loads_for_nodes_total") for node in group]
    group[0].hello = hello(feed)
    load_times(group[0], 1)
    group[0].hello = crowd.hello()
    return 1 if metric(group[1], "refreshd_cluster_loads_for_nodes_total") > before[1] else 0


@contextlib.contextmanager
def list_clients(node, feeds):
    """One client of the node for each feed. Yields them with a selector of their sockets."""
    with selectors.DefaultSelector() as selector:
        clients = []
        for feed in feeds:
            node.hello = hello(feed)
            clients.append(pacing.PacedClient(node.client()))
            selector.register(clients[-1].socket, selectors.EVENT_READ, clients[-1])
        node.hello = crowd.hello()
        yield clients, selector
        for client in clients:
            client.socket.close()


def load_at_once(clients, selector, each, first):
    """Each client refreshes so often, as soon as it has received the items of its last refresh. The first refresh has
    the number `first`.
    """
    left = dict.fromkeys(clients, each)
    for client in clients:
        client.socket.send(pacing.framed(crowd.refresh(first)))
    end = time.monotonic() + END_S
    while any(left.values()):
        if time.monotonic() > end:
            raise RuntimeError("not all loads have ended")
        for key, _ in selector.select(0.05):
            texts = []
            key.data.receive(texts.append)
            if not any('"type":"items"' in text for text in texts):
                continue
            left[key.data] -= sum('"type":"items"' in text for text in texts)
            if left[key.data]:
                key.data.socket.send(pacing.framed(crowd.refresh(first + each - left[key.data])))


def the_owner(group):
    """The number of the node that performs the loads of the other one."""
    for number, node in enumerate(group):
        load_times(node, 5)
        other = group[1 - number]
        if metric(other, "refreshd_cluster_loads_for_nodes_total") >= 5:
            return 1 - number
    raise RuntimeError("no node performs loads for the other one")


def load_times(node, count):
    """The seconds that each of so many refreshes takes, one after the other."""
    times = []
    with node.client() as client:
        for seq in range(1, count + 1):
            begin = time.monotonic()
            client.send(crowd.refresh(seq))
            while '"type":"items"' not in client.receive():
                pass
            times.append(time.monotonic() - begin)
    return times


# MARK: - Changes

def changes(nodes, repetitions):
    """The time from the report of a change at one node until each view of three nodes has received the new items. Three
    nodes are three machines, so the daemons may use all cores. For comparison, they share one core.
    """
    p99, last = {"all": [], "one": []}, {"all": [], "one": []}
    hello = spread.hello()
    for _ in range(repetitions):
        for cores in p99:
            with nodes(NODES, "shared: true", "changes: { spreadMs: 0 }") as group:
                for node in group:
                    node.hello = hello
                    if cores == "all":
                        use_all_cores(node.pid)
                times = []
                with clients_of(group, VIEWS) as (paced, selector):
                    begin = time.monotonic()
                    spread.change(group[0])

                    drain_until_items(selector, paced, begin, times)
                p99[cores].append(statistics.quantiles(times, n=100)[98] * 1e3)
                last[cores].append(max(times) * 1e3)
    return {
        "cluster_change_p99_ms": statistics.median(p99["all"]),
        "cluster_change_last_ms": statistics.median(last["all"]),
        "cluster_change_p99_ms_one_core": statistics.median(p99["one"]),
        "cluster_change_runs": {"p99": p99, "last": last},
    }


def use_all_cores(pid):
    """Lets all threads of a process use all cores."""
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), range(os.cpu_count()))


# MARK: - Idle sessions

def idle(nodes, monitor):
    """The messages that all nodes publish in a second while 6,000 sessions do nothing."""
    with nodes(NODES) as group, clients_of(group, VIEWS):
        time.sleep(3)
        before, begin = published(monitor), time.monotonic()
        time.sleep(IDLE_SECONDS)
        rate = (published(monitor) - before) / (time.monotonic() - begin)
    return {"cluster_idle_messages_per_second": rate}


def connections(monitor):
    with contextlib.closing(urllib.request.urlopen(f"http://127.0.0.1:{monitor}/connz")) as page:
        return json.load(page)["num_connections"]


def published(monitor):
    with contextlib.closing(urllib.request.urlopen(f"http://127.0.0.1:{monitor}/varz")) as page:
        return json.load(page)["in_msgs"]


# MARK: - Servers

def configuration(backend_port, bus_port, delay, *keys):
    cluster = f"cluster: {{ name: bench, servers: ['nats://127.0.0.1:{bus_port}'] }}\n" if bus_port else ""
    digest = spread.configuration(0).rsplit("tokens:", 1)[1]
    return cluster + "\n".join((f"""\
tokens:{digest.rstrip()}
limits:
  sessionsMax: {CROWD + VIEWS + 100}
  connectionsPerAddressMax: {CROWD + VIEWS + 100}
  handshakesPerAddressMax: {10 * (CROWD + VIEWS)}
  framesPerSecondMax: 1000000
  receivedBytesPerSecondMax: 1073741824
feeds:
  news:
    backend: http
    url: "http://127.0.0.1:{backend_port}/{delay}"
    paging: none""", *(f"    {key}" for key in keys), *(
        f"  {name}: {{ backend: http, url: 'http://127.0.0.1:{backend_port}/{delay}?{name}', paging: none }}"
        for name in list_names()), ""))


@contextlib.contextmanager
def running(servers, count, config, cluster):
    """Runs so many daemons, and waits until they form a cluster."""
    with contextlib.ExitStack() as stack:
        group = [
            stack.enter_context(servers.daemon(hello=crowd.hello(), config=str(config)))
            for _ in range(count)]
        if cluster:
            wait_until(
                "The nodes do not find each other.",
                lambda: all(metric(node, "refreshd_cluster_nodes") == count for node in group))
        yield group


@contextlib.contextmanager
def clients_of(group, each):
    """So many clients at each node, in turn. Yields them with a selector of their sockets."""
    connections = [node.client() for _ in range(each) for node in group]
    paced = [pacing.PacedClient(connection) for connection in connections]
    with selectors.DefaultSelector() as selector:
        for client in paced:
            selector.register(client.socket, selectors.EVENT_READ, client)
        time.sleep(0.5)
        while pacing.drain(selector, 0, None):
            pass
        yield paced, selector
    for connection in connections:
        connection.socket.close()


def drain_until_items(selector, paced, begin, times):
    """Waits until each client has received items, and records the time of the first ones of each."""
    waiting = set(paced)
    end = time.monotonic() + END_S
    while waiting:
        if time.monotonic() > end:
            raise RuntimeError(f"{len(waiting)} clients did not receive the items")
        for key, _ in selector.select(0.05):
            texts = []
            key.data.receive(texts.append)
            if key.data in waiting and any('"type":"items"' in text for text in texts):
                waiting.remove(key.data)
                times.append(time.monotonic() - begin)


def metric(server, name):
    with contextlib.closing(urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics")) as page:
        found = re.search(rf"^{name} (\d+)", page.read().decode(), re.M)
    return int(found[1]) if found else None


def backend_calls(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/calls")
    calls = int(connection.getresponse().read())
    connection.close()
    return calls


@contextlib.contextmanager
def backend():
    process = subprocess.Popen(
        ["taskset", "-c", "1", sys.executable, "-c", BACKEND], stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(process.stdout.readline())["port"]
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def bus(folder):
    """Runs a NATS server. Yields its port and the port of its monitoring."""
    program = shutil.which("nats-server", path=":".join((
        str(ROOT / ".build/nats-server/usr/sbin"), "/usr/sbin", "/usr/bin", "/usr/local/bin")))
    if not program:
        raise RuntimeError("nats-server is not installed: run scripts/setup")
    port, monitor = free_ports(2)
    process = subprocess.Popen(
        ["taskset", "-c", "1", program, "--addr", "127.0.0.1", "--port", str(port), "--http_port", str(monitor),
         "--log", str(folder / "nats-server.log")])
    try:
        wait_until("The NATS server does not start.", lambda: accepts(port) and accepts(monitor))
        yield port, monitor
    finally:
        process.terminate()
        process.wait()


def free_ports(count):
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in held]


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def wait_until(sentence, is_done):
    end = time.monotonic() + END_S
    while not is_done():
        if time.monotonic() > end:
            raise RuntimeError(sentence)
        time.sleep(0.05)
