"""The faults: which ones a seed draws, and what each one does."""

import asyncio
import dataclasses
import random

import network
from network import NODES, PROXY, address

# What each fault does, with the shortest and the longest time in seconds until it is undone.
KINDS = {
    "kill-node": ("kill -9 of refreshd", 0.5, 6),
    "stop-node": ("SIGSTOP of refreshd", 0.5, 7),
    "kill-bus": ("kill -9 of nats-server", 0.5, 6),
    "kill-leader": ("kill -9 of the nats-server that leads the stream, or JetStream", 0.5, 6),
    "stop-bus": ("SIGSTOP of nats-server", 0.5, 7),
    "stutter-bus": ("nats-server stands still for 200 ms again and again", 3, 8),
    "kill-machine": ("kill -9 of refreshd and of nats-server", 0.5, 6),
    "one-way": ("packets of one node to another are dropped", 2, 8),
    "isolate": ("packets between a node and both others are dropped", 2, 8),
    "cut": ("packets of clients and of the proxy to a node are dropped", 2, 8),
    "slow-link": ("a node has a link of few kilobits a second", 3, 8),
    "clock": ("the clock of a node is stepped", 2, 6),
    "empty-bus": ("kill -9 of all nats-servers, which start again without a store", 0.5, 5),
    "rolling": ("all processes are restarted, one node after another", 0, 0),
}
# These kinds need the whole cluster, so no other fault is drawn beside them.
ALONE = ("empty-bus", "rolling")
# The largest step of a clock, in seconds. Snapshots are valid for an hour, and a session may move to a node whose clock
# is right, so a larger step may end sessions with a reason.
STEP_MAX = 1500


@dataclasses.dataclass
class Step:
    kind: str
    node: int
    other: int
    start: float  # seconds after the beginning of the round
    seconds: float  # until the fault is undone
    value: int = 0

    def __str__(self):
        target = {
            "one-way": f"{self.other} -> {self.node}", "kill-leader": "", "empty-bus": "", "rolling": "",
            "clock": f"{self.node} by {self.value:+} s", "slow-link": f"{self.node} to {self.value} kbit/s",
        }.get(self.kind, str(self.node))
        return f"{self.kind} {target}".rstrip() + (f" for {self.seconds:.1f} s" if self.seconds else "")


class Plan:
    """The rounds of a seed. The kinds are drawn like cards, so each comes up before one comes up again."""

    def __init__(self, seed, clock_node, kinds=None):
        self.random = random.Random(f"plan {seed}")
        self.clock_node = clock_node
        self.kinds = list(kinds or KINDS)
        self.deck = []

    def draw(self):
        if not self.deck:
            self.deck = list(self.kinds)
            self.random.shuffle(self.deck)
        return self.deck.pop()

    def step(self, kind):
        node, other = self.random.sample(NODES, 2)
        if kind == "clock":
            node = self.clock_node
        value = self.random.choice([-1, 1]) * self.random.randrange(1, STEP_MAX) if kind == "clock" else 0
        value = self.random.choice([64, 128, 256]) if kind == "slow-link" else value
        _, least, most = KINDS[kind]
        return Step(kind, node, other, self.random.uniform(0, 3), self.random.uniform(least, most), value)

    def round(self):
        """Returns the steps of the next round: one, or two that overlap. Two steps have two different nodes."""
        steps = [self.step(self.draw())]
        if steps[0].kind not in ALONE and self.random.random() < 0.5:
            second = self.step(self.draw())
            if second.kind in ALONE:
                self.deck.append(second.kind)
            else:
                if second.kind != "clock" and second.node == steps[0].node:
                    second.node, second.other = second.node % NODES[-1] + 1, second.node
                steps.append(second)
        return steps


class Faults:
    """Does and undoes the steps of a round. `world` has the processes and the harms."""

    def __init__(self, world):
        self.world = world

    async def run(self, step):
        await asyncio.sleep(step.start)
        self.world.say(str(step))
        await getattr(self, step.kind.replace("-", "_"))(step)
        self.world.say(f"undone: {step.kind}")

    async def kill_node(self, step):
        node = self.world.nodes[step.node]
        harm = self.world.harms.begin(step.node, 3)
        node.kill()
        self.world.harms.end(harm)
        await asyncio.sleep(step.seconds)
        await self.world.start_node(node)

    async def stop_node(self, step):
        harm = self.world.harms.begin(step.node, 12)
        self.world.nodes[step.node].stand_still()
        await asyncio.sleep(step.seconds)
        self.world.nodes[step.node].go_on()
        self.world.harms.end(harm)

    async def kill_bus(self, step):
        self.world.buses[step.node].kill()
        await asyncio.sleep(step.seconds)
        await self.world.buses[step.node].start()

    async def kill_leader(self, step):
        leaders = [await bus.leader() for bus in self.world.buses.values() if bus.runs() and not bus.is_stopped]
        names = [name for name in leaders if name]
        if names:
            step.node = int(names[0].rsplit("-", 1)[-1])
        self.world.say(f"the leader is {names[0] if names else 'not known'}; kill-bus {step.node}")
        await self.kill_bus(step)

    async def stop_bus(self, step):
        self.world.buses[step.node].stand_still()
        await asyncio.sleep(step.seconds)
        self.world.buses[step.node].go_on()

    async def stutter_bus(self, step):
        bus = self.world.buses[step.node]
        for _ in range(int(step.seconds / 0.25)):
            bus.stand_still()
            await asyncio.sleep(0.2)
            bus.go_on()
            await asyncio.sleep(0.05)

    async def kill_machine(self, step):
        self.world.buses[step.node].kill()
        harm = self.world.harms.begin(step.node, 3)
        self.world.nodes[step.node].kill()
        self.world.harms.end(harm)
        await asyncio.sleep(step.seconds)
        await self.world.buses[step.node].start()
        await self.world.start_node(self.world.nodes[step.node])

    async def one_way(self, step):
        network.drop(step.node, address(step.other))
        await asyncio.sleep(step.seconds)
        network.deliver(step.node)

    async def isolate(self, step):
        others = [other for other in NODES if other != step.node]
        network.drop(step.node, *map(address, others))
        for other in others:
            network.drop(other, address(step.node))
        await asyncio.sleep(step.seconds)
        for machine in NODES:
            network.deliver(machine)

    async def cut(self, step):
        harm = self.world.harms.begin(step.node, 12)
        network.drop(step.node, network.CLIENTS, address(PROXY))
        await asyncio.sleep(step.seconds)
        network.deliver(step.node)
        self.world.harms.end(harm)

    async def slow_link(self, step):
        harm = self.world.harms.begin(step.node, 12)
        network.limit(step.node, step.value)
        await asyncio.sleep(step.seconds)
        network.unlimit(step.node)
        self.world.harms.end(harm)

    async def clock(self, step):
        clock = self.world.nodes[step.node].clock
        clock.write_text(f"{step.value:+}\n")
        await asyncio.sleep(step.seconds)
        clock.write_text("+0\n")

    async def empty_bus(self, step):
        for bus in self.world.buses.values():
            bus.kill()
        await asyncio.sleep(step.seconds)
        for bus in self.world.buses.values():
            bus.forget()
        await asyncio.gather(*(bus.start() for bus in self.world.buses.values()))

    async def rolling(self, step):
        """Restarts everything in an orderly way. Nodes of an old build start with the new one."""
        for machine in NODES:
            node, bus = self.world.nodes[machine], self.world.buses[machine]
            harm = self.world.harms.begin(machine, 3)
            await node.stop()
            self.world.harms.end(harm)
            await bus.stop(is_checked=False)
            await bus.start()
            node.program = self.world.refreshd
            await self.world.start_node(node)
            await self.world.await_nodes()
        harm = self.world.harms.begin("proxy", 3)
        await self.world.proxy.stop(is_checked=False)
        await self.world.proxy.start()
        self.world.harms.end(harm)
