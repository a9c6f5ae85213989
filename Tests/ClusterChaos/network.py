"""The network of the cluster: a bridge, and a network namespace for each machine. Runs in namespaces of its own, in which
it is root, so nothing of it remains when the first process ends."""

import subprocess

# Machines 1, 2 and 3 are nodes, and machine 4 has the proxy.
NODES = (1, 2, 3)
PROXY = 4
# Clients and the backend are on the bridge itself. They have separate addresses, so that a rule can drop one of them.
CLIENTS = "10.77.0.254"
BACKEND = "10.77.0.253"


def address(machine):
    return f"10.77.0.{machine}"


def command(*words):
    """Runs a command that must succeed."""
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def mortal(*words):
    """Returns the command that runs `words` until this script ends, in whatever way it ends. setpriv and nsenter replace
    themselves by the command, so it has the number of the started process."""
    return ["setpriv", "--pdeathsig", "KILL", *words]


def inside(machine, *words):
    """Returns the command that runs `words` on a machine."""
    return mortal("nsenter", f"--net=/run/netns/m{machine}", *words)


def build():
    """Makes the bridge and the machines. The file of a namespace needs a writable /run."""
    command("mount", "-t", "tmpfs", "tmpfs", "/run")
    command("ip", "link", "set", "lo", "up")
    command("ip", "link", "add", "bridge", "type", "bridge")
    command("ip", "address", "add", f"{CLIENTS}/24", "dev", "bridge")
    command("ip", "address", "add", f"{BACKEND}/24", "dev", "bridge")
    command("ip", "link", "set", "bridge", "up")
    for machine in (*NODES, PROXY):
        command("ip", "netns", "add", f"m{machine}")
        command(
            "ip", "link", "add", f"port{machine}", "type", "veth",
            "peer", "name", "eth0", "netns", f"m{machine}")
        command("ip", "link", "set", f"port{machine}", "master", "bridge", "up")
        command(*inside(machine, "ip", "link", "set", "lo", "up"))
        command(*inside(machine, "ip", "address", "add", f"{address(machine)}/24", "dev", "eth0"))
        command(*inside(machine, "ip", "link", "set", "eth0", "up"))
        command(*inside(machine, "nft", "add table inet chaos; "
                        "add chain inet chaos input { type filter hook input priority 0; }"))


def drop(machine, *senders):
    """Drops all packets from these addresses that arrive at a machine. Packets to them are not dropped."""
    command(*inside(
        machine, "nft", "add", "rule", "inet", "chaos", "input", "ip", "saddr", "{", ",".join(senders), "}", "drop"))


def deliver(machine):
    """Ends all drops at a machine."""
    command(*inside(machine, "nft", "flush", "chain", "inet", "chaos", "input"))


def limit(machine, kilobits):
    """Limits the link of a machine to so many kilobits a second, in both directions."""
    rule = ("root", "tbf", "rate", f"{kilobits}kbit", "burst", "8kb", "latency", "500ms")
    command(*inside(machine, "tc", "qdisc", "replace", "dev", "eth0", *rule))
    command("tc", "qdisc", "replace", "dev", f"port{machine}", *rule)


def unlimit(machine):
    command(*inside(machine, "tc", "qdisc", "delete", "dev", "eth0", "root"))
    command("tc", "qdisc", "delete", "dev", f"port{machine}", "root")
