// Recorded Responses answers read by hand, without any of our dialects.
import type { Json } from './json.ts'
import type { Recording } from './recordings.ts'

/** A reading of a recorded response object by hand. */
export function responseReading(response: Json) {
  const items: Json[] = response.output
  const parts = items.filter(({ type }) => type === 'message').flatMap(({ content }) => content)
  const thoughts = items.filter(({ type }) => type === 'reasoning')
  return {
    text: parts.map(({ text }) => text ?? '').join(''),
    refusal: parts.map(({ refusal }) => refusal ?? '').join(''),
    reasoning: thoughts
      .map(({ summary, content }) =>
        summary?.length > 0
          ? summary.map(({ text }: Json) => text).join('\n\n')
          : (content ?? []).map(({ text }: Json) => text).join(''),
      )
      .join(''),
    proofs: thoughts.flatMap(({ encrypted_content }) => encrypted_content ?? []),
    calls: items
      .filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
      .map((one) => ({ id: one.call_id, name: one.name, arguments: one.arguments ?? one.input })),
    images: items.filter(({ type, result }) => type === 'image_generation_call' && result).length,
    citations: parts.flatMap(({ annotations }) => (annotations ?? []).filter(({ url }: Json) => url)).length,
  }
}

/** The response object that a recorded stream ends with; undefined where it did not end well. */
export const lastResponse = ({ response }: Recording): Json =>
  (response.sse ?? [])
    .flatMap((event) => /^data: ?(\{.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => JSON.parse(data))
    .findLast(({ type }) => /^response\.(completed|incomplete)$/.test(type))?.response
