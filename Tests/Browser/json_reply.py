"""The answers of the backends that the tests run themselves."""

import json


def send_json(handler, status, answer):
    """Sends an answer with a JSON body."""
    body = json.dumps(answer).encode()
    try:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
    except OSError:
        pass  # the daemon has cancelled the request
