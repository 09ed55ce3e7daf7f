// Finds the errors in a JSON text that a person has written: the position of the first invalid character, and names
// that occur twice in one object, of which a parser would silently drop one.

/** A place in a text, counted from 1. */
export interface TextPosition {
  line: number
  column: number
}

/** White space, then a string, another scalar, or a mark. */
const TOKEN =
  /[\t\n\r ]*(?:("(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])|([{}[\],:]))/y
const SPACE = /[\t\n\r ]*/y

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'end'

interface Scan {
  /** Offset of the first character that cannot be there; undefined if the text is JSON. */
  errorAt?: number
  /** The first name that its object has already. Blanks around names do not count. */
  repeated?: string
}

function scanJson(text: string): Scan {
  /** For each open level: the names of an object so far, or undefined for a list. */
  const levels: (Set<string> | undefined)[] = []
  let expected: Expected = 'value'
  let repeated: string | undefined
  for (let at = 0; ;) {
    SPACE.lastIndex = at
    SPACE.exec(text)
    const start = SPACE.lastIndex
    if (start === text.length) return expected === 'end' ? { repeated } : { errorAt: start }
    TOKEN.lastIndex = start
    const token = TOKEN.exec(text)
    if (!token) return { errorAt: start }
    at = TOKEN.lastIndex
    const [, name, mark] = token
    if (expected === 'name' || expected === 'name or end') {
      if (name !== undefined) {
        const names = levels.at(-1)!
        const own = (JSON.parse(name) as string).trim()
        if (names.has(own)) repeated ??= own
        names.add(own)
        expected = 'colon'
        continue
      }
      if (expected !== 'name or end' || mark !== '}') return { errorAt: start }
    } else if (expected === 'colon') {
      if (mark !== ':') return { errorAt: start }
      expected = 'value'
      continue
    } else if (expected === 'comma or end') {
      if (mark === ',') {
        expected = levels.at(-1) ? 'name' : 'value'
        continue
      }
      if (mark !== (levels.at(-1) ? '}' : ']')) return { errorAt: start }
    } else if (expected === 'end') return { errorAt: start }
    else if (mark === '{' || mark === '[') {
      levels.push(mark === '{' ? new Set() : undefined)
      expected = mark === '{' ? 'name or end' : 'value or end'
      continue
    } else if (mark !== undefined && !(mark === ']' && expected === 'value or end')) return { errorAt: start }
    // A value has ended.
    if (mark === '}' || mark === ']') levels.pop()
    expected = levels.length > 0 ? 'comma or end' : 'end'
  }
}

/** Returns the place where the text stops being JSON; undefined if it is JSON. */
export function findJsonError(text: string): TextPosition | undefined {
  const { errorAt } = scanJson(text)
  if (errorAt === undefined) return undefined
  const lines = text.slice(0, errorAt).split(/\r\n|\n|\r/)
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

/** Returns the first name that occurs twice in one object of a JSON text, apart from blanks around it. */
export const findRepeatedName = (text: string): string | undefined => scanJson(text).repeated

/** Returns a JSON value whose names have no blanks around them, at every level. Returns the same value if none has. */
export function trimMemberNames(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(trimMemberNames)
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const before = Object.entries(value)
  const after = before.map(([name, member]) => [name.trim(), trimMemberNames(member)] as const)
  const isSame = after.every(([name, member], at) => name === before[at]![0] && member === before[at]![1])
  return isSame ? value : Object.fromEntries(after)
}

// Converts bytes to text with one character per byte: searching a text is far faster than walking bytes.

/** Methods of Node's byte arrays; others use a decoder and a loop. */
interface NodeBytes extends Uint8Array {
  latin1Slice(start: number, end: number): string
  compare(target: Uint8Array, targetStart: number, targetEnd: number, start: number, end: number): number
}

const decoder = new TextDecoder('latin1')

/** Indexes are the same in both. ASCII is unchanged; of other characters only their presence is reliable. */
export const decodeLatin1 = (bytes: Uint8Array): string =>
  'latin1Slice' in bytes ? (bytes as NodeBytes).latin1Slice(0, bytes.length) : decoder.decode(bytes)

const encoder = new TextEncoder()
const scratch = new Uint8Array(64 * 1024)

/** ASCII has the same length in UTF-8 as in characters. The encoder checks this ten times as fast as a loop. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += scratch.length) {
    const part = text.length <= scratch.length ? text : text.slice(at, at + scratch.length)
    const { read, written } = encoder.encodeInto(part, scratch)
    if (read !== part.length || written !== part.length) return false
  }
  return true
}

/** Are the bytes from `start` on the same as these? */
export function isSameAt(bytes: Uint8Array, start: number, same: Uint8Array): boolean {
  const end = start + same.length
  if (end > bytes.length) return false
  if ('compare' in bytes) return (bytes as NodeBytes).compare(same, 0, same.length, start, end) === 0
  return same.every((byte, at) => byte === bytes[start + at])
}
