// AWS's binary framing: the same events however the bytes are cut, and no end that was not there.
import { describe, expect, it } from 'vitest'
import { readAwsEvents } from '../../../core/dialects/answers/aws-frames.ts'
import { cutAt } from '../../support/recordings.ts'
import { awsEvent as event, awsMessage as message } from '../../vendors/aws-event-stream.ts'

async function read(runs: readonly Uint8Array[]): Promise<string> {
  async function* body() {
    yield* runs
  }
  let text = ''
  for await (const run of readAwsEvents(body())) text += new TextDecoder().decode(run)
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
