// Converts token counting of prompts to and from Anthropic's format.
import type { TokenCount } from '../dialect.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import { getMember, asFiniteNumber, asObject, parseJsonBytes } from '../json/json-value.ts'

/** The fields that the endpoint accepts. It refuses limits and sampling. */
const COUNTED = new Set(['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'])

export const promptTokenCount: TokenCount = {
  ask(request) {
    const fields = Object.entries(asObject(parseJsonBytes(request)) ?? {})
    return toJsonBytes(Object.fromEntries(fields.filter(([key]) => COUNTED.has(key))))
  },
  read: (answer) => asFiniteNumber(getMember(parseJsonBytes(answer), 'input_tokens')),
  write: (input_tokens) => toJsonBytes({ input_tokens }),
}
