// JSON as UTF-8 bytes: finds the values of the top-level keys, and changes some without touching the rest.
import { fail } from '../../errors.ts'
import type { RequestBytes } from '../../ports/upstream.ts'
import { parseJson } from './json-value.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A member of an object: its key as text, and the byte ranges of its key and its value (end exclusive). */
export interface JsonMember {
  key: string
  key_start: number
  start: number
  end: number
}

/** An object's members in their order, and the range of the object itself. */
export interface ObjectBytes {
  start: number
  /** Index of the closing brace. */
  close: number
  members: JsonMember[]
}

export const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function skipBlanks(json: Uint8Array, from: number): number {
  let at = from
  while (isBlank(json[at])) at++
  return at
}

/** Returns the index after the last byte before `from` that is not blank. */
export function skipBlanksBack(json: Uint8Array, from: number): number {
  let at = from
  while (isBlank(json[at - 1])) at--
  return at
}

/** Number of bytes to walk before `indexOf`, whose call costs as much (texts full of escaped quotes). */
const WALK = 48

/**
 * Returns the index after a string that starts at `from`. Jumps through long texts from quote to quote.
 * @throws GatewayError request.unreadable
 */
export function skipJsonString(json: Uint8Array, from: number): number {
  for (let at = from + 1; ;) {
    for (const near = at + WALK; at < near;) {
      const byte = json[at]
      if (byte === QUOTE) return at + 1
      if (byte === undefined) return unreadable()
      at += byte === BACKSLASH ? 2 : 1
    }
    const quote = json.indexOf(QUOTE, at)
    if (quote < 0) return unreadable()
    let slash = quote - 1
    while (slash >= at && json[slash] === BACKSLASH) slash--
    if ((quote - slash) % 2 === 1) return quote + 1
    at = quote + 1
  }
}

/** Returns the index after a value that starts at `from`. */
function skipValue(json: Uint8Array, from: number): number {
  const first = json[from]
  if (first === QUOTE) return skipJsonString(json, from)
  if (first !== OPEN && first !== OPEN_LIST) {
    let at = from
    for (; at < json.length; at++) {
      const byte = json[at]
      if (byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || isBlank(byte)) break
    }
    return at > from ? at : unreadable()
  }
  let depth = 0
  for (let at = from; at < json.length;) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = skipJsonString(json, at)
      continue
    }
    at++
    if (byte === OPEN || byte === OPEN_LIST) depth++
    else if ((byte === CLOSE || byte === CLOSE_LIST) && --depth === 0) return at
  }
  return unreadable()
}

const unreadable = (): never => fail('request.unreadable')

/** The members of bodies that have been read whole, for those who change them. */
const read = new WeakMap<Uint8Array, ObjectBytes>()

/** Keeps the members of an object for `scanObjectMembers`. Its bytes must not change. */
export const keepMembers = (json: Uint8Array, object: ObjectBytes): void => void read.set(json, object)

/** Returns the members of an object that were kept before. */
export const getKeptMembers = (json: Uint8Array): ObjectBytes | undefined => read.get(json)

/**
 * Returns the members of the object that starts at `from`, in time that hardly depends on the length of its texts. The
 * bytes must be valid JSON: this finds ranges and does not validate.
 * @throws GatewayError request.unreadable if there is no object, or it does not end
 */
export function scanObjectMembers(json: Uint8Array, from = 0): ObjectBytes {
  const known = from === 0 ? getKeptMembers(json) : undefined
  if (known) return known
  const start = skipBlanks(json, from === 0 && json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? 3 : from)
  if (json[start] !== OPEN) unreadable()
  const members: JsonMember[] = []
  let at = skipBlanks(json, start + 1)
  while (json[at] !== CLOSE) {
    if (json[at] !== QUOTE) unreadable()
    const keyEnd = skipJsonString(json, at)
    const colon = skipBlanks(json, keyEnd)
    if (json[colon] !== COLON) unreadable()
    const value = skipBlanks(json, colon + 1)
    const end = skipValue(json, value)
    members.push({ key: parseKeyText(json, at, keyEnd), key_start: at, start: value, end })
    at = skipBlanks(json, end)
    if (json[at] === COMMA) at = skipBlanks(json, at + 1)
    else if (json[at] !== CLOSE) unreadable()
  }
  return { start, close: at, members }
}

/** A range of bytes (end exclusive). */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Returns the elements of the list that starts at `from`, in order. As for `scanObjectMembers`, the bytes must be valid JSON.
 * @throws GatewayError request.unreadable if the list does not end
 */
export function readElements(json: Uint8Array, from: number): ByteRange[] {
  const elements: ByteRange[] = []
  let at = skipBlanks(json, from + 1)
  while (json[at] !== CLOSE_LIST) {
    const end = skipValue(json, at)
    elements.push({ start: at, end })
    at = skipBlanks(json, end)
    if (json[at] === COMMA) at = skipBlanks(json, at + 1)
    else if (json[at] !== CLOSE_LIST) unreadable()
  }
  return elements
}

export const isObjectAt = (json: Uint8Array, at: number): boolean => json[at] === OPEN
export const isListAt = (json: Uint8Array, at: number): boolean => json[at] === OPEN_LIST

/** Parses the value in a range. */
export const parseJsonRange = (json: Uint8Array, { start, end }: ByteRange): unknown =>
  JSON.parse(decoder.decode(json.subarray(start, end)))

/**
 * Returns the key in quotes between these indexes. Keys may have escapes (`"mod\u0065l"`): every parser decodes them,
 * so this does too.
 * @throws GatewayError request.unreadable if an escape is invalid
 */
export function parseKeyText(json: Uint8Array, start: number, end: number): string {
  const plain = asciiText(json, start + 1, end - 1)
  if (plain !== undefined) return plain
  const text = decoder.decode(json.subarray(start, end))
  if (!text.includes('\\')) return text.slice(1, -1)
  const key = parseJson(text)
  return typeof key === 'string' ? key : unreadable()
}

/** Longer keys are left to the decoder. */
const SHORT = 32

/** Fast path for most keys: a few ASCII letters, which are read faster than a decoder starts. */
function asciiText(json: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > SHORT) return undefined
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = json[at]!
    if (byte >= 0x80 || byte === BACKSLASH) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}

/** Parses the value of a top-level key; the last one if the key is repeated, as in JSON.parse. */
export function readTopMember(json: Uint8Array, key: string): unknown {
  const member = scanObjectMembers(json).members.findLast((one) => one.key === key)
  return member && parseJsonRange(json, member)
}

/** Parses the values of some top-level keys in one pass, as `readTopMember` does. */
export function readTopMembers(json: Uint8Array, keys: readonly string[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const member of scanObjectMembers(json).members) {
    if (keys.includes(member.key)) found[member.key] = parseJsonRange(json, member)
  }
  return found
}

/** Changes by key: the new value as JSON bytes, or null to remove the key. */
type MemberChanges = ReadonlyMap<string, Uint8Array | null>

export const toJsonBytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value))

/** Writes an object, and keeps the places of its members for those who change some of them. */
export function writeObject(object: Record<string, unknown>): Uint8Array {
  const members: JsonMember[] = []
  let text = '{'
  for (const key in object) {
    const value = JSON.stringify(object[key])
    if (value === undefined) continue
    if (members.length > 0) text += ','
    const key_start = text.length
    text += `${JSON.stringify(key)}:`
    members.push({ key, key_start, start: text.length, end: text.length + value.length })
    text += value
  }
  const json = encoder.encode(`${text}}`)
  // A letter outside ASCII has more than one byte, so that bytes and letters are counted differently.
  if (json.length === text.length + 1) keepMembers(json, { start: 0, close: text.length, members })
  return json
}

/**
 * Changes some top-level members of the object and keeps every other byte. All occurrences of a key are changed, so
 * that parsers that use the first and those that use the last see the same. New keys are appended. Returns the same
 * array if nothing had to change.
 */
export const changeTopMembers = (json: Uint8Array, changes: MemberChanges, object?: ObjectBytes): Uint8Array =>
  joinParts(spliceTopMembers(json, changes, object))

/** From this length on, two writes cost less than a copy. Unit: bytes. */
const LONG = 64 * 1024

/** Like `changeTopMembers`, but returns the parts of a long object, which are not copied. */
export function spliceTopMembers(
  json: Uint8Array,
  changes: MemberChanges,
  object: ObjectBytes = scanObjectMembers(json),
): RequestBytes {
  if (changes.size === 0 && object.start === 0) return json
  const parts: Uint8Array[] = []
  let from = object.start
  let count = 0
  let removing = false
  for (const member of object.members) {
    const change = changes.get(member.key)
    if (change === null) {
      // Cuts from this key to the next kept one: the comma before the cut serves the next member.
      if (!removing) parts.push(json.subarray(from, member.key_start))
      removing = true
      continue
    }
    if (removing) from = member.key_start
    removing = false
    count++
    if (change === undefined) continue
    parts.push(json.subarray(from, member.start), change)
    from = member.end
  }
  if (removing) {
    from = object.close
    // The comma before the removed last members is removed too; only blanks can follow it.
    const before = parts.at(-1)!
    if (count > 0) parts[parts.length - 1] = before.subarray(0, before.lastIndexOf(COMMA))
  }
  const untouched = parts.length === 0 && object.start === 0
  parts.push(json.subarray(from, object.close))
  for (const [key, value] of changes) {
    if (value === null || object.members.some((member) => member.key === key)) continue
    parts.push(encoder.encode(`${count++ > 0 ? ',' : ''}${JSON.stringify(key)}:`), value)
  }
  // Nothing changed: returns the same array.
  if (untouched && parts.length === 1) return json
  parts.push(json.subarray(object.close))
  return json.length < LONG ? joinByteArrays(parts) : joinShortParts(parts)
}

/** Joins short neighbors, because each part is a separate write. */
function joinShortParts(parts: readonly Uint8Array[]): Uint8Array[] {
  const isLong = (part: Uint8Array | undefined) => part === undefined || part.length >= LONG
  const runs: Uint8Array[][] = []
  for (const part of parts) {
    const run = runs.at(-1)
    if (!run || isLong(run[0]) || isLong(part)) runs.push([part])
    else run.push(part)
  }
  return runs.map((run) => (run.length === 1 ? run[0]! : joinByteArrays(run)))
}

/** Replaces a top-level member by a function of its value; returns the same array if the member is missing. */
export function changeTopMember(json: Uint8Array, key: string, change: (value: unknown) => unknown): Uint8Array {
  const value = readTopMember(json, key)
  return value === undefined ? json : changeTopMembers(json, new Map([[key, toJsonBytes(change(value))]]))
}

/** Returns the bytes as one array. */
export const joinParts = (bytes: RequestBytes): Uint8Array =>
  bytes instanceof Uint8Array ? bytes : joinByteArrays(bytes)

/** Concatenates byte arrays. */
export function joinByteArrays(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/**
 * Returns the ranges to cut for some neighbors in one object or list: each run of them with the comma that it would
 * leave.
 */
export function findCuts(siblings: readonly ByteRange[], goes: (index: number) => boolean): ByteRange[] {
  const cuts: ByteRange[] = []
  for (let from = 0; from < siblings.length; from++) {
    if (!goes(from)) continue
    let to = from
    while (to + 1 < siblings.length && goes(to + 1)) to++
    const next = siblings[to + 1]
    const before = siblings[from - 1]
    cuts.push({
      start: !next && before ? before.end : siblings[from]!.start,
      end: next ? next.start : siblings[to]!.end,
    })
    from = to
  }
  return cuts
}

/** A range to replace and its replacement; an empty range is an insertion point. */
export interface ByteSplice extends ByteRange {
  put?: Uint8Array
}

/** Applies splices, which must not overlap. Returns the same array if there are none. */
export function applyByteSplices(json: Uint8Array, splices: readonly ByteSplice[]): Uint8Array {
  if (splices.length === 0) return json
  const parts: Uint8Array[] = []
  let from = 0
  for (const { start, end, put } of splices.toSorted((one, other) => one.start - other.start)) {
    parts.push(json.subarray(from, start))
    if (put) parts.push(put)
    from = end
  }
  return joinByteArrays([...parts, json.subarray(from)])
}
