#!/usr/bin/env python3
"""An authentication service. refreshd sends POST /who at each hello. See docs/configuration.md, "auth"."""
import hmac
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A real service would store hashes of tokens in a database.
PEOPLE = {
    "anna": {"token": "8c1f-anna", "feeds": ["songs", "drafts"]},
    "otto": {"token": "77e0-otto", "feeds": ["songs"]},
}


def verdict(question):
    token = question.get("token", "").encode()
    for name, person in PEOPLE.items():
        if hmac.compare_digest(person["token"].encode(), token):
            # After an hour the session is closed with tokenExpired. The client must then authenticate again.
            return {"allow": True, "subject": name, "feeds": person["feeds"], "expiresInMs": 3600000}
    return {"allow": False}


class Hook(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/who":
            return self.send_error(404)
        answer = verdict(question)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        # The log has the client's address and its subject, never its token.
        print(question.get("peer"), answer.get("subject", "refused"), file=sys.stderr, flush=True)


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Hook)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
