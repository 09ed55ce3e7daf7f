// OpenAI's embeddings and moderations: texts in, numbers out. Nothing is streamed, and the answer has no tokens.
import { fail } from '../../errors.ts'
import { type RequestHead, estimateTextTokens } from '../requests/head.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { decodeLatin1 } from '../json/json-text.ts'
import { othersForEmbeddings } from './other-embeddings.ts'
import { parseInputUsage, createPassthroughDialect, buildPlainHead } from '../passing.ts'
import { checkKind } from '../requests/shape.ts'
import { encodeEmbedding } from './vectors.ts'

/** Tokens counted for an image. */
const PICTURE = 255

/** A text, tokens, a text or image part, or several of these. */
const input = checkKind(
  'a text, an object or a list',
  (value) => typeof value === 'string' || typeof value === 'object',
)

export const openaiEmbeddings = createPassthroughDialect({
  name: 'openai-embeddings',
  operation: 'embeddings',
  // The second is the oldest path of embeddings.
  paths: ['/v1/embeddings', '/v1/engines/{model}/embeddings'],
  headFields: { input },
  head: (request) => ({
    ...buildPlainHead(request.model, inputTokens(given(request.input))),
    ...readEncoding(request),
  }),
  texts: listTexts,
  usageKeys: ['usage'],
  usageOf: ({ usage }, head) => parseInputUsage(usage, head),
  fitAnswer,
  as: othersForEmbeddings,
})

/** Fields in which some vendors select vectors of other numbers than floats. */
const KINDS = ['output_dtype', 'embedding_type', 'embedding_types']

function readEncoding(request: JsonObject): Pick<RequestHead, 'vectors'> {
  // Without the field, a vendor's default may be another number type.
  const { encoding_format } = request
  if (KINDS.some((name) => name in request && request[name] !== 'float')) return {}
  return encoding_format === 'float' || encoding_format === 'base64' ? { vectors: encoding_format } : {}
}

/** The first vector in an answer: a text or a list. */
const VECTOR = /"embedding"\s*:\s*(["[])/
/** At most the ids of the answer and the model precede it. Unit: bytes. */
const BEGINNING = 4096

/**
 * Converts the vectors to the requested encoding. Many servers support only one of the two, and OpenAI's clients decode
 * numbers as garbage if they requested base64.
 */
function fitAnswer(answer: Uint8Array, { vectors }: RequestHead): Uint8Array {
  const found = VECTOR.exec(decodeLatin1(answer.subarray(0, BEGINNING)))?.[1]
  if (!vectors || found === (vectors === 'base64' ? '"' : '[')) return answer
  const list = asList(getMember(parseJsonBytes(answer), 'data'))
  if (!list) return answer
  const data = list.map((one) => {
    const entry = asObject(one)
    return entry && 'embedding' in entry ? { ...entry, embedding: encodeEmbedding(entry.embedding, vectors) } : one
  })
  return changeTopMembers(answer, new Map([['data', toJsonBytes(data)]]))
}

/** Providers report no usage for moderations: the input is counted. */
export const openaiModerations = createPassthroughDialect({
  name: 'openai-moderations',
  operation: 'moderation',
  paths: ['/v1/moderations'],
  usualModel: 'omni-moderation-latest',
  headFields: { input },
  head: ({ model, input }) => buildPlainHead(model, inputTokens(given(input))),
  texts: listTexts,
  usageKeys: ['usage'],
  usageOf: ({ usage }, head) => parseInputUsage(usage, head),
})

function given(input: unknown): unknown {
  const hasInput = typeof input === 'string' || (asList(input)?.length ?? 0) > 0 || asObject(input) !== undefined
  return hasInput ? input : fail('request.invalid', { param: 'input', reason: 'input is required' })
}

function inputTokens(input: unknown): number {
  if (typeof input === 'string') return estimateTextTokens(input)
  if (asFiniteNumber(input) !== undefined) return 1
  const parts = asList(input) ?? asList(getMember(input, 'content'))
  if (parts) return parts.reduce<number>((sum, one) => sum + inputTokens(one), 0)
  const text = asText(getMember(input, 'text'))
  return text === undefined ? PICTURE : estimateTextTokens(text)
}

/** Returns the texts; empty if the input has anything else. */
function listTexts(body: Uint8Array): string[] {
  const input = getMember(parseJsonBytes(body), 'input')
  const texts = (asList(input) ?? [input]).map((one) => asText(one) ?? asText(getMember(one, 'text')))
  return texts.every((text) => text !== undefined) ? texts : []
}
