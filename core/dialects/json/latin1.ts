// Converts bytes to text with one character per byte: searching a text is far faster than walking bytes.

/** A method of Node's byte arrays; others use a decoder. */
interface NodeBytes extends Uint8Array {
  latin1Slice(start: number, end: number): string
}

const decoder = new TextDecoder('latin1')

/** Indexes are the same in both. ASCII is unchanged; of other characters only their presence is reliable. */
export const decodeLatin1 = (bytes: Uint8Array): string =>
  'latin1Slice' in bytes ? (bytes as NodeBytes).latin1Slice(0, bytes.length) : decoder.decode(bytes)
