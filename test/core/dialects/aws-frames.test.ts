// AWS's binary framing: the same events however the bytes are cut, and no end that was not there.
import { describe, expect, it } from 'vitest'
import { crc32 } from 'node:zlib'
import { awsEvents } from '../../../core/dialects/aws-frames.ts'
import { cutAt } from '../../support/recordings.ts'

/** A message as the page "Event stream encoding" of AWS's documentation describes it. */
function message(headers: Record<string, string>, payload: object): Buffer {
  const named = Object.entries(headers).map(([name, value]) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(Buffer.byteLength(value))
    return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)])
  })
  const head = Buffer.concat(named)
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const whole = Buffer.concat([prelude, head, body])
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(whole))
  return Buffer.concat([whole, end])
}

const event = (inner: object) =>
  message(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    { bytes: Buffer.from(JSON.stringify(inner)).toString('base64'), p: 'abcdef' },
  )

async function read(runs: readonly Uint8Array[]): Promise<string> {
  async function* body() {
    yield* runs
  }
  let text = ''
  for await (const run of awsEvents(body())) text += new TextDecoder().decode(run)
  return text
}

const stream = Buffer.concat([event({ type: 'message_start' }), event({ type: 'ping', text: 'grüß 世界' })])
const shown =
  'event: message_start\ndata: {"type":"message_start"}\n\nevent: ping\ndata: {"type":"ping","text":"grüß 世界"}\n\n'

describe('AWS event streams', () => {
  it('are the same events wherever the bytes are cut', async () => {
    expect(await read([stream])).toBe(shown)
    for (let at = 1; at < stream.length; at++) expect(await read(cutAt(stream, [at]))).toBe(shown)
    expect(await read([...stream].map((byte) => Uint8Array.of(byte)))).toBe(shown)
  })

  it('that break off inside a message, or are garbled, fail', async () => {
    await expect(read([stream.subarray(0, stream.length - 1)])).rejects.toMatchObject({ code: 'upstream.broken' })
    for (const at of [0, 5, 14, 40, stream.length - 1]) {
      const garbled = Uint8Array.from(stream)
      garbled[at]! ^= 0x55
      await expect(read([garbled])).rejects.toMatchObject({ code: expect.stringMatching(/^upstream\./) })
    }
  })

  it.each([
    ['throttlingException', 'rate_limit_error'],
    ['modelTimeoutException', 'timeout_error'],
    ['internalServerException', 'api_error'],
  ])('say %s in words of the format', async (kind, type) => {
    const headers = { ':exception-type': kind, ':content-type': 'application/json', ':message-type': 'exception' }
    expect(await read([message(headers, { message: 'Too many' })])).toBe(
      `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: 'Too many' } })}\n\n`,
    )
  })
})
