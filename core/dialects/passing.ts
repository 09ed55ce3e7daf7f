// The common parts of all formats other than chat: OpenAI's errors, usage found without parsing the rest, event
// streams.
import { fail } from '../errors.ts'
import type { Usage } from './answers/usage.ts'
import type { RequestHead } from './requests/head.ts'
import type { PassthroughDialect } from './dialect.ts'
import type { RequestPlace } from './model-request.ts'
import { OPENAI_COST_SCANNER } from './openai-chat/head.ts'
import { createSpokenEvents } from './answers/stream-watcher.ts'
import { readTopMembers } from './json/json-bytes.ts'
import { getMember, type JsonObject } from './json/json-value.ts'
import { findProviderObjects } from './requests/object-places.ts'
import { plainObjectPlaces } from './requests/openai-objects.ts'
import { parseRequestBody } from './requests/request-body.ts'
import { findDisguisedError, readErrorReply, writeErrorReply, writeErrorFrame } from './openai-chat/error.ts'
import { parseTokenCount } from './openai-chat/usage.ts'
import { patchBody } from './requests/patch.ts'
import { toKindCheck, checkRequestKinds, type MemberFinding } from './requests/shape.ts'

interface PassthroughFormat
  extends
    Pick<PassthroughDialect, 'name' | 'operation' | 'paths' | 'headFields' | 'texts' | 'usageKeys' | 'usageOf'>,
    Partial<Pick<PassthroughDialect, 'plain' | 'forms' | 'headers' | 'objects' | 'fitAnswer' | 'as'>> {
  /** Reads the head of a request whose declared members have been checked. */
  head(request: NamedRequest, place?: RequestPlace): RequestHead
  /** The default model. */
  usualModel?: string
  finding?: MemberFinding
}

type NamedRequest = JsonObject & { model: string }

/** Members that may hold the error of an answer; the rest of it may be large. */
const ERROR_KEYS = ['error', 'message', 'msg', 'err', 'error_msg', 'header', 'response', 'detail', 'base_resp', 'code']

/** Creates a dialect whose bytes only pass through. */
export function createPassthroughDialect({ head, usualModel, finding, ...own }: PassthroughFormat): PassthroughDialect {
  const fits = toKindCheck(own.headFields, finding)
  const given = own.objects ?? plainObjectPlaces
  return {
    ...own,
    readRequestHead(body, place) {
      const request = parseRequestBody(body)
      const model = request.model ?? place?.model ?? usualModel
      if (typeof model !== 'string' || model.trim() === '') fail('request.no_model')
      checkRequestKinds(request, fits)
      const objects = findProviderObjects(request, given.request)
      const read = head({ ...request, model }, place)
      return objects ? { ...read, objects } : read
    },
    patchRequestBody: (body, change) => patchBody(body, change),
    watcher: (head) => createSpokenEvents((event) => own.usageOf(event, head), head.sound_format ?? 'mp3'),
    readDisguisedError: (body) => findDisguisedError(readSomeMembers(body, ERROR_KEYS)),
    readErrorReply,
    writeErrorReply,
    writeErrorFrame,
    words: OPENAI_COST_SCANNER,
    modelKeys: ['model'],
    objects: given,
    estimateOutputTokens: () => 0,
  }
}

/** Returns some members of an answer; undefined if it is not a JSON object. */
export function readSomeMembers(body: Uint8Array, keys: readonly string[]): JsonObject | undefined {
  try {
    return readTopMembers(body, keys)
  } catch {
    return undefined
  }
}

/** Is a stream requested? By JSON, or by a form, whose values are texts. */
export function isStreamRequested({ stream }: JsonObject, form = false): boolean {
  if (stream === undefined || stream === null) return false
  if (typeof stream === 'boolean') return stream
  if (form && (stream === 'true' || stream === 'false')) return stream === 'true'
  return fail('request.invalid', { param: 'stream', reason: 'stream must be true or false' })
}

/** Returns the head of a request whose answer is not streamed. `tokens` estimates its texts, if it has any. */
export const buildPlainHead = (model: string, tokens = 1): RequestHead => ({
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
  const named = ['prompt_tokens', 'input_tokens', 'total_tokens'].map((name) => parseTokenCount(getMember(usage, name)))
  const input = named.find((tokens) => tokens > 0)
  return input ? buildKnownUsage({ input }) : estimateTextUsage(head)
}
