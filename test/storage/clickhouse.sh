#!/bin/sh
# Runs a command beside ClickHouse's own engine, which answers over its HTTP interface:
#   sh test/storage/clickhouse.sh npx vitest run --config test/vitest.config.ts test/storage/log-homes.test.ts
#   sh test/storage/clickhouse.sh npx tsx test/e2e/log-homes.ts --home clickhouse
# The engine is the package chdb of PyPI (some 900 MB with what it needs), kept in a folder of its own between runs
# (CHDB_FOLDER); Python 3.9 or later. Says so where it is not to be had. While the file WEIR_TEST_CLICKHOUSE_DOWN is there,
# every request is answered with 503.
set -eu
cd "$(dirname "$0")/../.."
place="${CHDB_FOLDER:-${TMPDIR:-/tmp}/weir-chdb}"
if ! command -v python3 >/dev/null; then
  echo 'python3 is not here: nothing was tried'
  exit 2
fi
if [ ! -x "$place/bin/python" ] || ! "$place/bin/python" -c 'import chdb' 2>/dev/null; then
  python3 -m venv "$place" && "$place/bin/pip" install --quiet chdb || {
    echo 'the package chdb is not to be had: nothing was tried'
    exit 2
  }
fi
data="$(mktemp -d)"
down="$data.down"
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
"$place/bin/python" test/storage/clickhouse.py "$data" "$port" --down-file "$down" >"$data.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$data" "$data.log" "$down"' EXIT INT TERM
tries=0
until grep -q port "$data.log"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 120 ] || ! kill -0 "$server" 2>/dev/null; then
    cat "$data.log"
    exit 2
  fi
  sleep 0.5
done
"$place/bin/python" -c 'import chdb; print("chdb", chdb.__version__, "with ClickHouse", str(chdb.query("select version()")).strip())'
export WEIR_TEST_CLICKHOUSE="http://127.0.0.1:$port/default" WEIR_TEST_CLICKHOUSE_DOWN="$down"
"$@"
