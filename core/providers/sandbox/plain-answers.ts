// The sandbox's answers other than chat: vectors, verdicts, rankings and pictures computed from the request alone.
import type { PassthroughDialect } from '../../dialects/dialect.ts'
import { asList, getMember, asFiniteNumber, asText, type JsonObject } from '../../dialects/json/json-value.ts'
import { hashTextToNumber } from './text.ts'

const DIMENSIONS = 16
const MOST_DIMENSIONS = 4096
const MOST_IMAGES = 10
/** One grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

/** The answer to a request in that dialect; undefined for what it has no answer to. */
export function findPlainAnswer(
  dialect: PassthroughDialect,
  request: JsonObject,
  body: Uint8Array,
): JsonObject | undefined {
  const { prompt_estimate } = dialect.readRequestHead(body)
  const usage = { prompt_tokens: prompt_estimate, total_tokens: prompt_estimate }
  const model = request.model
  switch (dialect.operation) {
    case 'embeddings':
      return {
        object: 'list',
        data: listInputs(request.input).map((text, index) => vectorFor(text, index, request)),
        model,
        usage,
      }
    case 'moderation':
      return { id: 'modr-sandbox', model, results: listInputs(request.input).map(() => verdict) }
    case 'rerank':
      return { id: 'rerank-sandbox', model, results: ranked(request), usage }
    case 'images':
      return { created: 0, data: Array.from({ length: imagesAsked(request) }, () => ({ b64_json: PICTURE })) }
    default:
      return undefined
  }
}

const verdict = { flagged: false, categories: {}, category_scores: {} }

/** A list of numbers is one text in tokens. */
const listInputs = (input: unknown): unknown[] => {
  const list = asList(input)
  return list && asFiniteNumber(list[0]) === undefined ? list : [input]
}

/** Equal texts, equal vectors of length 1. */
function vectorFor(text: unknown, index: number, request: JsonObject) {
  const size = Math.min(Math.max(asFiniteNumber(request.dimensions) ?? DIMENSIONS, 1), MOST_DIMENSIONS)
  const seed = JSON.stringify(text)
  const raw = Array.from({ length: size }, (_, at) => hashTextToNumber(`${at} ${seed}`) / 2 ** 31 - 1)
  const length = Math.hypot(...raw) || 1
  const vector = Float32Array.from(raw, (value) => value / length)
  const embedding = request.encoding_format === 'base64' ? base64(vector) : [...vector]
  return { object: 'embedding', index, embedding }
}

const base64 = (vector: Float32Array): string => btoa(String.fromCharCode(...new Uint8Array(vector.buffer)))

/** Most words in common first; of equals the one that came first. */
function ranked({ query, documents, top_n }: JsonObject) {
  const words = new Set(splitWords(query))
  const results = (asList(documents) ?? []).map((document, index) => {
    const found = splitWords(asText(document) ?? getMember(document, 'text'))
    const common = found.filter((word) => words.has(word)).length
    return { index, relevance_score: found.length === 0 ? 0 : common / found.length }
  })
  results.sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
  return results.slice(0, asFiniteNumber(top_n) ?? results.length)
}

const splitWords = (text: unknown): string[] =>
  String(text ?? '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const imagesAsked = ({ n }: JsonObject): number => Math.min(Math.max(asFiniteNumber(n) ?? 1, 1), MOST_IMAGES)
