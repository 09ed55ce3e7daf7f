// Embeddings as OpenAI gives them, at its own door and at those of who copies it.
import type { Json } from '../../support/json.ts'
import type { ReceivedRequest } from '../../support/upstream.ts'
import { tokensOf } from '../tokens.ts'
import { Refusal, type Answering } from '../vendor.ts'

/** A vector for each text, all alike. @throws Refusal */
export function embeddings({
  json: { input, model, dimensions = 8, encoding_format = 'float', ...rest },
}: ReceivedRequest): ReturnType<Answering> {
  const unknown = Object.keys(rest).find((name) => name !== 'user')
  if (unknown) throw new Refusal(`Unrecognized request argument supplied: ${unknown}`)
  const inputs: Json[] = typeof input === 'string' || typeof input?.[0] === 'number' ? [input] : (input ?? [])
  if (inputs.length === 0 || inputs.includes('')) throw new Refusal("'$.input' is invalid.", { param: 'input' })
  const vector = Array.from({ length: dimensions }, (_, at) => (at === 0 ? 1 : 0))
  const embedding =
    encoding_format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
  const prompt = tokensOf(inputs.join(''))
  const data = inputs.map((_, index) => ({ object: 'embedding', index, embedding }))
  return {
    reply: { body: { object: 'list', data, model, usage: { prompt_tokens: prompt, total_tokens: prompt } } },
    usage: { prompt, cache_read: 0, cache_write: 0, completion: 0, reasoning: 0 },
  }
}
