"""The WebSocket messages between pages and their daemons, as the browser's developer tools record them."""

import json

# The key of `goog:loggingPrefs` that enables this recording.
LOG = "performance"
SPEAKERS = {"Network.webSocketFrameSent": "client", "Network.webSocketFrameReceived": "daemon"}
CLOSES = (8, 9, 10)  # the opcodes of control frames, which carry no messages


class Frames:
    """Writes every frame of a browser to a file, in lines of `{"from": SPEAKER, "text": FRAME}`.

    This includes messages of a page that no daemon received. It also includes messages that a daemon sent but could not
    record, because it was killed. `scripts/checks/recorded_messages.py` validates the lines against the schema.
    """

    def __init__(self, browser, file):
        self.browser = browser
        self.file = file

    def record(self):
        """Records all frames since the last call. The browser then drops them."""
        for entry in self.browser.get_log(LOG):
            event = json.loads(entry["message"])["message"]
            speaker = SPEAKERS.get(event["method"])
            if not speaker:
                continue
            frame = event["params"]["response"]
            if frame["opcode"] not in CLOSES:
                self.add(speaker, frame["payloadData"] if frame["opcode"] == 1 else None)

    def add(self, speaker, text):
        """Records a frame. None stands for a binary frame, which is not a message."""
        with open(self.file, "a", encoding="utf-8") as lines:
            lines.write(json.dumps({"from": speaker, "text": text}) + "\n")
