// How long a sound is, as its own bytes tell. music-metadata reads only the formats without a reader of their own here: it
// believes headers, so that a false one or a file that was cut would cost next to nothing or thousands of times too much.
import { Readable } from 'node:stream'
import { soundSeconds } from '../core/index.ts'
import type { FormFile } from '../core/dialects/multipart.ts'
import { Bytes, textAt, type Length } from './sound/bytes.ts'
import { flacLength } from './sound/flac.ts'
import { isMp4, mp4Length } from './sound/mp4.ts'
import { isMpeg, mpegLength } from './sound/mpeg.ts'
import { oggLength } from './sound/ogg.ts'
import { wavLength } from './sound/wav.ts'
import { isWebm, webmLength } from './sound/webm.ts'

/** What a second of sound may take, in bytes: speech that was made very small, and what no coder makes larger. */
const LEAST = 100
const MOST = 128_000
const MOST_LOSSLESS = 12_500_000

/**
 * The file with its length in seconds. What is there is counted, not what a header claims; where that makes no sound, or
 * the format is not known, it is reckoned from the size.
 */
export async function withLength(file: FormFile): Promise<FormFile> {
  const found = await measured(file).catch(() => undefined)
  return found && isLikely(found)
    ? { ...file, seconds: found.seconds, seconds_by: 'sound_length' }
    : { ...file, seconds: soundSeconds(file.size), seconds_by: 'sound_size' }
}

function isLikely({ seconds, bytes, lossless }: Length): boolean {
  const second = bytes / seconds
  return seconds > 0 && second >= LEAST && second <= (lossless ? MOST_LOSSLESS : MOST)
}

async function measured(file: FormFile): Promise<Length | undefined> {
  const { size } = file
  const bytes = new Bytes(file.read())
  try {
    const head = await bytes.peek(16)
    if (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 4) === 'WAVE') return await wavLength(bytes, size)
    if (textAt(head, 0, 4) === 'fLaC') return await flacLength(bytes, size)
    if (textAt(head, 0, 4) === 'OggS') return await oggLength(bytes)
    if (isWebm(head)) return await webmLength(bytes)
    if (isMp4(head)) return await mp4Length(bytes, size)
    if (isMpeg(head)) return await mpegLength(bytes)
  } finally {
    await bytes.close()
  }
  return told(file)
}

/** Formats that few send: as their headers tell, by a library that is loaded for them alone. */
async function told(file: FormFile): Promise<Length | undefined> {
  const { parseStream } = await import('music-metadata')
  const about = { mimeType: file.content_type, path: file.filename, size: file.size }
  const bytes = Readable.from(file.read(), { objectMode: false })
  // It may be read ahead of what is looked at, and the file may be gone by then.
  bytes.on('error', () => undefined)
  try {
    const { format } = await parseStream(bytes, about, { duration: true, skipCovers: true })
    const { duration, lossless, bitrate, sampleRate = 0, bitsPerSample = 0, numberOfChannels = 0 } = format
    if (!duration) return undefined
    // A file that was cut is as long as what is there.
    const second = (bitrate ?? sampleRate * bitsPerSample * numberOfChannels) / 8
    const seconds = second > 0 ? Math.min(duration, file.size / second) : duration
    return { seconds, bytes: file.size, ...(lossless ? { lossless } : {}) }
  } finally {
    bytes.destroy()
  }
}
