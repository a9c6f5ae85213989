"""The requests of a session that depend on what the daemon serves."""

from typing import Any

from .state import Message, SessionState


class ViewRequests(SessionState):
    """A session that uses a feature, or a newer message, only if the daemon knows it."""

    async def send(self, message: Message) -> None:
        """Sends a message of a client."""
        raise NotImplementedError

    async def query(self, name: str, parameters: dict[str, str] | None, **options: Any) -> bool:
        """Makes a new query of a view's feed. Returns whether the feature `query` is in use."""
        if not self.uses("query"):
            return False
        view = self.views[name]
        self.queries[name] = self.seq + 1, view.parameters
        view.parameters = parameters
        await self.send({"type": "configure", "view": name, "parameters": parameters} | options)
        return True

    async def reveal(self, name: str, **fields: Any) -> bool:
        """Brings an end of the list or an item into sight. Returns whether the feature `unread` is in use."""
        if not self.uses("unread"):
            return False
        await self.send({"type": "reveal", "view": name} | fields)
        return True

    async def mark_read(self, name: str, item: str) -> None:
        """Reports that the user has read the list up to an item, if the feature `unread` is in use."""
        if self.uses("unread"):
            await self.send({"type": "read", "view": name, "id": item})

    async def disappear(self, name: str) -> None:
        """Reports that a view is not visible any more, if the daemon knows this message."""
        if name not in self.covered:
            self.covered.add(name)
            if self.has_features:
                await self.send({"type": "disappear", "view": name})

    async def appear(self, name: str) -> None:
        """Reports that a view is visible again."""
        if name in self.covered:
            self.covered.discard(name)
            await self.send({"type": "appear", "view": name})
