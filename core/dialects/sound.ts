// Sound in answers, by its bytes: what it costs is told from how long it is.
import { asText } from './json-value.ts'

/** Bytes of sound as it is (two a sample, 24 000 samples a second), and of sound that is packed in some way. */
export interface Sound {
  raw: number
  packed: number
}

export const SILENCE: Readonly<Sound> = { raw: 0, packed: 0 }

/** Names of formats, and media types, of sound that is not packed. */
const RAW = /^(?:audio\/)?(?:x-)?(?:pcm|l16|wav)/i

export const isRaw = (format: string): boolean => RAW.test(format)

/** Bytes of what is written in base64; 0 where it is no text. */
export const base64Bytes = (base64: unknown): number => Math.floor(((asText(base64)?.length ?? 0) * 3) / 4)

/** All of the sound of one answer. */
export class Heard implements Sound {
  raw = 0
  packed = 0

  add(bytes: number, format: string): void {
    this[isRaw(format) ? 'raw' : 'packed'] += bytes
  }
}
