// Vectors of embeddings: as numbers, or as base64 of their 32-bit floats, the lowest byte first.
import { listIn } from './json-value.ts'

export type VectorEncoding = 'float' | 'base64'

const BYTES = 4

/** The vector in the encoding that is wanted; what is no vector stays as it is. */
export function encodedVector(vector: unknown, wanted: VectorEncoding): unknown {
  if (wanted === 'float') return typeof vector === 'string' ? (numbersIn(vector) ?? vector) : vector
  const numbers = listIn(vector)
  return numbers?.every((one) => typeof one === 'number') ? base64Of(numbers) : vector
}

function base64Of(numbers: readonly number[]): string {
  const view = new DataView(new ArrayBuffer(numbers.length * BYTES))
  numbers.forEach((one, at) => view.setFloat32(at * BYTES, one, true))
  const letters = Array.from(new Uint8Array(view.buffer), (byte) => String.fromCharCode(byte))
  return btoa(letters.join(''))
}

function numbersIn(base64: string): number[] | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const view = new DataView(bytes.buffer)
    if (bytes.length % BYTES !== 0) return undefined
    return Array.from({ length: bytes.length / BYTES }, (_, at) => view.getFloat32(at * BYTES, true))
  } catch {
    return undefined
  }
}
