// Copies of the bodies of calls: for users who have enabled them, as much as is stored, and the client notices nothing.
import { describe, expect, it } from 'vitest'
import type { BodyKeeper, CopiedCall } from '../../../core/bodies/keeper.ts'
import { encodeFrame, type OutputPiece } from '../../../core/dialects/answers/frames.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Call, Reply } from '../../../core/relay/call.ts'
import { recordBodies } from '../../../core/relay/record-bodies.ts'
import type { RelayCall } from '../../../core/relay/relay.ts'
import { createFakeClock } from '../../support/clock.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const toText = (piece: OutputPiece) =>
  new TextDecoder().decode(piece instanceof Uint8Array ? piece : encodeFrame(piece))
const head = { status: 200, headers: {} }

/** Makes a call whose relay answers as given, and returns what the client and the keeper get. */
async function record(relay: RelayCall, given: { limit?: number; enabled?: boolean } = {}) {
  const { limit = 8, enabled = true } = given
  const copies: CopiedCall[] = []
  const sent: string[] = []
  const keeper = { limit: () => limit, take: (copy: CopiedCall) => void copies.push(copy) } as unknown as BodyKeeper
  const caller = { bodies: enabled ? 'age1' : undefined, user: { id: 3 }, token: { id: 4 }, request_id: 'r-1' }
  const call = { caller, body: bytes('a long question') } as unknown as Call
  const send = (pieces: OutputPiece[]) => void sent.push(...pieces.map(toText))
  const reply: Reply = { admitted() {}, head() {}, write: send, whole: (_, pieces) => send(pieces) } as Reply
  let error: unknown
  try {
    await recordBodies(relay, keeper, createFakeClock())(call, reply)
  } catch (thrown) {
    error = thrown
  }
  const [copy] = copies
  const answer = copy && { text: new TextDecoder().decode(copy.answer.bytes), size: copy.answer.size }
  const request = copy && { text: new TextDecoder().decode(copy.request.bytes), size: copy.request.size }
  return { sent: sent.join(''), copies, copy, answer, request, error }
}

const stream =
  (...parts: string[][]): RelayCall =>
  async (_, reply) => {
    reply.head(head)
    for (const pieces of parts) await reply.write(pieces.map(bytes))
  }
const whole =
  (...parts: string[]): RelayCall =>
  (_, reply) =>
    Promise.resolve(reply.whole(head, parts.map(bytes)))

describe('the bodies of a call', () => {
  it.each<[string, RelayCall, string, string]>([
    ['a short answer', whole('short'), 'short', 'short'],
    ['an answer of exactly as much', whole('12345678'), '12345678', '12345678'],
    ['a long answer', whole('123456789'), '123456789', '12345678'],
    ['an answer in pieces', whole('12345', '67890', 'abc'), '1234567890abc', '12345678'],
    ['a stream', stream(['123'], ['45', '67'], ['890', 'abc'], ['def']), '1234567890abcdef', '12345678'],
  ])('are copied as far as they are stored: %s', async (_, relay, all, stored) => {
    const { sent, answer, request, copy } = await record(relay)
    expect(sent).toBe(all)
    expect(answer).toEqual({ text: stored, size: all.length })
    expect(request).toEqual({ text: 'a long q', size: 'a long question'.length })
    expect(copy).toMatchObject({
      recipient: 'age1',
      user_id: 3,
      token_id: 4,
      request_id: 'r-1',
      status: 200,
      error: '',
    })
  })

  it('are the bytes of the moment, though buffers are used again', async () => {
    const buffer = bytes('first')
    const { answer } = await record(async (_, reply) => {
      reply.head(head)
      await reply.write([buffer])
      buffer.set(bytes('later'))
    })
    expect(answer?.text).toBe('first')
  })

  it('are stored with the failure of a call, which reaches the client', async () => {
    const failure = new GatewayError('request.no_model')
    const { error, copy } = await record(() => Promise.reject(failure))
    expect(error).toBe(failure)
    expect(copy).toMatchObject({ status: 400, error: failure.message })
  })

  it.each([
    ['users who have not enabled it', { enabled: false }],
    ['gateways that store none', { limit: 0 }],
  ])('are not copied for %s', async (_, given) => {
    const { sent, copies } = await record(whole('an answer'), given)
    expect([sent, copies]).toEqual(['an answer', []])
  })
})
