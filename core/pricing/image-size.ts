// Width and height of a picture from the first bytes of its file: PNG, JPEG, GIF and WebP.
import type { ImageSize } from './image-tokens.ts'

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
