// WAV and FLAC: the length is counted from the data, since the one in the header may be missing or wrong.
import { getTextAt, toDataView, type BufferedBytes, type SoundLength } from './bytes.ts'

/** Formats with a fixed size of samples: integers, floating point, A-law, µ-law, extensible. */
const PLAIN = new Set([1, 3, 6, 7, 0xfffe])

/** ADPCM of two vendors. */
const WAV_BLOCKS = new Set([2, 17])

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
  const packed = WAV_BLOCKS.has(kind) && bytes.length >= 20 ? view.getUint16(18, true) : 0
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

/** Size of the end of a file that contains the last frame, in bytes. */
const TAIL = 256 * 1024
/** Samples of a block, by the code in the header of a frame. */
const FLAC_BLOCKS = [0, 192, 576, 1152, 2304, 4608, 0, 0, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768]

/** Measures a file. @param size of the file, in bytes */
export async function measureFlac(bytes: BufferedBytes, size: number): Promise<SoundLength | undefined> {
  const head = await bytes.peek(42)
  if (head.length < 42) return undefined
  const view = toDataView(head)
  const block = view.getUint16(10)
  const rate = view.getUint32(18) >>> 12
  const most = (view.getUint8(21) & 15) * 2 ** 32 + view.getUint32(22)
  await bytes.skip(Math.max(0, size - TAIL))
  const tail = await bytes.peek(TAIL)
  let samples = 0
  for (let at = tail.indexOf(0xff); at >= 0; at = tail.indexOf(0xff, at + 1)) {
    samples = Math.max(samples, endOfFrame(tail.subarray(at, at + 16), block) ?? 0)
  }
  const whole = samples || most
  return rate > 0 && whole > 0 ? { seconds: whole / rate, bytes: size, lossless: true } : undefined
}

/** Returns the number of samples up to the end of a frame; undefined if no frame begins here. */
function endOfFrame(head: Uint8Array, usual: number): number | undefined {
  const [, sync = 0, codes = 0] = head
  if ((sync & 0xfe) !== 0xf8 || codes >> 4 === 0 || (codes & 15) === 15) return undefined
  const long = Math.max(0, Math.clz32(~((head[4] ?? 0) << 24)))
  const used = long === 0 ? 1 : long
  if (long === 1 || long > 7) return undefined
  let place = long === 0 ? (head[4] ?? 0) : (head[4] ?? 0) & (0x7f >> long)
  for (const next of head.subarray(5, 4 + used)) place = place * 64 + (next & 63)
  let at = 4 + used
  const code = codes >> 4
  const byte = (offset: number) => head[at + offset] ?? 0
  const block = code === 6 ? byte(0) + 1 : code === 7 ? byte(0) * 256 + byte(1) + 1 : (FLAC_BLOCKS[code] ?? 0)
  at += code === 6 ? 1 : code === 7 ? 2 : 0
  const rate = codes & 15
  at += rate === 12 ? 1 : rate > 12 ? 2 : 0
  if (at >= head.length || crc8(head.subarray(0, at)) !== head[at]) return undefined
  // With a fixed block size the position is in frames, otherwise in samples.
  return (sync & 1 ? place : place * usual) + block
}

function crc8(bytes: Uint8Array): number {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80 ? ((sum << 1) ^ 7) & 0xff : sum << 1
  }
  return sum
}
