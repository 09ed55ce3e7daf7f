// OpenAI's embeddings and moderations: texts in, numbers out. Nothing is streamed, and the answer has no tokens.
import { fail } from '../errors.ts'
import { textTokens } from './estimate.ts'
import { listIn, memberOf, numberIn, objectIn, parsedBytes, textIn } from './json-value.ts'
import { inputUsage, passing, plainHead } from './passing.ts'
import { kind } from './shape.ts'

/** A picture that is looked at. Unit: tokens. */
const PICTURE = 255

/** A text, tokens, a part of text or picture, or several of these. */
const input = kind('a text, an object or a list', (value) => typeof value === 'string' || typeof value === 'object')

export const openaiEmbeddings = passing({
  name: 'openai-embeddings',
  operation: 'embeddings',
  // The second is the oldest address of embeddings.
  paths: ['/v1/embeddings', '/v1/engines/{model}/embeddings'],
  headFields: { input },
  head: ({ model, input }) => plainHead(model, inputTokens(given(input))),
  texts: textsIn,
  usageKeys: ['usage'],
  usageOf: ({ usage }, head) => inputUsage(usage, head),
})

/** Providers report no usage of moderations: they count as what they were asked about. */
export const openaiModerations = passing({
  name: 'openai-moderations',
  operation: 'moderation',
  paths: ['/v1/moderations'],
  usualModel: 'omni-moderation-latest',
  headFields: { input },
  head: ({ model, input }) => plainHead(model, inputTokens(given(input))),
  texts: textsIn,
  usageKeys: ['usage'],
  usageOf: ({ usage }, head) => inputUsage(usage, head),
})

function given(input: unknown): unknown {
  const says = typeof input === 'string' || (listIn(input)?.length ?? 0) > 0 || objectIn(input) !== undefined
  return says ? input : fail('request.invalid', { param: 'input', reason: 'input is required' })
}

function inputTokens(input: unknown): number {
  if (typeof input === 'string') return textTokens(input)
  if (numberIn(input) !== undefined) return 1
  const parts = listIn(input) ?? listIn(memberOf(input, 'content'))
  if (parts) return parts.reduce<number>((sum, one) => sum + inputTokens(one), 0)
  const text = textIn(memberOf(input, 'text'))
  return text === undefined ? PICTURE : textTokens(text)
}

/** Nothing where there is anything else than text. */
function textsIn(body: Uint8Array): string[] {
  const input = memberOf(parsedBytes(body), 'input')
  const texts = (listIn(input) ?? [input]).map((one) => textIn(one) ?? textIn(memberOf(one, 'text')))
  return texts.every((text) => text !== undefined) ? texts : []
}
