// MP3, MPEG layers 1 and 2, and AAC as a sequence of frames (ADTS): each frame contains its length, and all of them are added up.
import { getTextAt, type BufferedBytes, type SoundLength } from './bytes.ts'

interface MpegFrame {
  /** Size in bytes. */
  size: number
  seconds: number
}

export const isMpeg = (head: Uint8Array): boolean => getTextAt(head, 0, 3) === 'ID3' || frameAt(head, 0) !== undefined

const RATES = [44_100, 48_000, 32_000]
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
/** Kbit/s by the index in a header: for the layers of the first version, then for those of later versions. */
const KBITS: Record<string, number[]> = {
  '1.1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1.2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2.1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2.2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2.3': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
/** Marks of a first frame that is silent and describes the others, after its side information. */
const TABLES = ['Xing', 'Info', 'VBRI']
const HEAD = 7
const LOOK = 4096
/** Minimum number of frames. Fewer may be a coincidence. */
const LEAST_FRAMES = 3

export async function measureMpeg(bytes: BufferedBytes): Promise<SoundLength | undefined> {
  let seconds = 0
  let frames = 0
  let size = 0
  let skipped = 0
  for (;;) {
    const head = await bytes.peek(LOOK)
    if (head.length < 4) break
    if (getTextAt(head, 0, 3) === 'ID3' && head.length >= 10) {
      const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10)
      if (!(await bytes.skip(10 + ((a & 0x7f) << 21) + ((b & 0x7f) << 14) + ((c & 0x7f) << 7) + (d & 0x7f)))) break
      continue
    }
    const frame = frameAt(head, 0)
    const next = frame && (await bytes.peek(frame.size + HEAD)).subarray(frame.size)
    // Random bytes may look like a header, but hardly twice at the right distance.
    if (!frame || !next || (next.length >= 4 && !frameAt(next, 0) && frames === 0)) {
      skipped += findNext(head)
      await bytes.skip(findNext(head))
      continue
    }
    const table = frames === 0 && TABLES.some((name) => getTextAt(head, 0, Math.min(frame.size, 200)).includes(name))
    if (!table) seconds += frame.seconds
    frames++
    size += frame.size
    if (!(await bytes.skip(frame.size))) break
  }
  // A file with more other data than frames is not sound.
  return frames >= LEAST_FRAMES && size > skipped ? { seconds, bytes: size } : undefined
}

/** Returns the distance to the next possible frame. */
function findNext(head: Uint8Array): number {
  const at = head.indexOf(0xff, 1)
  return at < 0 ? head.length : at
}

function frameAt(bytes: Uint8Array, at: number): MpegFrame | undefined {
  const [sync = 0, first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = bytes.subarray(at, at + HEAD)
  if (sync !== 0xff || (first & 0xe0) !== 0xe0) return undefined
  if ((first & 0xf6) === 0xf0) {
    const rate = AAC_RATES[(second >> 2) & 15]
    const size = ((third & 3) << 11) | (fourth << 3) | (fifth >> 5)
    return rate && size > HEAD ? { size, seconds: 1024 / rate } : undefined
  }
  const version = (first >> 3) & 3
  const layer = 4 - ((first >> 1) & 3)
  const kbits = KBITS[`${version === 3 ? 1 : 2}.${layer}`]?.[(second >> 4) - 1]
  const plain = RATES[(second >> 2) & 3]
  if (version === 1 || !kbits || !plain) return undefined
  const rate = version === 3 ? plain : version === 2 ? plain / 2 : plain / 4
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152
  const slot = layer === 1 ? 4 : 1
  const size = (Math.floor((samples / 8 / slot) * ((kbits * 1000) / rate)) + ((second >> 1) & 1)) * slot
  return { size, seconds: samples / rate }
}
