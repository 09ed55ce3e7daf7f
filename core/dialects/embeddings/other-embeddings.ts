// Embeddings of providers with formats of their own, requested in OpenAI's: Vertex AI's `:predict` and MiniMax's.
// https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api
import { fail } from '../../errors.ts'
import type { TranslatedFormat, PassthroughDialect } from '../dialect.ts'
import { findDisguisedError, readErrorReply } from '../gemini-generate/error.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import {
  asList,
  asFiniteNumber,
  asObject,
  asText,
  getMember,
  parseJsonBytes,
  omitUndefinedMembers,
} from '../json/json-value.ts'
import {
  buildKnownUsage,
  buildPlainHead,
  createPassthroughDialect,
  estimateTextUsage,
  parseInputUsage,
} from '../passing.ts'
import { patchWithoutModel } from '../requests/patch.ts'

interface EmbeddingRequest {
  model: unknown
  texts: string[]
  dimensions: unknown
  /** The fields that are not OpenAI's. */
  more: JsonObject
}

/** @throws GatewayError request.untranslatable for tokens and images, which these providers do not embed */
function readRequest(body: Uint8Array): EmbeddingRequest {
  const { model, input, dimensions, encoding_format: _, user: __, ...more } = asObject(parseJsonBytes(body)) ?? {}
  const texts = (asList(input) ?? [input]).map(
    (one) =>
      asText(one) ??
      asText(getMember(one, 'text')) ??
      fail('request.untranslatable', { reason: 'only text is embedded' }),
  )
  return { model, texts, dimensions, more }
}

/** Writes OpenAI's answer. @throws GatewayError upstream.unreadable if there is no vector, or one of them is missing */
function writeAnswer(vectors: readonly unknown[], model: string, tokens: number | undefined): Uint8Array {
  if (vectors.length === 0 || !vectors.every((one) => asList(one))) {
    fail('upstream.unreadable', {}, { detail: 'there is no vector in the answer' })
  }
  const usage = tokens === undefined ? undefined : { prompt_tokens: tokens, total_tokens: tokens }
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  return toJsonBytes(omitUndefinedMembers<JsonObject>({ object: 'list', data, model, usage }))
}

// Vertex AI. Each text reports its own tokens.

const listPredictions = (answer: unknown): unknown[] =>
  (asList(getMember(answer, 'predictions')) ?? []).map((one) => getMember(one, 'embeddings'))

/** Returns the reported tokens of all texts; undefined if a report is missing. */
function sumTokens(answer: unknown): number | undefined {
  const counts = listPredictions(answer).map((one) =>
    asFiniteNumber(getMember(getMember(one, 'statistics'), 'token_count')),
  )
  const sum = counts.reduce<number>((tokens, count) => tokens + (count ?? Number.NaN), 0)
  return sum > 0 ? Math.ceil(sum) : undefined
}

export const vertexEmbeddingFormat: PassthroughDialect = {
  ...createPassthroughDialect({
    name: 'vertex-embeddings',
    operation: 'embeddings',
    paths: ['/publishers/google/models/{model}:predict'],
    headFields: {},
    head: ({ model }) => buildPlainHead(model),
    texts: () => [],
    usageKeys: ['predictions'],
    usageOf(answer, head) {
      const input = sumTokens(answer)
      return input === undefined ? estimateTextUsage(head) : buildKnownUsage({ input })
    },
  }),
  patchRequestBody: patchWithoutModel,
  readErrorReply,
  readDisguisedError: (body) => findDisguisedError(parseJsonBytes(body)),
}

/** Vertex AI's fields of a text, which its clients may set in addition to OpenAI's, and Google's spelling of them. */
const VERTEX_FIELDS = { task_type: 'task_type', taskType: 'task_type', title: 'title' } as const

const vertexForEmbeddings: TranslatedFormat = {
  dialect: vertexEmbeddingFormat,
  write(body) {
    const { texts, dimensions, more } = readRequest(body)
    const fields = Object.entries(VERTEX_FIELDS).flatMap(([name, word]) =>
      asText(more[name]) === undefined ? [] : [[word, more[name]] as const],
    )
    const written = {
      instances: texts.map((content) => ({ content, ...Object.fromEntries(fields) })),
      ...(dimensions === undefined ? {} : { parameters: { outputDimensionality: dimensions } }),
    }
    return { body: toJsonBytes(written), dropped: Object.keys(more).filter((name) => !(name in VERTEX_FIELDS)) }
  },
  read(body, { model }) {
    const answer = parseJsonBytes(body)
    return writeAnswer(
      listPredictions(answer).map((one) => getMember(one, 'values')),
      model,
      sumTokens(answer),
    )
  },
}

// MiniMax.

export const minimaxEmbeddingFormat: PassthroughDialect = createPassthroughDialect({
  name: 'minimax-embeddings',
  operation: 'embeddings',
  paths: ['/v1/embeddings'],
  headFields: {},
  head: ({ model }) => buildPlainHead(model),
  texts: () => [],
  usageKeys: ['total_tokens'],
  usageOf: (answer, head) => parseInputUsage(answer, head),
})

const minimaxForEmbeddings: TranslatedFormat = {
  dialect: minimaxEmbeddingFormat,
  write(body, model) {
    const { texts, dimensions, more } = readRequest(body)
    // Texts that are stored and texts that are searched for get different vectors.
    const { type = 'db', ...rest } = more
    const dropped = [...(dimensions === undefined ? [] : ['dimensions']), ...Object.keys(rest)]
    return { body: toJsonBytes({ model, texts, type }), dropped }
  },
  read(body, { model }) {
    const answer = parseJsonBytes(body)
    return writeAnswer(
      asList(getMember(answer, 'vectors')) ?? [],
      model,
      asFiniteNumber(getMember(answer, 'total_tokens')),
    )
  },
}

export const othersForEmbeddings: readonly TranslatedFormat[] = [vertexForEmbeddings, minimaxForEmbeddings]
