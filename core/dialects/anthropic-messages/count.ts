// Converts token counting of prompts to and from Anthropic's format.
import type { TokenCount } from '../dialect.ts'
import { jsonBytes } from '../json-bytes.ts'
import { getMember, asNumber, asObject, parseJsonBytes } from '../json-value.ts'

/** The fields that the endpoint accepts. It refuses limits and sampling. */
const COUNTED = new Set(['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'])

export const promptCount: TokenCount = {
  ask(request) {
    const fields = Object.entries(asObject(parseJsonBytes(request)) ?? {})
    return jsonBytes(Object.fromEntries(fields.filter(([key]) => COUNTED.has(key))))
  },
  read: (answer) => asNumber(getMember(parseJsonBytes(answer), 'input_tokens')),
  write: (input_tokens) => jsonBytes({ input_tokens }),
}
