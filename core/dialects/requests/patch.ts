// Changes the caller's own bytes for a provider of the same format: only what must change is changed.
import type { RequestBytes } from '../../ports/upstream.ts'
import type { ModelNameSuffixes, Message, ModelRequest } from '../model-request.ts'
import type { RequestHead } from './head.ts'
import type { JsonMember, ObjectBytes } from '../json/json-bytes.ts'
import { changeTopMembers, joinParts, scanObjectMembers, spliceTopMembers, toJsonBytes } from '../json/json-bytes.ts'

/** `always`: also if the caller has a system prompt, which then comes second. */
export interface SystemPrompt {
  text: string
  always: boolean
}

const BETWEEN = '\n\n'

/** Prepends the operator's text to the caller's. */
export const prependPrompt = (text: string, callerText: string): string => `${text}${BETWEEN}${callerText}`

/** Returns a neutral request with this system prompt. */
export function withSystemPrompt(request: ModelRequest, prompt: SystemPrompt | undefined): ModelRequest {
  if (!prompt) return request
  const { messages } = request
  const at = messages.findIndex(({ role }) => role === 'system')
  const own = messages[at]
  const words = { type: 'text' as const, text: prompt.text }
  if (!own) return { ...request, messages: [{ role: 'system', content: [words] }, ...messages] }
  if (!prompt.always) return request
  const joined: Message = { ...own, content: [{ ...words, text: prependPrompt(prompt.text, '') }, ...own.content] }
  return { ...request, messages: messages.with(at, joined) }
}

const MODEL = 'model'
const STREAM = 'stream'

/** The changes to a request that stays in its format. */
export interface RequestChange {
  model: string
  head: RequestHead
  /** Merged over the top level; null removes a field. */
  override: Record<string, unknown>
  implied?: ModelNameSuffixes
  system?: SystemPrompt
  /** The only name of the output limit that the destination accepts. */
  limit?: string
  /** Change only the model. */
  plain?: boolean
}

/** Adds further changes of a format to `changes`. */
type MoreChanges = (object: ObjectBytes, changes: Map<string, Uint8Array | null>) => void

/**
 * Replaces the model and merges `override` over the top level: null removes a key, `stream` cannot be changed
 * (docs/relay.md, 7). Every other byte stays as it was.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export function patchBody(
  body: Uint8Array,
  { model, head, override }: RequestChange,
  more?: MoreChanges,
): RequestBytes {
  const object = scanObjectMembers(body)
  const changes = new Map<string, Uint8Array | null>()
  let named: JsonMember | undefined
  let models = 0
  let streams = 0
  let variants: string[] | undefined
  for (const member of object.members) {
    const { key } = member
    if (key === MODEL) {
      named = member
      models++
    } else if (key === STREAM) streams++
    else if (isVariant(key)) (variants ??= []).push(key)
  }
  if (!named || models > 1 || !isExactly(body, named, model)) changes.set('model', toJsonBytes(model))
  for (const key in override) {
    const value = override[key]
    if (key !== STREAM && value !== undefined) changes.set(key, value === null ? null : toJsonBytes(value))
  }
  if (streams > 1) changes.set('stream', toJsonBytes(head.stream))
  more?.(object, changes)
  for (const key of variants ?? []) changes.set(key, null)
  return spliceTopMembers(body, changes, object)
}

/**
 * Is the key another spelling of `model` or `stream`? Some JSON parsers accept `Model` for `model`, so a caller could
 * get a more expensive model at a lower price.
 */
function isVariant(key: string): boolean {
  if (key.length !== MODEL.length && key.length !== STREAM.length) return false
  const plain = key.toLowerCase()
  return plain === MODEL || plain === STREAM
}

/** Is the member's value exactly this text? Texts that JSON may spell in several ways count as different. */
function isExactly(body: Uint8Array, { start, end }: JsonMember, text: string): boolean {
  if (end - start !== text.length + 2) return false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== body[start + 1 + at] || unit < 0x20 || unit >= 0x7f || unit === 0x22 || unit === 0x5c) return false
  }
  return body[start] === 0x22
}

/** Changes a request whose address names the model: its body must not. */
export const patchWithoutModel = (body: Uint8Array, change: RequestChange): Uint8Array =>
  setTopFields(patchBody(body, change), { [MODEL]: null })

/** Sets top-level fields; null removes one. Every other byte stays as it was. */
export const setTopFields = (body: RequestBytes, fields: Record<string, unknown>): Uint8Array =>
  changeTopMembers(
    joinParts(body),
    new Map(Object.entries(fields).map(([key, value]) => [key, value === null ? null : toJsonBytes(value)])),
  )
