"""Runs a program that connects with Python's `websockets`, and records each frame that it sends or receives.

    frame_recorder.py FILE SENDER PEER PROGRAM [ARGUMENT ...]

recorded_messages.py reads the lines of FILE. This file is run by the Python that has `websockets` (Debian:
python3-websockets).
"""

import json
import runpy
import sys

import websockets


def record_connections(path, sender, peer):
    """Replaces `websockets.connect` by a function that records all frames of its connections."""
    connect_unrecorded = websockets.connect

    def record(side, text):
        with open(path, "a") as file:
            print(json.dumps({"from": side, "text": text if isinstance(text, str) else None}), file=file)

    class RecordedConnection(websockets.WebSocketClientProtocol):
        async def send(self, message):
            record(sender, message)
            await super().send(message)

        async def recv(self):
            message = await super().recv()
            record(peer, message)
            return message

    def connect(*arguments, **options):
        return connect_unrecorded(*arguments, **options, create_protocol=RecordedConnection)

    websockets.connect = connect


def main():
    path, sender, peer, program = sys.argv[1:5]
    record_connections(path, sender, peer)
    sys.argv = sys.argv[4:]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
