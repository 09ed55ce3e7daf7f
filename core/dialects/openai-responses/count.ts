// Converts token counting of a response's input to and from OpenAI's format (`POST /v1/responses/input_tokens`).
import type { TokenCount } from '../dialect.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { getMember, asFiniteNumber, asObject, parseJsonBytes } from '../json/json-value.ts'

/** The fields that OpenAI counts (its reference, November 2026). */
const COUNTED = new Set([
  ...['model', 'input', 'instructions', 'previous_response_id', 'conversation', 'tools', 'tool_choice'],
  ...['parallel_tool_calls', 'reasoning', 'text', 'truncation'],
])

export const inputTokenCount: TokenCount = {
  ask(request) {
    const fields = Object.entries(asObject(parseJsonBytes(request)) ?? {})
    return toJsonBytes(Object.fromEntries(fields.filter(([key]) => COUNTED.has(key))))
  },
  read: (answer) => asFiniteNumber(getMember(parseJsonBytes(answer), 'input_tokens')),
  write: (input_tokens) => toJsonBytes({ object: 'response.input_tokens', input_tokens }),
}
