"""What pages and their peers say to each other over WebSockets, as the browser's developer tools tell it."""

import json

# What `goog:loggingPrefs` must hold for it.
LOG = "performance"
SPEAKERS = {"Network.webSocketFrameSent": "client", "Network.webSocketFrameReceived": "daemon"}
CLOSES = (8, 9, 10)  # opcodes of control frames, which carry no messages


class Frames:
    """Writes every frame of a browser into a file: lines of `{"from": SPEAKER, "text": FRAME}`.

    It sees what a page said that never reached a daemon, and what it was told by one that was killed before it
    could write that down. `scripts/checks/recorded_messages.py` holds the lines to the schema.
    """

    def __init__(self, browser, file):
        self.browser = browser
        self.file = file

    def take(self):
        """Everything that was said since the last time; the browser keeps it no longer."""
        for entry in self.browser.get_log(LOG):
            event = json.loads(entry["message"])["message"]
            speaker = SPEAKERS.get(event["method"])
            if not speaker:
                continue
            frame = event["params"]["response"]
            if frame["opcode"] not in CLOSES:
                self.add(speaker, frame["payloadData"] if frame["opcode"] == 1 else None)

    def add(self, speaker, text):
        """A frame; None: of bytes, which is no message."""
        with open(self.file, "a", encoding="utf-8") as lines:
            lines.write(json.dumps({"from": speaker, "text": text}) + "\n")
