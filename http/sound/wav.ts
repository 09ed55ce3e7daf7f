// WAV: the length is computed from the bytes that are present, since the one in the header may be wrong.
import { getTextAt, toDataView, type BufferedBytes, type SoundLength } from './bytes.ts'

/** Formats with a fixed size of samples: integers, floating point, A-law, µ-law, extensible. */
const PLAIN = new Set([1, 3, 6, 7, 0xfffe])

/** ADPCM of two vendors. */
const BLOCKS = new Set([2, 17])

interface WavFormat {
  /** Bytes per second. */
  rate: number
}

/** Measures a file. @param size of the file, in bytes */
export async function measureWav(bytes: BufferedBytes, size: number): Promise<SoundLength | undefined> {
  await bytes.skip(12)
  let format: WavFormat | undefined
  for (;;) {
    const head = await bytes.peek(8)
    if (head.length < 8) return undefined
    const id = getTextAt(head, 0, 4)
    const length = toDataView(head).getUint32(4, true)
    await bytes.skip(8)
    if (id === 'fmt ') format = parseFormat(await bytes.peek(Math.min(20, length)))
    if (id === 'data') {
      const sound = await soundBytes(bytes, length, size - bytes.at)
      return format && { seconds: sound / format.rate, bytes: sound, lossless: true }
    }
    if (!(await bytes.skip(length + (length % 2)))) return undefined
  }
}

function parseFormat(bytes: Uint8Array): WavFormat | undefined {
  if (bytes.length < 16) return undefined
  const view = toDataView(bytes)
  const [kind, channels, bits] = [view.getUint16(0, true), view.getUint16(2, true), view.getUint16(14, true)]
  const rate = view.getUint32(4, true)
  // Compressed formats have blocks, and contain the number of samples per block.
  const packed = BLOCKS.has(kind) && bytes.length >= 20 ? view.getUint16(18, true) : 0
  const second = PLAIN.has(kind)
    ? (rate * channels * bits) / 8
    : packed > 0
      ? (rate * view.getUint16(12, true)) / packed
      : view.getUint32(8, true)
  return second > 0 ? { rate: second } : undefined
}

/** Returns the stated size if it is plausible: present, and followed by another chunk or the end. Otherwise all remaining bytes. */
async function soundBytes(bytes: BufferedBytes, stated: number, remaining: number): Promise<number> {
  if (stated === 0 || stated >= remaining) return remaining
  if (remaining - stated <= 8) return stated
  await bytes.skip(stated + (stated % 2))
  const next = await bytes.peek(8)
  const fits = next.length < 8 || toDataView(next).getUint32(4, true) <= remaining - stated
  return fits && /^[\w ]{4}$/.test(getTextAt(next, 0, 4)) ? stated : remaining
}
