// How many tokens a prompt has, as Anthropic is asked and answers.
import type { TokenCount } from '../dialect.ts'
import { jsonBytes } from '../json-bytes.ts'
import { getMember, asNumber, asObject, parsedBytes } from '../json-value.ts'

/** What may be asked about; limits and sampling are refused there. */
const COUNTED = new Set(['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'])

export const promptCount: TokenCount = {
  ask(request) {
    const fields = Object.entries(asObject(parsedBytes(request)) ?? {})
    return jsonBytes(Object.fromEntries(fields.filter(([key]) => COUNTED.has(key))))
  },
  read: (answer) => asNumber(getMember(parsedBytes(answer), 'input_tokens')),
  write: (input_tokens) => jsonBytes({ input_tokens }),
}
