"""ClickHouse's own engine over the part of its HTTP interface that a client library needs.

The engine is the package chdb, in this process. One request at a time; a session's data is in the folder that is given.
Usage: python clickhouse.py FOLDER PORT [--down-file FILE]: while FILE exists, every request is answered with 503.
"""
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qsl, urlsplit

from chdb import session

FOLDER, PORT = sys.argv[1], int(sys.argv[2])
DOWN = sys.argv[4] if len(sys.argv) > 4 else None
ENGINE = session.Session(FOLDER)
LOCK = Lock()
# Said of the request, not of the query.
NOT_SETTINGS = {"query", "database", "query_id", "session_id", "session_timeout", "default_format", "role", "compress",
                "decompress", "enable_http_compression", "wait_end_of_query", "send_progress_in_http_headers",
                "http_headers_progress_interval_ms", "cancel_http_readonly_queries_on_client_close"}


def literal(value):
    return value if value.lstrip("-").isdigit() else "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def run(url, body):
    asked = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    sql = asked.get("query", "")
    text = body.decode()
    params = {name[6:]: value for name, value in asked.items() if name.startswith("param_")}
    settings = {name: value for name, value in asked.items() if name not in NOT_SETTINGS and not name.startswith("param_")}
    said = ", ".join(f"{name} = {literal(value)}" for name, value in settings.items())
    ENGINE.query(f"use {asked.get('database', 'default')}")
    if sql and sql.lstrip().lower().startswith("insert"):
        head, form = sql.rsplit("FORMAT", 1)
        query = f"{head} SETTINGS {said} FORMAT {form.strip()}\n{text}" if said else f"{sql}\n{text}"
    else:
        query = f"{sql}{text}"
        if said:
            for name, value in settings.items():
                ENGINE.query(f"set {name} = {literal(value)}")
    form = "JSONEachRow"
    answer = ENGINE.query(query, form, params=params) if params else ENGINE.query(query, form)
    return bytes(answer.bytes()) if answer is not None else b""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # the client is gone

    def reply(self, status, body, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer(self, body):
        if DOWN and os.path.exists(DOWN):
            return self.reply(503, b"Code: 999. DB::Exception: not there (for a while)")
        if urlsplit(self.path).path == "/ping":
            return self.reply(200, b"Ok.\n")
        try:
            with LOCK:
                result = run(self.path, body)
            self.reply(200, result, [("X-ClickHouse-Server-Display-Name", "chdb"), ("Content-Type", "application/x-ndjson")])
        except Exception as error:  # what the engine says goes to the client as it would from a server
            self.reply(400, str(error).encode(), [("X-ClickHouse-Exception-Code", "1")])

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            body = b"".join(parts)
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.answer(body)


print(json.dumps({"port": PORT}), flush=True)
ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
