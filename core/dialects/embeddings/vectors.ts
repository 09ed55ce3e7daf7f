// Vectors of embeddings: as numbers, or as base64 of little-endian 32-bit floats; some vendors send base64 of 8-bit
// integers.
import { asList } from '../json/json-value.ts'

export type EmbeddingEncoding = 'float' | 'base64'

const BYTES = 4

/** Returns the vector in the requested encoding; any other value is unchanged. */
export function encodeEmbedding(vector: unknown, encoding: EmbeddingEncoding): unknown {
  if (encoding === 'float') return typeof vector === 'string' ? (parseNumbers(vector) ?? vector) : vector
  const numbers = asList(vector)
  return numbers?.every((one) => typeof one === 'number') ? toBase64(numbers) : vector
}

function toBase64(numbers: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(numbers.length * BYTES))
  numbers.forEach((one, at) => view.setFloat32(at * BYTES, one, true))
  const letters = Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte))
  return btoa(letters.join(''))
}

/** Is this number plausible? Vectors have a length near 1; other bytes, read as floats, have any magnitude. */
const isLikely = (float: number): boolean => float === 0 || (Math.abs(float) > SMALLEST && Math.abs(float) < LARGEST)
const SMALLEST = 1e-15
const LARGEST = 1e4

function parseNumbers(base64: string): number[] | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const view = new DataView(bytes.buffer)
    const floats = Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, at) =>
      view.getFloat32(at * BYTES, true),
    )
    if (bytes.length % BYTES === 0 && floats.every(isLikely)) return floats
    return Array.from(new Int8Array(bytes.buffer))
  } catch {
    return undefined
  }
}
