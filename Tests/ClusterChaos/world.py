"""One run: the cluster, its clients, its faults and the invariants."""

import asyncio
import collections
import json
import random
import time

import network
from backend import PORT, SHELVES, Backend
from editors import editors
from faults import Faults, Plan
from machines import BUS, FRONT, Bus, Certificate, Failed, Node, Proxy, fetch
from network import NODES, PROXY, address
from observers import crew
from verdicts import Harms, Verdicts

# The number of attempts at a check that is valid only if no node stood still, because the machine was busy.
ATTEMPTS = 5
# A change counts as published if its node was healthy for so long afterwards. `changed` is sent within 100 ms, and
# `state` within a second.
PUBLISH_SECONDS = 1.5
# A load names the changes of the last 10 s to its owner. After the last change with faults, this time must pass.
NAMED_SECONDS = 12
# The largest number of calls with one key while there are faults: each node is a partition of its own.
PARTITIONS_MAX = len(NODES)


class Change:
    """A report of a change to one node, which has accepted it."""

    def __init__(self, version, node):
        self.version, self.node, self.at, self.starts = version, node.machine, time.monotonic(), node.starts


class World:
    def __init__(self, options, folder, log):
        self.options, self.folder, self.log = options, folder, log
        self.seed = options.seed
        self.began = time.monotonic()
        self.is_over = False
        self.is_disturbed = False  # whether a round of faults runs
        self.verdicts = Verdicts(self.say)
        self.harms = Harms()
        self.refreshd = options.refreshd
        self.random = random.Random(f"changes {self.seed}")
        broken = options.broken
        self.backend = Backend(self.seed)
        certificate = Certificate(folder) if options.tls else None
        self.buses = {n: Bus(n, folder, self.verdicts, options.nats_server, certificate) for n in NODES}
        # A log that is kept is for an analysis.
        level = "debug" if options.keep else "info"
        self.nodes = {n: Node(n, folder, self.verdicts, options.refreshd, certificate, level, broken) for n in NODES}
        if options.old_refreshd:
            self.nodes[NODES[0]].program = options.old_refreshd
        self.proxy = Proxy(folder, self.verdicts, options.nginx)
        self.observers = crew(self, SHELVES, broken)
        self.editors = editors(self)
        self.changes = []
        self.moves = collections.Counter()  # by session: how often it has resumed since the last check of the calls
        self.tasks = []
        self.slowest = {"nodes": 0.0, "changed": 0.0}  # seconds after a healing
        self.lost_count = self.rounds = 0
        self.load_count = self.load_messages = self.load_lost = self.load_resumed = self.load_repeated = 0
        self.load_drained = 0
        self.dropped = {}  # by node: the counts of dropped messages at the last reading
        self.quiet_since = None

    def say(self, text):
        line = f"{time.monotonic() - self.began:8.2f}  {text}"
        print(line, flush=True)
        self.log.write(line + "\n")
        self.log.flush()

    @property
    def clients(self):
        return [*self.observers, *self.editors]

    # Processes

    async def start_node(self, node):
        await node.start(self.options.faketime)

    def processes(self):
        return [*self.nodes.values(), *self.buses.values(), self.proxy]

    async def watch(self):
        """Notices processes that end by themselves. A load test and the clients notice everything else."""
        while not self.is_over:
            for process in self.processes():
                process.check()
            await asyncio.sleep(0.2)

    async def await_nodes(self):
        """Waits until all nodes report all nodes. Returns whether this was in time."""
        deadline = time.monotonic() + self.options.patience
        while True:
            counts = await asyncio.gather(*(node.live_nodes() for node in self.nodes.values()))
            if all(count == len(NODES) for count in counts):
                return True, counts
            if time.monotonic() > deadline:
                return False, counts
            await asyncio.sleep(0.1)

    # Clients

    def lost(self, observer, reason, opened):
        """A client lost its connection. Something on its way must have had a fault meanwhile."""
        self.lost_count += 1
        now = time.monotonic()
        # A client notices a silent path at most 8 s later. The grace of a harm contains this time.
        self.verdicts.check(
            "sessions", self.harms.explain(observer.node, now, now),
            f"{observer.name} lost its connection to node {observer.node} after {now - opened:.1f} s: {reason}")

    async def load(self):
        """Runs load tests through the proxy, one after the other. Their clients come back after a lost connection."""
        number = 0
        while not self.is_over:
            number += 1
            start = time.monotonic()
            output = self.folder / f"load-{number}.json"
            with open(output, "wb") as sink, open(self.folder / "load.log", "ab") as log:
                process = await asyncio.create_subprocess_exec(
                    *network.mortal(self.options.refresh_probe), "load",
                    "--url", f"ws://{address(PROXY)}:{FRONT}/v1/session",
                    "--connections", str(self.options.connections), "--threads", "1", "--seconds", "8",
                    "--ramp", "1", "--seed", str(number), "--reconnect", "--json",
                    stdin=asyncio.subprocess.DEVNULL, stdout=sink, stderr=log)
                self.probe = process
                await process.wait()
            if not self.is_over:
                self.judge_load(process.returncode, output.read_text(), start)
            await asyncio.sleep(0.2)

    def judge_load(self, status, text, start):
        end = time.monotonic()
        is_harmed = self.harms.explain(None, start, end)
        if status == 3:
            self.verdicts.check("sessions", is_harmed, "the load test was not connected")
            return
        try:
            target = json.loads(text)["targets"][0]
        except (ValueError, KeyError, IndexError):
            self.verdicts.fail("processes", f"refresh-probe load ended with status {status}: {text[-300:]}")
            return
        self.load_count += 1
        self.load_messages += target["answered"]
        lost = target["lost"] + target["notConnected"]
        self.load_lost += lost
        returns = target["returns"]
        self.load_resumed += returns["resumed"]
        self.load_repeated += returns["repeated"]
        self.load_drained += returns["draining"]
        self.verdicts.check(
            "items", returns["itemsRepeated"] == 0 and returns["itemsMissing"] == 0,
            f"the clients of the load test received items twice or missed some: {returns}")
        self.verdicts.check(
            "resume", not returns["notResumed"] and (returns["notBack"] == 0 or is_harmed),
            f"clients of the load test did not resume their sessions: {returns}")
        self.verdicts.check(
            "loads", not target["faults"] and not target["unreadable"],
            f"the load test received {target['faults']} {target['unreadable']}")
        self.verdicts.check(
            "sessions", lost == 0 or is_harmed, f"the load test lost {lost} connections: {target['closeCodes']}")
        self.verdicts.check(
            "sessions", returns["draining"] == 0 or is_harmed,
            f"{returns['draining']} connections of the load test were closed by nodes that drain")

    # Changes

    async def change(self, is_reported=True):
        """Adds an item to each list and reports this to a random node. Returns whether the node accepted it."""
        self.backend.version += 1
        version = self.backend.version
        node = self.nodes[self.random.choice(NODES)]
        if not is_reported:
            self.changes.append(Change(version, node))
            return True
        change = Change(version, node)
        status, _ = await node.ask("/v1/feeds/news/changed", "POST")
        if status == 204:
            self.changes.append(change)
            self.log.write(f"{change.at - self.began:8.2f}  change {version} at node {node.machine}\n")
        return status == 204

    async def change_often(self):
        while True:
            await self.change()
            await asyncio.sleep(self.random.uniform(0.3, 1.5))

    async def change_board(self):
        """Changes the edited list in the backend, and reports the operation to nodes until one accepts it."""
        report = json.dumps({"operations": [self.backend.board.change()]})
        while True:
            node = self.nodes[self.random.choice(NODES)]
            status, _ = await node.ask("/v1/feeds/board/changed", "POST", report)
            if status == 204:
                break
            await asyncio.sleep(0.2)

    async def change_board_often(self):
        while True:
            await self.change_board()
            await asyncio.sleep(self.random.uniform(0.3, 2))

    async def check_board(self, starts):
        """Checks that all clients have the edited list. `starts`: how often the nodes had started before the faults. A
        node that was killed may not have published its last changes, so a change without operations follows."""
        deadline = time.monotonic() + self.options.patience
        if starts != [node.starts for node in self.nodes.values()]:
            while (await self.nodes[NODES[0]].ask("/v1/feeds/board/changed", "POST"))[0] != 204:
                await asyncio.sleep(0.2)
        if self.options.broken == "board":
            self.backend.board.change()
            deadline = time.monotonic() + 5
        while any(one.difference() for one in self.editors) and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
        for one in self.editors:
            difference = one.difference()
            self.verdicts.check(
                "board", difference is None, f"{one.name} at node {one.node}: {difference}; {one.state()}")
            if self.options.broken == "edits":
                next(iter(one.results.values()), []).append(("confirmed", None))
            one.check_edits()

    def owed_version(self):
        """Returns the newest version that all views must show: that of the last change whose node was not killed
        before it had published the change."""
        def is_lost(change):
            is_restarted = self.nodes[change.node].starts != change.starts
            # Without the bus a change is only counted, and the node publishes the number when it has reconnected. So
            # any fault at that time may have kept the change at its node.
            return is_restarted and (self.quiet_since is None or change.at > self.quiet_since - PUBLISH_SECONDS)
        return max((change.version for change in self.changes if not is_lost(change)), default=0)

    async def await_views(self, version, start):
        """Waits until each view shows a version."""
        deadline = start + self.options.patience
        while (late := [one for one in self.observers if one.version < version]) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        for one in self.observers:
            self.verdicts.check(
                "changed", one not in late,
                f"{one.name} at node {one.node} shows the change {one.version} and not {version}; {one.state()}")
        return not late

    # Rounds

    async def disturb(self, steps):
        """Does the faults of a round, while changes are reported, and undoes them."""
        self.rounds += 1
        self.quiet_since = time.monotonic()
        self.is_disturbed = True
        changing = [asyncio.create_task(run) for run in (self.change_often(), self.change_board_often())]
        try:
            await asyncio.gather(*(Faults(self).run(step) for step in steps))
        finally:
            self.is_disturbed = False
            for task in changing:
                task.cancel()

    async def check_healing(self, start, starts):
        """Checks what must hold after all faults of a round were undone."""
        is_whole, counts = await self.await_nodes()
        self.slowest["nodes"] = max(self.slowest["nodes"], time.monotonic() - start)
        self.verdicts.check(
            "nodes", is_whole, f"{self.options.patience} s after the healing, the nodes report {list(counts)} nodes")
        if await self.await_views(self.owed_version(), start):
            self.slowest["changed"] = max(self.slowest["changed"], time.monotonic() - start)
        await self.read_metrics()
        # All calls with faults are over before the next check.
        await self.settle()
        await self.check_holders()
        await self.check_board(starts)
        self.check_keys(PARTITIONS_MAX)

    async def settle(self):
        """Waits until each client is connected and at its home, and has no load."""
        deadline = time.monotonic() + self.options.patience
        while time.monotonic() < deadline:
            away = [one for one in self.clients if one.node is None or one.node != (one.home or one.node)]
            if not away:
                break
            for one in away:
                await one.go_home()
            await asyncio.sleep(0.3)
        for one in self.clients:
            self.verdicts.check("resume", one.node is not None, f"{one.name} did not come back")
        await asyncio.sleep(2)

    async def check_holders(self):
        """Checks that each session is only at the node to which its client is connected."""
        async def holders(one):
            session = (one.session.resume or {}).get("session")
            answers = await asyncio.gather(*(node.ask(f"/v1/sessions/{session}") for node in self.nodes.values()))
            return [number for number, (status, _) in zip(self.nodes, answers) if status == 200]

        deadline = time.monotonic() + self.options.patience
        for one in self.clients:
            while (found := await holders(one)) != [one.node] and time.monotonic() < deadline:
                await asyncio.sleep(0.1)
            if self.options.broken == "holder":
                found += NODES
            self.verdicts.check(
                "holder", found == [one.node],
                f"the session of {one.name} is at the nodes {found}, and its client at node {one.node}; {one.state()}")

    def check_keys(self, bound):
        """Checks the calls since the last check. `bound`: the largest number of calls with one key, unless the session
        has moved."""
        calls = collections.defaultdict(list)
        for call in self.backend.calls:
            calls[(call.key, call.feed, call.shelf, call.page)].append(call)
        for key, found in calls.items():
            # A session that moves starts its loads again, with the same key.
            most = bound * (1 + self.moves[key[0].split("-")[0]])
            times = ", ".join(f"{call.at - self.began:.2f} s from {call.peer}" for call in found)
            self.verdicts.check(
                "calls", len(found) <= most, f"the backend got {len(found)} calls with the key {key}: {times}")
        self.backend.calls.clear()
        self.moves.clear()

    async def check_one_call(self, healed):
        """Reports a change without any fault. All views show it, and each list costs one call. This is repeated in two
        cases. Up to 10 s after a change, loads name it, and a node that has started since counts it as new. And if a
        node was silent for another one, the machine was too busy.
        """
        bound = PARTITIONS_MAX
        for _ in range(ATTEMPTS):
            self.backend.calls.clear()
            before, start = await self.silences(), time.monotonic()
            while not await self.change(is_reported=self.options.broken != "changed"):
                await asyncio.sleep(0.2)
            await self.await_views(self.backend.version, start)
            if self.options.broken == "onecall":
                await fetch(network.BACKEND, PORT, f"/news?shelf={SHELVES[0]}&page=1&size=20")
            await asyncio.sleep(1.5)
            pages = self.backend.first_pages(start)
            is_named = start - healed < NAMED_SECONDS
            is_valid = not is_named and await self.silences() == before
            if is_valid or all(pages[shelf] == 1 for shelf in SHELVES):
                bound = 1
                break
            await asyncio.sleep(max(0, healed + NAMED_SECONDS - time.monotonic()))
        if bound == 1:
            for shelf in SHELVES:
                self.verdicts.check(
                    "onecall", pages[shelf] == 1,
                    f"a change cost {pages[shelf]} calls for the list {shelf}, not one: "
                    + self.calls_since(start, shelf))
        else:
            self.verdicts.say("the machine was too busy to check that a change costs one call")
        if self.options.broken == "calls" and self.backend.calls:
            self.backend.calls.append(self.backend.calls[-1])
        self.check_keys(bound)
        for one in self.observers:
            one.check_count()

    def calls_since(self, start, shelf):
        """Returns the changes and the calls for a list since a time, for a message about a violation."""
        changes = [f"{one.at - start:.2f} s: change {one.version} at node {one.node}"
                   for one in self.changes if one.at >= start]
        calls = [f"{call.at - start:.2f} s: call {call.key} from {call.peer}, page {call.page}"
                 for call in self.backend.calls if call.at >= start and call.shelf == shelf]
        return "; ".join(changes + calls)

    async def silences(self):
        """Returns how often nodes have waited for an owner in vain."""
        metrics = [await node.metrics() or {} for node in self.nodes.values()]
        return [values.get(f'refreshd_cluster_remote_loads_total{{result="{result}"}}', 0)
                for values in metrics for result in ("silent", "gone")]

    async def read_metrics(self):
        """Checks the counts of dropped messages. Another build may send types that this one does not know."""
        reasons = ("malformed", "member", "tooLong", "tooManyNodes", "queue")
        if not self.options.old_refreshd:
            reasons += ("version", "type")
        for node in self.nodes.values():
            values = await node.metrics() or {}
            counts = {
                reason: values.get(f'refreshd_cluster_dropped_messages_total{{reason="{reason}"}}', 0)
                for reason in reasons}
            self.verdicts.check("messages", not any(counts.values()), f"{node.name} dropped messages: {counts}")
            for name, value in values.items():
                if name.startswith("refreshd_cluster_remote_loads_total"):
                    self.dropped[(node.name, node.starts, name)] = value

    # The run

    async def start(self):
        await self.backend.start()
        await asyncio.gather(*(bus.start() for bus in self.buses.values()))
        await asyncio.gather(*(self.start_node(node) for node in self.nodes.values()))
        await self.proxy.start()
        if self.options.broken != "nodes":
            is_whole, counts = await self.await_nodes()
            if not is_whole:
                raise Failed(f"the nodes do not find each other: they report {list(counts)} nodes")
        runs = [self.watch(), self.load()]
        for one in self.clients:
            runs += [one.run(), one.act()]
        self.tasks = [asyncio.create_task(run) for run in runs]
        deadline = time.monotonic() + self.options.patience
        while any(one.version == 0 for one in self.clients):
            self.check_tasks()
            if time.monotonic() > deadline:
                raise Failed("the clients did not receive their lists")
            await asyncio.sleep(0.1)

    def check_tasks(self):
        """Ends the run if a part of it has failed."""
        for task in self.tasks:
            if task.done() and not task.cancelled() and task.exception():
                raise task.exception()

    async def run(self):
        await self.start()
        self.say(f"3 nodes, {len(self.clients)} clients with lists, {self.options.connections} clients of load")
        plan = Plan(self.seed, Node.CLOCK_NODE, self.options.kinds)
        until = self.began + self.options.minutes * 60
        await self.settle()
        self.backend.calls.clear()
        await self.check_one_call(self.began)
        while self.rounds == 0 or time.monotonic() < until:
            starts = [node.starts for node in self.nodes.values()]
            await self.disturb(plan.round())
            start = time.monotonic()
            await self.break_something()
            await self.check_healing(start, starts)
            await self.check_one_call(start)
            self.check_tasks()
        await self.finish()

    async def break_something(self):
        """With --break, violates one invariant on purpose."""
        broken = self.options.broken
        if broken == "sessions":
            await self.proxy.stop(is_checked=False)
            await self.proxy.start()
        elif broken == "loads":
            self.backend.is_broken = True
            await self.change()
            await asyncio.sleep(2)
            self.backend.is_broken = False
        elif broken == "resume":
            # The snapshots of this node have a key that no other node has.
            harm = self.harms.begin(NODES[-1], 3)
            self.nodes[NODES[-1]].kill()
            self.harms.end(harm)
            await asyncio.sleep(2)
            await self.start_node(self.nodes[NODES[-1]])
        elif broken == "processes":
            self.nodes[1].process.kill()
            await asyncio.sleep(1)
            if self.nodes[1].process is None:
                await self.start_node(self.nodes[1])
        elif broken == "messages":
            reader, writer = await asyncio.open_connection(address(1), BUS)
            text = b'{"v":1,"type":"state"'
            writer.write(b"CONNECT {}\r\nPUB refreshd.chaos.all %d\r\n%s\r\nPING\r\n" % (len(text), text))
            while b"PONG" not in await reader.readline():
                pass
            writer.close()

    async def finish(self):
        """Stops everything in an orderly way."""
        self.say("all faults are undone; everything is stopped")
        self.is_over = True
        if self.probe.returncode is None:
            self.probe.kill()
        for one in self.clients:
            if one.session.socket:
                await one.session.close()
        await asyncio.gather(*(node.stop() for node in self.nodes.values()))
        await self.proxy.stop(is_checked=False)
        for bus in self.buses.values():
            await bus.stop(is_checked=False)
        for task in self.tasks:
            task.cancel()

    def summary(self):
        resumes = sum(one.resumes for one in self.clients)
        remote = {}
        for (_, _, name), value in self.dropped.items():
            result = name.split('"')[1]
            remote[result] = remote.get(result, 0) + int(value)
        board = self.backend.board
        yield (f"an edited list with {board.count} changes of the backend and {len(board.answers)} edits of "
               f"{len(self.editors)} clients")
        yield (f"{self.rounds} rounds of faults, {self.backend.version} changes, {self.lost_count} lost connections, "
               f"{resumes} resumptions")
        yield (f"{self.load_count} load tests with {self.load_messages} answered messages and {self.load_lost} lost "
               f"connections, {self.load_drained} of them closed by nodes that drain, {self.load_resumed} resumptions, "
               f"{self.load_repeated} messages sent again; "
               f"loads of other nodes: {remote}")
        yield (f"the slowest healing: {self.slowest['nodes']:.1f} s until all nodes knew each other, "
               f"{self.slowest['changed']:.1f} s until all views were current")
