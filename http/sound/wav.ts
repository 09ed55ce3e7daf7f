// WAV: the sound has as many bytes as are there, whatever the header says of its length.
import { textAt, toDataView, type Bytes, type Length } from './bytes.ts'

/** Kinds of samples of which each is as long as it says: whole numbers, floating point, A-law, µ-law, extensible. */
const PLAIN = new Set([1, 3, 6, 7, 0xfffe])

/** ADPCM, of two makers. */
const BLOCKS = new Set([2, 17])

interface Format {
  /** Bytes of a second. */
  rate: number
}

/** @param size of the file, in bytes */
export async function wavLength(bytes: Bytes, size: number): Promise<Length | undefined> {
  await bytes.skip(12)
  let format: Format | undefined
  for (;;) {
    const head = await bytes.peek(8)
    if (head.length < 8) return undefined
    const id = textAt(head, 0, 4)
    const length = toDataView(head).getUint32(4, true)
    await bytes.skip(8)
    if (id === 'fmt ') format = formatIn(await bytes.peek(Math.min(20, length)))
    if (id === 'data') {
      const sound = await soundBytes(bytes, length, size - bytes.at)
      return format && { seconds: sound / format.rate, bytes: sound, lossless: true }
    }
    if (!(await bytes.skip(length + (length % 2)))) return undefined
  }
}

function formatIn(bytes: Uint8Array): Format | undefined {
  if (bytes.length < 16) return undefined
  const view = toDataView(bytes)
  const [kind, channels, bits] = [view.getUint16(0, true), view.getUint16(2, true), view.getUint16(14, true)]
  const rate = view.getUint32(4, true)
  // Packed in blocks, which say how many samples each has.
  const packed = BLOCKS.has(kind) && bytes.length >= 20 ? view.getUint16(18, true) : 0
  const second = PLAIN.has(kind)
    ? (rate * channels * bits) / 8
    : packed > 0
      ? (rate * view.getUint16(12, true)) / packed
      : view.getUint32(8, true)
  return second > 0 ? { rate: second } : undefined
}

/** As many as are said, where there are so many, and behind them another chunk or nothing; else all that is left. */
async function soundBytes(bytes: Bytes, said: number, left: number): Promise<number> {
  if (said === 0 || said >= left) return left
  if (left - said <= 8) return said
  await bytes.skip(said + (said % 2))
  const next = await bytes.peek(8)
  const fits = next.length < 8 || toDataView(next).getUint32(4, true) <= left - said
  return fits && /^[\w ]{4}$/.test(textAt(next, 0, 4)) ? said : left
}
