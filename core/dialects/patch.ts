// The caller's own bytes on their way to a provider of the same format: only what must change is changed.
import type { ImpliedWords } from './model-request.ts'
import type { RequestHead } from './head.ts'
import { changeMembers, jsonBytes, scanMembers, type Member, type ObjectBytes } from './json-bytes.ts'
import type { SystemPrompt } from './system-prompt.ts'

const MODEL = 'model'
const STREAM = 'stream'

/** What is changed in a request that stays in its format. */
export interface RequestChange {
  model: string
  head: RequestHead
  /** Merged over the top level; null takes a field out. */
  override: Record<string, unknown>
  implied?: ImpliedWords
  system?: SystemPrompt
  /** The one name of the largest answer that is known where it goes. */
  limit?: string
  /** Nothing but the model is changed. */
  plain?: boolean
}

/** More that a format changes: told the object, and what is changed already. */
export type MoreChanges = (object: ObjectBytes, changes: Map<string, Uint8Array | null>) => void

/**
 * The body with the model replaced and `override` merged over the top level: null takes a key out, `stream` cannot be
 * touched (docs/relay.md, 7). Every other byte stays as it was.
 * @throws GatewayError request.unreadable when the bytes hold no object
 */
export function patchBody(body: Uint8Array, { model, head, override }: RequestChange, more?: MoreChanges): Uint8Array {
  const object = scanMembers(body)
  const changes = new Map<string, Uint8Array | null>()
  let named: Member | undefined
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
  if (!named || models > 1 || !says(body, named, model)) changes.set('model', jsonBytes(model))
  for (const key in override) {
    const value = override[key]
    if (key !== STREAM && value !== undefined) changes.set(key, value === null ? null : jsonBytes(value))
  }
  if (streams > 1) changes.set('stream', jsonBytes(head.stream))
  more?.(object, changes)
  for (const key of variants ?? []) changes.set(key, null)
  return changeMembers(body, changes, object)
}

/** Some readers of JSON take `Model` for `model`: nobody gets a dearer model past its price that way. */
function isVariant(key: string): boolean {
  if (key.length !== MODEL.length && key.length !== STREAM.length) return false
  const plain = key.toLowerCase()
  return plain === MODEL || plain === STREAM
}

/** Is the member's value this text, letter for letter? Texts that JSON may spell in several ways count as another. */
function says(body: Uint8Array, { start, end }: Member, text: string): boolean {
  if (end - start !== text.length + 2) return false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit !== body[start + 1 + at] || unit < 0x20 || unit >= 0x7f || unit === 0x22 || unit === 0x5c) return false
  }
  return body[start] === 0x22
}

/** The body with top-level fields set; null takes one out. Every other byte stays as it was. */
export const withFields = (body: Uint8Array, fields: Record<string, unknown>): Uint8Array =>
  changeMembers(
    body,
    new Map(Object.entries(fields).map(([key, value]) => [key, value === null ? null : jsonBytes(value)])),
  )
