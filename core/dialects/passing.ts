// The common parts of all formats other than chat: OpenAI's errors, usage found without parsing the rest, event
// streams.
import { fail } from '../errors.ts'
import type { Usage } from './usage.ts'
import type { RequestHead } from './head.ts'
import type { PassingDialect } from './dialect.ts'
import type { Place } from './model-request.ts'
import { OPENAI_WORDS } from './openai-chat/head.ts'
import { createSpokenEvents } from './stream-watcher.ts'
import { readMembers } from './json-bytes.ts'
import { getMember, type JsonObject } from './json-value.ts'
import { findObjects } from './object-places.ts'
import { plainObjects } from './openai-objects.ts'
import { parseRequestBody } from './request-body.ts'
import { disguisedError, readError, writeError, writeErrorFrame } from './openai-chat/error.ts'
import { parseCount } from './openai-chat/usage.ts'
import { patchBody } from './patch.ts'
import { asKind, checkKinds, type Finding } from './shape.ts'

interface Own
  extends
    Pick<PassingDialect, 'name' | 'operation' | 'paths' | 'headFields' | 'texts' | 'usageKeys' | 'usageOf'>,
    Partial<Pick<PassingDialect, 'plain' | 'forms' | 'headers' | 'objects' | 'fitAnswer' | 'as'>> {
  /** Reads the head of a request whose declared members have been checked. */
  head(request: NamedRequest, place?: Place): RequestHead
  /** The default model. */
  usualModel?: string
  finding?: Finding
}

type NamedRequest = JsonObject & { model: string }

/** Members that may hold the error of an answer; the rest of it may be large. */
const ERROR_KEYS = ['error', 'message', 'msg', 'err', 'error_msg', 'header', 'response', 'detail', 'base_resp', 'code']

/** Creates a dialect whose bytes only pass through. */
export function createPassthroughDialect({ head, usualModel, finding, ...own }: Own): PassingDialect {
  const fits = asKind(own.headFields, finding)
  const given = own.objects ?? plainObjects
  return {
    ...own,
    readHead(body, place) {
      const request = parseRequestBody(body)
      const model = request.model ?? place?.model ?? usualModel
      if (typeof model !== 'string' || model.trim() === '') fail('request.no_model')
      checkKinds(request, fits)
      const objects = findObjects(request, given.request)
      const read = head({ ...request, model }, place)
      return objects ? { ...read, objects } : read
    },
    patchRequest: (body, change) => patchBody(body, change),
    watcher: (head) => createSpokenEvents((event) => own.usageOf(event, head), head.sound_format ?? 'mp3'),
    readDisguisedError: (body) => disguisedError(readSomeMembers(body, ERROR_KEYS)),
    readError,
    writeError,
    writeErrorFrame,
    words: OPENAI_WORDS,
    modelKeys: ['model'],
    objects: given,
    outputEstimate: () => 0,
  }
}

/** Returns some members of an answer; undefined if it is not a JSON object. */
export function readSomeMembers(body: Uint8Array, keys: readonly string[]): JsonObject | undefined {
  try {
    return readMembers(body, keys)
  } catch {
    return undefined
  }
}

/** Is a stream requested? By JSON, or by a form, whose values are texts. */
export function isStreamed({ stream }: JsonObject, form = false): boolean {
  if (stream === undefined || stream === null) return false
  if (typeof stream === 'boolean') return stream
  if (form && (stream === 'true' || stream === 'false')) return stream === 'true'
  return fail('request.invalid', { param: 'stream', reason: 'stream must be true or false' })
}

/** Returns the head of a request whose answer is not streamed. */
export const buildPlainHead = (model: string, tokens: number): RequestHead => ({
  model,
  stream: false,
  include_usage: false,
  prompt_estimate: Math.max(1, Math.ceil(tokens)),
})

const NOTHING = { input: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0, output: 0, reasoning: 0 }

/** Builds usage that is certain without a report. */
export const buildKnownUsage = (known: Partial<Usage>): Usage => ({ ...NOTHING, source: 'reported', ...known })

/** Estimates usage by the length of the request's texts. */
export const estimateTextUsage = ({ prompt_estimate: input }: Pick<RequestHead, 'prompt_estimate'>): Usage =>
  buildKnownUsage({ input, source: 'estimated', estimated_by: 'text' })

/** Returns the reported input tokens, under any of their names; otherwise the estimate. */
export function parseInputUsage(usage: unknown, head: RequestHead): Usage {
  const named = ['prompt_tokens', 'input_tokens', 'total_tokens'].map((name) => parseCount(getMember(usage, name)))
  const input = named.find((tokens) => tokens > 0)
  return input ? buildKnownUsage({ input }) : estimateTextUsage(head)
}
