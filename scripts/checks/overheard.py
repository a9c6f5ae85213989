"""Runs a program that dials by Python's `websockets`, and writes down each frame that it says or hears.

    overheard.py FILE SPEAKER OTHER PROGRAM [ARGUMENT ...]

The lines of FILE are those that recorded.py reads. Run by the Python that has `websockets` (Debian: python3-websockets).
"""

import json
import runpy
import sys

import websockets


def overhear(path, speaker, other):
    """From now on whoever dials is listened to."""
    dial = websockets.connect

    def note(side, text):
        with open(path, "a") as file:
            print(json.dumps({"from": side, "text": text if isinstance(text, str) else None}), file=file)

    class Overheard(websockets.WebSocketClientProtocol):
        async def send(self, message):
            note(speaker, message)
            await super().send(message)

        async def recv(self):
            message = await super().recv()
            note(other, message)
            return message

    def connect(*arguments, **options):
        return dial(*arguments, **options, create_protocol=Overheard)

    websockets.connect = connect


def main():
    path, speaker, other, program = sys.argv[1:5]
    overhear(path, speaker, other)
    sys.argv = sys.argv[4:]
    runpy.run_path(program, run_name="__main__")


if __name__ == "__main__":
    main()
