"""What a client with features adds to pull.py: queries, read marks, anchors, and views that are not in sight.

docs/protocol.md specifies these additions: "Features", "Queries", "Disappear" and "Refresh at depth".
"""
import pull


class Session(pull.Session):
    """A session that uses features. A feature is in use if both the client and the daemon have named it."""

    def __init__(self, *arguments, **options):
        self.covered = set()  # the views that are not in sight
        self.queries = {}  # by view, the `seq` of the last query, and the `hello` member without it
        super().__init__(*arguments, **options)

    @property
    def has_features(self):
        """Whether the daemon treats this client as a client with features."""
        return self.features is not None and self.served is not None

    def uses(self, feature):
        return self.has_features and feature in self.features and feature in self.served

    async def query(self, name, parameters, **options):
        """Makes a new query of a view's feed. Returns whether the feature `query` is in use."""
        if not self.uses("query"):
            return False
        before = next(view for view in self.views if view["view"] == name)
        self.replace(before | {"parameters": parameters})
        self.queries[name] = self.seq + 1, before
        await self.send({"type": "configure", "view": name, "parameters": parameters} | options)
        return True

    def replace(self, body):
        """Replaces a view's member of the next `hello`."""
        self.views = [body if view["view"] == body["view"] else view for view in self.views]

    async def reveal(self, name, **fields):
        """Brings an end of the list or an item into sight. Returns whether the feature `unread` is in use."""
        if not self.uses("unread"):
            return False
        await self.send({"type": "reveal", "view": name} | fields)
        return True

    async def mark_read(self, name, item):
        """Reports that the user has read the list up to an item, if the feature `unread` is in use."""
        if self.uses("unread"):
            await self.send({"type": "read", "view": name, "id": item})

    async def disappear(self, name):
        """Reports that a view is not visible any more, if the daemon knows this message."""
        if name not in self.covered:
            self.covered.add(name)
            if self.has_features:
                await self.send({"type": "disappear", "view": name})

    async def appear(self, name):
        """Reports that a view is visible again."""
        if name in self.covered:
            self.covered.discard(name)
            await self.send({"type": "appear", "view": name})

    async def detach(self, name):
        self.covered.discard(name)
        await super().detach(name)

    def handle(self, message):
        super().handle(message)
        if message["type"] == "error":
            seq, before = self.queries.get(message.get("view"), (None, None))
            if seq is not None and message.get("seq") == seq:
                self.replace(before)  # the daemon has refused the query
        if message["type"] != "welcome":
            return
        self.outbox = [kept for kept in self.outbox if self.is_known(kept)]
        if not message.get("resumed") and self.has_features:
            for name in self.covered:  # in a fresh session, each view counts as in sight
                self.keep({"type": "disappear", "view": name})

    def is_known(self, message):
        """Whether the daemon knows a message that was stored while there was no connection."""
        if message["type"] == "disappear":
            return self.has_features
        return message["type"] != "configure" or "parameters" not in message or self.uses("query")

    async def send_together(self, *messages):
        """Sends messages in one frame."""
        for message in messages:
            self.keep(message)
        if self.socket:
            await self.transmit(self.socket, list(messages))


class View(pull.View):
    """A list whose items all have the same length. If the length is 0, the client does not lay the items out."""

    item_length = 0

    def rows(self):
        """The items that are laid out, each with its position."""
        if not self.item_length:
            return []
        return [(item["id"], index * self.item_length) for index, item in enumerate(self.items)]

    def in_sight(self):
        """The index of the first item in sight."""
        return next((index for index, (_, position) in enumerate(self.rows())
                     if position + self.item_length > self.offset), None)


def anchors(before, after, index):
    """Returns the positions of one item in two lists, each as an `anchor`. The item is the one at the index in the
    first list, or its nearest neighbour that is in both lists. None if the lists have no item in common.
    """
    positions = dict(after)
    for place in sorted(range(len(before)), key=lambda place: abs(place - index)):
        name, position = before[place]
        if name in positions:
            return {"id": name, "position": position}, {"id": name, "position": positions[name]}
    return None


def laid_out(view, name, before, index, width):
    """Returns the messages that report a new list. The daemon then moves the list, so that the first item in sight
    stays where it is. `before` has the rows of the old list, and `index` is the index of its first item in sight. If
    the list is at its start, no item is reported, so that the list shows the new items there.
    """
    after = view.rows()
    geometry = {"type": "geometry", "view": name,
                "content": {"width": width, "height": len(after) * view.item_length}}
    found = anchors(before, after, index) if index is not None and view.offset > 0 else None
    if not found:
        return [geometry]
    return [{"type": "geometry", "view": name, "anchor": found[0]}, geometry | {"anchor": found[1]}]
