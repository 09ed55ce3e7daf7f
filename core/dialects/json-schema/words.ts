// Expresses a response format as an instruction, for models and vendors without a field for it.
import type { ModelRequest, ResponseFormat } from '../model-request.ts'

/** Returns the instruction to answer in JSON, with the schema. */
export function formatInWords({ schema, name, description }: ResponseFormat): string {
  const line = 'Answer with valid JSON only: no words before or behind it, and no code fence.'
  if (schema === undefined) return line
  const about = [name, description].filter((text) => text !== undefined).join(': ')
  return `${line} It must match this JSON schema${about === '' ? '' : ` (${about})`}: ${JSON.stringify(schema)}`
}

/** Returns the request with its format at the end of the system prompt, after the part that other calls may share. */
export function withFormatInWords(request: ModelRequest): ModelRequest {
  const { response_format, messages } = request
  if (!response_format) return request
  const text = formatInWords(response_format)
  const [first, ...others] = messages
  if (first?.role !== 'system')
    return { ...request, messages: [{ role: 'system', content: [{ type: 'text', text }] }, ...messages] }
  const last = first.content.at(-1)
  const content =
    last?.type === 'text'
      ? [...first.content.slice(0, -1), { ...last, text: `${last.text}\n\n${text}` }]
      : [...first.content, { type: 'text' as const, text }]
  return { ...request, messages: [{ ...first, content }, ...others] }
}
