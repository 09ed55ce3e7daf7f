// Counts the tokens of images in a prompt, by model, size and detail (docs/billing.md, 12.3), and of raw audio by its
// size in bytes (12.4).
import { ExactNumber } from './exact.ts'

/** Pixels. */
interface ImageSize {
  width: number
  height: number
}

type TokenMethod =
  | { kind: 'fixed'; tokens: number }
  /** Squares of 512 pixels; low detail costs the base alone. */
  | { kind: 'tile'; base: number; tile: number }
  /** Squares of 32 pixels, at most 1536 of them. */
  | { kind: 'patch'; multiplier: number }

/** First match wins; without a match a picture is counted in tiles of 85 and 170. */
const methods: [test: RegExp, method: TokenMethod][] = [
  [/^glm-4/, { kind: 'fixed', tokens: 1047 }],
  // Three times the base of the default: the estimate for providers with an unpublished method.
  [/^(claude|gemini)/, { kind: 'fixed', tokens: 255 }],
  [/^gpt-4o-mini/, { kind: 'tile', base: 2833, tile: 5667 }],
  [/^gpt-(4\.1|5)-mini/, { kind: 'patch', multiplier: 1.62 }],
  [/^gpt-(4\.1|5)-nano/, { kind: 'patch', multiplier: 2.46 }],
  [/^o4-mini/, { kind: 'patch', multiplier: 1.72 }],
  [/^gpt-5/, { kind: 'tile', base: 70, tile: 140 }],
  [/^o[13]/, { kind: 'tile', base: 75, tile: 150 }],
  [/^computer-use-preview/, { kind: 'tile', base: 65, tile: 129 }],
]
const DEFAULT: TokenMethod = { kind: 'tile', base: 85, tile: 170 }

const TILE = 512
const PATCH = 32
const MAX_PATCHES = 1536
/** Pictures are scaled until their short side is this long. */
const SHORT_SIDE = 768

/** Detail `auto`, empty or missing means `high`. */
export function countImageTokens(model: string, { width, height }: ImageSize, detail?: string): number {
  const method = methods.find(([test]) => test.test(model))?.[1] ?? DEFAULT
  if (method.kind === 'fixed') return method.tokens
  if (method.kind === 'patch') return Math.round(patches(width, height) * method.multiplier)
  if (detail === 'low') return method.base
  return tiles(width, height) * method.tile + method.base
}

/** The fit into 2048 x 2048 that comes first changes nothing: the short side is scaled to its length up or down. */
function tiles(width: number, height: number): number {
  const scale = SHORT_SIDE / Math.min(width, height)
  return squares(width * scale, TILE) * squares(height * scale, TILE)
}

function patches(width: number, height: number): number {
  const count = squares(width, PATCH) * squares(height, PATCH)
  if (count <= MAX_PATCHES) return count
  const shrink = Math.sqrt((PATCH * PATCH * MAX_PATCHES) / (width * height))
  const whole = (side: number) => Math.floor((side * shrink) / PATCH) / ((side * shrink) / PATCH)
  const ratio = shrink * Math.min(whole(width), whole(height))
  return Math.min(squares(width * ratio, PATCH) * squares(height * ratio, PATCH), MAX_PATCHES)
}

/** Squares along a side; a hair over the edge (binary fractions) is no square more. */
const squares = (side: number, of: number): number => Math.max(1, Math.ceil(side / of - 1e-9))

// Width and height of a picture from the first bytes of its file: PNG, JPEG, GIF and WebP.

const text = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** Undefined where the bytes are no picture that we know, or too few. Pixels. */
export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const size = read(bytes, view)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    return undefined // the data ends before the size
  }
}

function read(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  if (text(bytes, 1, 4) === 'PNG') return { width: view.getUint32(16), height: view.getUint32(20) }
  if (text(bytes, 0, 3) === 'GIF') return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return readWebp(bytes, view)
  return view.getUint16(0) === 0xffd8 ? readJpeg(view) : undefined
}

function readWebp(bytes: Uint8Array, view: DataView): ImageSize | undefined {
  const kind = text(bytes, 12, 16)
  if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  const bits = view.getUint32(kind === 'VP8L' ? 21 : 24, true)
  if (kind === 'VP8L') return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  if (kind !== 'VP8X') return undefined
  const third = (from: number) => view.getUint16(from, true) + (view.getUint8(from + 2) << 16) + 1
  return { width: third(24), height: third(27) }
}

/** Reads the size from the frame header. The segments before it are skipped by their lengths. */
function readJpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; at < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** PCM has two bytes a sample at 24 kHz; G.711, and what is unknown, one at 8 kHz. */
const bytesPerSecond = (format: string): number => (format === 'pcm16' ? 2 * 24_000 : 8_000)

/** A minute's price and a token's, in USD: their quotient is the tokens of a minute. */
const MINUTE = { input: { price: 100, of: '0.06' }, output: { price: 200, of: '0.24' } }

/** Seconds as an exact decimal. */
export const getAudioSeconds = (format: string, bytes: number): ExactNumber =>
  new ExactNumber(bytes).dividedBy(bytesPerSecond(format))

/** Estimates the duration of audio in an unknown format from its size in bytes. */
export const soundSeconds = (bytes: number): number => getAudioSeconds('unknown', bytes).toNumber()

export function countSoundTokens(format: string, bytes: number, direction: 'input' | 'output'): number {
  const { price, of } = MINUTE[direction]
  return getAudioSeconds(format, bytes).times(price).dividedBy(new ExactNumber(60).times(of)).truncated().toNumber()
}
