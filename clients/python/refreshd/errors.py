"""The errors that the package raises."""


class RefreshError(Exception):
    """The base of all errors of the package."""


class Refused(RefreshError):
    """The session has ended for good: the daemon refuses the client or its `hello`, or cannot be reached.

    The message of the error has the daemon's sentence, and the field that is at fault.
    """

    def __init__(self, reason: str, code: int | None = None) -> None:
        super().__init__(reason)
        self.code = code
        """The close code of the connection; None if there was no connection, or if the fault has no close code."""


class ConnectionLost(RefreshError):
    """A connection has ended. A transport raises this error; a session handles it."""

    def __init__(self, code: int = 1006, reason: str | None = None) -> None:
        super().__init__(
            reason or ("the connection ended without a close frame (1006)" if code == 1006
            else f"the connection ended with the close code {code}"))
        self.reason = reason
        """Why the client itself has ended the connection; None if it has not."""
        self.code = code
        """The close code, or 1006 if the connection ended without a close frame (RFC 6455, 7.1.5)."""


class ConnectFailed(RefreshError):
    """A connection cannot be made. A transport raises this error; a session handles it."""

    def __init__(
        self, reason: str, retry_after: float = 0, status: int | None = None, answer: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.retry_after = retry_after
        """The seconds to wait before the next attempt, from the header `Retry-After`; 0 if there is none."""
        self.status = status
        """The HTTP status with which the upgrade was refused; None if no answer arrived."""
        self.answer = answer
        """The `code` and `message` in the body of this answer; None if it has none."""


class SessionClosed(RefreshError):
    """The session was closed by the program, so it can neither attach a view nor connect again."""


class OutboxFull(RefreshError):
    """A message was not kept, because too many messages already wait for the daemon's acknowledgement."""
