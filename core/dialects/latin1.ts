// Bytes looked at as text, one character for each byte: searching a text is far quicker than a walk over bytes.

/** What Node's byte arrays can do beside; others are left to a decoder. */
interface NodeBytes extends Uint8Array {
  latin1Slice(start: number, end: number): string
}

const decoder = new TextDecoder('latin1')

/** Places are the same in both. ASCII stands as it is; of other characters only that they are there is to be relied on. */
export const latin1 = (bytes: Uint8Array): string =>
  'latin1Slice' in bytes ? (bytes as NodeBytes).latin1Slice(0, bytes.length) : decoder.decode(bytes)
