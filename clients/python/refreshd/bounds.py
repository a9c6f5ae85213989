"""The bounds of a message that the daemon sets in `welcome.limits`.

The daemon refuses the whole frame of a message beyond a bound. A kept message would therefore damage each `hello` that
repeats it, so a message is checked before it is kept. Source: docs/protocol.md, "Limits" and "Faults".
"""

import json
from collections.abc import Mapping
from typing import Any

FRAME_BYTES = 2
"""The bytes of a frame besides its only message: the brackets of the array."""
MESSAGE_DEPTH = 2
"""The depth of a message in a frame that is an array."""
BODY_DEPTH = 4
"""The depth of the body of a view in `hello`."""


def check_bounds(message: Mapping[str, Any], limits: Mapping[str, int], depth: int = MESSAGE_DEPTH) -> None:
    """Raises ValueError if a message is larger than a frame, or if one of its strings, its numbers or its nesting is
    beyond a limit of the daemon. `depth` is the nesting of the message in its frame.
    """
    check_value(message, limits, depth, str(message.get("type", "the view")))
    size = len(json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()) + FRAME_BYTES
    if size > limits["frameBytesMax"]:
        raise ValueError(f"a frame with this message has {size} bytes, and the daemon accepts {limits['frameBytesMax']}")


def check_value(value: Any, limits: Mapping[str, int], depth: int, path: str) -> None:
    """Checks a value at a path, such as `configure.parameters.q`."""
    if isinstance(value, str):
        check_string(value, limits["stringBytesMax"], path)
    elif isinstance(value, int):
        try:
            float(value)
        except OverflowError:
            raise ValueError(f"{path} is a number that does not fit a double") from None
    elif isinstance(value, dict | list | tuple):
        if depth > limits["jsonDepthMax"]:
            raise ValueError(f"{path} is nested deeper than the {limits['jsonDepthMax']} levels that the daemon accepts")
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for name, member in members:
            if isinstance(name, str):
                check_string(name, limits["stringBytesMax"], f"a name in {path}")
            check_value(member, limits, depth + 1, f"{path}.{name}")


def check_string(text: str, bytes_max: int, path: str) -> None:
    """Raises ValueError if a string is too long as it is encoded in a frame, or is not Unicode text."""
    try:
        size = len(json.dumps(text, ensure_ascii=False).encode()) - 2
    except UnicodeEncodeError as error:
        raise ValueError(f"{path} is not Unicode text: {error.reason}") from error
    if size > bytes_max:
        raise ValueError(f"{path} has {size} bytes in the frame, and the daemon accepts strings of {bytes_max}")
