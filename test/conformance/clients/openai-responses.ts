// OpenAI's client at the Responses API.
import OpenAI from 'openai'
import type { Json } from '../../support/json.ts'
import { responseReading } from '../../support/response-reading.ts'
import { createListener, type Client } from '../saying.ts'

const ENDS = new Set(['response.completed', 'response.incomplete'])

export const responsesClient: Client = {
  name: 'OpenAI Responses',
  apis: ['openai.responses'],
  plain: { input: 'Hello' },
  async ask({ url, key }, model, body, streamed) {
    const { responses } = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
    const params = { ...body, model } as OpenAI.Responses.ResponseCreateParams
    if (!streamed) return [await responses.create({ ...params, stream: false })]
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await responses.create({ ...params, stream: true })) events.push(event)
    // The client takes any end for one, so the test does not.
    if (!ENDS.has(events.at(-1)?.type ?? '')) throw new OpenAI.APIConnectionError({ message: 'the stream did not end' })
    return events
  },
  raw: ({ url, key }, model, body, streamed) => ({
    url: `${url}/v1/responses`,
    headers: { authorization: `Bearer ${key}` },
    body: { ...body, model, stream: streamed },
  }),
  read(events) {
    const last = events.at(-1)
    const response: Json = last.response ?? last
    const { text, refusal, reasoning, calls } = responseReading(response)
    const heard = createListener()
    heard.text(text)
    heard.refusal(refusal)
    heard.reasoning(reasoning)
    for (const { type, result } of response.output) if (type === 'image_generation_call' && result) heard.image()
    for (const { content = [] } of response.output.filter(({ type }: Json) => type === 'message'))
      for (const { annotations } of content) for (const { url } of annotations ?? []) heard.source(url)
    for (const [at, call] of calls.entries()) heard.call(at, call.name, call.arguments)
    const cut = response.incomplete_details?.reason
    heard.finish(response.status === 'incomplete' ? (cut === 'content_filter' ? cut : 'length') : 'stop')
    const { usage } = response
    if (usage) {
      heard.usage({
        prompt: usage.input_tokens,
        cached: usage.input_tokens_details?.cached_tokens ?? 0,
        written: usage.input_tokens_details?.cache_write_tokens ?? 0,
        completion: Math.max(usage.output_tokens, usage.total_tokens - usage.input_tokens),
        reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
      })
    }
    return heard.heard()
  },
  // It has to say a reason, also where none was said.
  able: (saying) => ({ ...saying, finish: saying.finish ?? 'stop' }),
}
