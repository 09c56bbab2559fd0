"""An HTTP server that answers from a script, one entry for each request, and records what it got."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass
class Answer:
    status: int = 200
    body: Any = field(default_factory=lambda: {"data": {"id": "x_1"}})
    headers: dict[str, str] = field(default_factory=dict)


CUT = Answer(status=0)
STALL = Answer(status=-1)


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class HostileServer:
    def __init__(self) -> None:
        self.received: list[Received] = []
        self._answers: list[Answer] = []
        self._ended = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.received.append(Received(self.command, self.path, headers, self.rfile.read(length)))
                answer = outer._answers.pop(0) if len(outer._answers) > 1 else outer._answers[0]
                if answer is CUT:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                if answer is STALL:
                    self.send_response(200)
                    self.send_header("content-length", "100")
                    self.end_headers()
                    self.wfile.write(b'{ "data": ')
                    self.wfile.flush()
                    outer._ended.wait(5)
                    return
                is_text = isinstance(answer.body, str)
                content = answer.body.encode() if is_text else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                self.send_header("content-length", str(len(content)))
                self.send_header("x-request-id", "req_of_header")
                content_type = "text/html" if is_text else "application/json"
                for name, value in {"content-type": content_type, **answer.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.base_url = f"http://127.0.0.1:{self._server.server_port}"

    def script(self, *answers: Answer) -> None:
        """Replaces what is left of the script. The last entry is repeated."""
        self._answers = list(answers)
        self.received.clear()

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def server() -> Iterator[HostileServer]:
    one = HostileServer()
    yield one
    one.close()


def refusal(status: int, code: str, **headers: str) -> Answer:
    error = {"code": code, "message": f"The message of {code}.", "requestId": "req_of_body", "param": "limit"}
    return Answer(status, {"error": error}, {name.replace("_", "-"): value for name, value in headers.items()})
