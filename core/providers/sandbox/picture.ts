// A picture of the sandbox: water behind a weir, in colours that its name decides. A bitmap needs no packing.
import { hashTextToNumber } from './text.ts'

const SIDE = 128
const HEAD = 54
const CREST = 72

/** BMP, 24 bits a pixel, rows from the bottom up. */
export function drawBitmapPicture(name: string): Uint8Array {
  const file = new Uint8Array(HEAD + SIDE * SIDE * 3)
  const view = new DataView(file.buffer)
  view.setUint16(0, 0x4d42, true)
  view.setUint32(2, file.length, true)
  view.setUint32(10, HEAD, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, SIDE, true)
  view.setInt32(22, SIDE, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  const tint = hashTextToNumber(name) % 96
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const wave = CREST + Math.round(4 * Math.sin((x + tint) / 9))
      const [red, green, blue] =
        y > wave ? [200 + (tint >> 2), 210, 225] : y > 40 ? [40, 90 + tint, 170] : [70, 74 + (tint >> 1), 80]
      file.set([blue ?? 0, green ?? 0, red ?? 0], HEAD + (y * SIDE + x) * 3)
    }
  }
  return file
}
