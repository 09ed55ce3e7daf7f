// A look at a chunk's bytes that tells whether it must be parsed: the hot path of every stream.

const QUOTE = 0x22
const SPACE = 0x20
const COLON = 0x3a
const OPEN = 0x7b
const LF = 10
const CR = 13

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const DATA = ascii('data:')
const ERROR = ascii('"error"')
const USAGE = ascii('"usage"')
const FINISH = ascii('"finish_reason"')
const NULL = ascii('null')

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false
  return true
}

/** Index of the value behind a key that ends before `at`, or -1 when no colon follows. */
function valueAfter(bytes: Uint8Array, at: number): number {
  let index = at
  while (bytes[index] === SPACE) index++
  if (bytes[index] !== COLON) return -1
  index++
  while (bytes[index] === SPACE) index++
  return index
}

/**
 * True where the frame is one line of `data: {…}` that holds no usage object, no finish reason and no error:
 * it can pass without a parse. Inside a JSON text these words would be followed by a backslash, so what a
 * model says cannot be taken for them.
 */
export function isPlainChunk(bytes: Uint8Array, start: number, end: number): boolean {
  if (!startsWith(bytes, start, DATA)) return false
  let at = start + DATA.length
  while (bytes[at] === SPACE) at++
  if (bytes[at] !== OPEN) return false
  at++
  while (bytes[at] === SPACE) at++
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte > QUOTE) continue // nearly every byte
    if (byte === QUOTE) {
      const next = bytes[at + 1]
      if (next === 0x75 && startsWith(bytes, at, USAGE)) {
        if (bytes[valueAfter(bytes, at + USAGE.length)] === OPEN) return false
      } else if (next === 0x65 && startsWith(bytes, at, ERROR)) {
        // Some send a null with every chunk.
        const value = valueAfter(bytes, at + ERROR.length)
        if (value >= 0 && !isEmptyValue(bytes, value)) return false
      } else if (next === 0x66 && startsWith(bytes, at, FINISH)) {
        const value = valueAfter(bytes, at + FINISH.length)
        if (value >= 0 && !isEmptyValue(bytes, value)) return false
      }
    } else if (byte === LF || byte === CR) {
      return isBlankTail(bytes, at, end)
    }
  }
  return false
}

/** null and "" both say: nothing. */
const isEmptyValue = (bytes: Uint8Array, at: number): boolean =>
  startsWith(bytes, at, NULL) || (bytes[at] === QUOTE && bytes[at + 1] === QUOTE)

function isBlankTail(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (bytes[at] !== LF && bytes[at] !== CR) return false
  return true
}
