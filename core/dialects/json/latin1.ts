// Converts bytes to text with one character per byte: searching a text is far faster than walking bytes.

/** A method of Node's byte arrays; others use a decoder. */
interface NodeBytes extends Uint8Array {
  latin1Slice(start: number, end: number): string
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
