// A format said in words, for models and vendors that have no switch for it.
import type { ModelRequest, ResponseFormat } from '../model-request.ts'

/** The line that asks for JSON, with the shape it must have. */
export function formatInWords({ schema, name, description }: ResponseFormat): string {
  const line = 'Answer with valid JSON only: no words before or behind it, and no code fence.'
  if (schema === undefined) return line
  const about = [name, description].filter((text) => text !== undefined).join(': ')
  return `${line} It must match this JSON schema${about === '' ? '' : ` (${about})`}: ${JSON.stringify(schema)}`
}

/** The request with its format as the last words of the system, behind all that other calls may share. */
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
