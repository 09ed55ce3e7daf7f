#!/bin/sh
# Tries metrics, alert rules and dashboard against a real Prometheus: its own tool checks the rules and a scrape, it scrapes a
# running gateway with two calls on the sandbox, and every query of dashboard and rules is asked of it.
# Needs the built program (npm run build) and Debian's package `prometheus`, which has promtool, or both in PATH. Says so
# where they are not to be had.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v prometheus >/dev/null || ! command -v promtool >/dev/null; then
  echo 'prometheus and promtool are not here (Debian: apt-get install prometheus): nothing was tried'
  exit 2
fi
prometheus --version 2>&1 | head -1
exec node --import tsx test/operations/prometheus.ts
