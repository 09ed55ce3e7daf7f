import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFrameRate } from '../../../core/adapters/web-socket.ts'

/** A frame of RFC 6455, 5.2. */
function frame(opcode: number, payload: number, { fin = true, masked = true } = {}): Buffer {
  const short = payload < 126 ? payload : payload < 65_536 ? 126 : 127
  const head = Buffer.from([(fin ? 0x80 : 0) | opcode, (masked ? 0x80 : 0) | short])
  const length = Buffer.alloc(short < 126 ? 0 : short === 126 ? 2 : 8)
  if (short === 126) length.writeUInt16BE(payload)
  if (short === 127) length.writeBigUInt64BE(BigInt(payload))
  return Buffer.concat([head, length, randomBytes(masked ? 4 : 0), randomBytes(payload)])
}

/** Continuation, text, bytes, close, ping, pong; and of each length that is written in another way. */
const FRAMES = [
  ...[0, 1, 2, 8, 9, 10].flatMap((opcode) => [0, 1, 125].map((payload) => frame(opcode, payload))),
  ...[125, 126, 65_535, 65_536].map((payload) => frame(2, payload, { fin: false })),
  ...[0, 125, 126, 65_536].map((payload) => frame(1, payload, { masked: false })),
]

function counting(perSecond: number) {
  let now = 0
  const frames = createFrameRate(perSecond, () => now)
  return { frames, pass: (ms: number) => (now += ms) }
}

describe('frames of a WebSocket', () => {
  it.each([1, 3, 1000, Infinity])('are counted whatever they weigh, in pieces of %s bytes', (piece) => {
    const bytes = Buffer.concat(FRAMES)
    const admitted = (limit: number) => {
      const { frames } = counting(limit)
      for (let at = 0; at < bytes.length; at += Math.min(piece, bytes.length)) {
        if (!frames.admits(bytes.subarray(at, at + piece))) return false
      }
      return true
    }
    expect([admitted(FRAMES.length), admitted(FRAMES.length - 1)]).toEqual([true, false])
  })

  it('come as many in a second as may, second for second, and as many at once', () => {
    const { frames, pass } = counting(1000)
    const some = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame(2, 0)))
    expect(frames.admits(some(1000))).toBe(true)
    for (let tenth = 0; tenth < 50; tenth++) {
      pass(100)
      expect(frames.admits(some(100))).toBe(true)
    }
    pass(3_600_000)
    expect(frames.admits(some(1000))).toBe(true)
    expect(frames.admits(some(1))).toBe(false)
  })

  it('that were held back may come late, at once', () => {
    const { frames, pass } = counting(1000)
    const some = (count: number) => Buffer.concat(Array.from({ length: count }, () => frame(1, 0)))
    expect(frames.admits(some(1000))).toBe(true)
    pass(5_000)
    frames.onResumed()
    expect(frames.admits(some(5000))).toBe(true)
    expect(frames.admits(some(1))).toBe(false)
  })
})
