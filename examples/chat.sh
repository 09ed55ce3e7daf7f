#!/usr/bin/env sh
# One streamed call. Usage: WEIR_KEY=sk-… sh chat.sh "Hello" [model]
set -eu
curl --no-buffer "${WEIR_URL:-http://127.0.0.1:3000}/v1/chat/completions" \
  -H "Authorization: Bearer ${WEIR_KEY:?set WEIR_KEY to an sk- token}" \
  -H 'Content-Type: application/json' \
  -d "{\"model\": \"${2:-sandbox-small}\", \"stream\": true, \"messages\": [{\"role\": \"user\", \"content\": \"${1:-Hello}\"}]}"
