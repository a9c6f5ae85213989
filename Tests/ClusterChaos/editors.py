"""Clients whose users edit one list together, while the backend changes it too."""

import asyncio
import collections

from network import NODES
from observers import GEOMETRY, Observer, refreshd

EDIT_SECONDS = (0.5, 3)
# The most edits of a client that wait for their answers.
PENDING_MAX = 8


class Editor(Observer):
    """One client with one view of the feed `board`."""

    def __init__(self, name, home, world):
        super().__init__(name, "board", home, world)
        self.view = None
        self.count = 0  # of all edits
        self.made = {}  # the operations of the edits since the last check, by their names
        self.results = collections.defaultdict(list)  # the answers, by the names of the edits

    @staticmethod
    def make_session():
        return refreshd.Session("", features=["patch", "live", "edits"])

    async def attach(self):
        self.view = await self.session.attach(
            "list", "iqpulltorefresh", requests_items=True, feed="board",
            top={"changes": "visible", "arrivals": "insert"}, geometry=GEOMETRY)

    def state(self):
        return (f"session {(self.session.resume or {}).get('session')}, {len(self.view.items)} items, pending "
                f"{self.view.pending_edits}, last messages: {', '.join(self.recent)}")

    async def act(self):
        """Edits the list now and then, also without a connection, but only while there are faults."""
        while not self.world.is_over:
            await asyncio.sleep(self.random.uniform(*EDIT_SECONDS))
            view = self.view
            if self.world.is_disturbed and view and view.accepted_edits and len(view.pending_edits) < PENDING_MAX:
                self.count += 1
                name = f"edit-{self.name}-{self.count}"
                self.made[name] = self.world.backend.board.operation(view.items, name, name)
                await view.edit(self.made[name], edit=name)

    async def handle(self, event):
        message = event.message
        if message["type"] == "welcome":
            is_back = message.get("resumed", False)
            self.resumes += is_back
            if is_back:
                self.world.moves[message["session"]] += 1
            if self.version:
                self.world.verdicts.check(
                    "resume", is_back, f"{self.name} did not resume at node {self.node}: {message.get('reason')}")
        elif message["type"] == "items":
            self.version = 1  # the list has arrived
        elif isinstance(event, refreshd.Edited):
            self.results[event.edit].append((event.result, event.code))
        else:
            self.check_failure(message)

    def difference(self):
        """Returns how the list differs from that of the backend; None if it does not."""
        board, view = self.world.backend.board.items, self.view
        if view.pending_edits:
            return f"the edits {view.pending_edits} have no answer"
        count = len(view.items)
        if view.has_more != (count < len(board)):
            return f"{count} of {len(board)} items are shown, and more is {view.has_more}"
        return next(
            (f"row {row} is {shown}, and not {item}"
             for row, (shown, item) in enumerate(zip(view.items, board)) if shown != item), None)

    def check_edits(self):
        """Checks the answers to all edits, while nothing happens."""
        check, performed = self.world.verdicts.check, collections.Counter(self.world.backend.board.performed)
        for name, operation in self.made.items():
            results = self.results[name]
            check("edits", len(results) == 1, f"the edit {name}, {operation}, was answered {results}")
            check("edits", performed[name] <= 1, f"the edit {name} was performed {performed[name]} times")
            if len(results) == 1 and operation.keys() & {"insert", "update"}:
                result, code = results[0]
                check("edits", result == "unknown" or (result == "rolledBack") == (performed[name] == 0),
                      f"the edit {name} was answered {result} {code}, and performed {performed[name]} times")
        self.made.clear()
        self.results.clear()


def editors(world):
    """Returns an editor at each node, and one behind the proxy."""
    return [*(Editor(f"editor-{node}", node, world) for node in NODES), Editor("editor-proxy", None, world)]
