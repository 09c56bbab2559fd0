"""A webhook receiver on Python's standard library alone: verifies, stores each event once, answers at once.

    WEBHOOK_SECRET=whsec_... RECORD_FILE=events.jsonl PORT=9000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Anybody could sign with an empty key.
KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_")) or sys.exit("WEBHOOK_SECRET is empty.")
RECORD_FILE = os.environ.get("RECORD_FILE", "events.jsonl")
# Content events carry a whole deck; more than this is none of ours.
BODY_BYTES_MAX = 1_048_576
TOLERANCE_SECONDS = 5 * 60


def is_genuine(headers, body: bytes) -> bool:
    """Standard Webhooks: HMAC-SHA256 over id.timestamp.body, keyed with the decoded part behind whsec_."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not event_id or not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - float(timestamp)) > TOLERANCE_SECONDS:
        return False
    # The bytes as they came: a body that was parsed and written again has another signature.
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # Two signatures stand here while a rotation overlaps: one that fits is enough.
    for entry in headers.get("webhook-signature", "").split(" "):
        version, _, signature = entry.partition(",")
        if version == "v1" and hmac.compare_digest(signature.encode(), expected):
            return True
    return False


def ids_stored() -> set:
    """The id stays the same however often an event is delivered; what was stored before a restart counts, too."""
    if not os.path.exists(RECORD_FILE):
        return set()
    with open(RECORD_FILE, encoding="utf-8") as lines:
        return {json.loads(line)["id"] for line in lines if line.strip()}


seen = ids_stored()
lock = threading.Lock()


def store_once(event_id: str, headers: dict, body: bytes) -> None:
    """On disk before the answer: an event that was taken is never sent again."""
    with lock:
        if event_id in seen:
            return
        line = json.dumps({"id": event_id, "headers": headers, "body": body.decode("utf-8")})
        with open(RECORD_FILE, "a", encoding="utf-8") as file:
            file.write(line + "\n")
        seen.add(event_id)


class Receiver(BaseHTTPRequestHandler):
    # Connections are kept, so that the next delivery needs no new one.
    protocol_version = "HTTP/1.1"
    # Head and body of an answer leave as one packet.
    wbufsize = -1

    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if not 0 <= length <= BODY_BYTES_MAX:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        if not is_genuine(headers, body):
            return self.answer(400)
        store_once(headers["webhook-id"], headers, body)
        return self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print("listening", flush=True)
    server.serve_forever()
