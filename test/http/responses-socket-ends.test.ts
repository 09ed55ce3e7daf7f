// How a WebSocket of Responses ends: with the server, by its age, and by what it sends.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { GatewayError } from '../../core/errors.ts'
import { toDistantPeer } from '../../http/peer.ts'
import { createResponsesSocketDoor } from '../../http/responses-socket.ts'
import { describeWithGateway, eventually, MODEL, openTestGateway } from '../support/gateway.ts'
import { openSocket } from '../support/responses-socket.ts'
import { chatStream } from '../support/upstream.ts'

const CREATE = { type: 'response.create', model: MODEL, input: 'Hi' }
/** An answer that begins and goes no further. */
const STALLED = { ...chatStream(['Hello', ' you'], { prompt_tokens: 3, completion_tokens: 2 }), stall: 2 }

it('closes idle sockets at once when it stops, and others behind the end of their responses', async () => {
  const weir = await openTestGateway()
  await weir.addChannel({ type: 42 })
  const ada = await weir.addCaller({ quota: 1_000_000 })
  await weir.set('relay.stop_seconds', 1)
  weir.upstream.reply(STALLED)
  const [idle, busy] = await Promise.all([openSocket(weir.url, ada.key), openSocket(weir.url, ada.key)])
  busy.send(CREATE)
  busy.send({ ...CREATE, input: 'a request that waits' })
  await eventually(
    () => busy.events.length,
    (n) => n > 0,
  )
  const stopped = weir.stop()
  expect(await idle.closed).toMatchObject({ code: 1001 })
  expect(await busy.closed).toMatchObject({ code: 1001 })
  await stopped
  const ends = busy.events.filter(({ type }) => type === 'response.failed' || type === 'error')
  expect(ends).toMatchObject([{ type: 'response.failed' }, { type: 'error', status: 503 }])
  expect(weir.upstream.requests).toHaveLength(1)
  await weir.upstream.close()
})

describeWithGateway('a socket', (weir) => {
  async function withDoor(times: Parameters<typeof createResponsesSocketDoor>[1], act: (url: string) => Promise<void>) {
    const { gateway } = weir
    const door = createResponsesSocketDoor(gateway, times)
    const server = createServer().on('upgrade', (request, socket, head) => {
      void door.open(request, socket, head, toDistantPeer(gateway, request))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    } finally {
      await door.close()
      server.close()
    }
  }

  it('that is too old says so, answers what it has begun, and closes', async () => {
    await weir.addChannel({ type: 42 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const parts = Array.from({ length: 6 }, () => 'Hello')
    weir.upstream.reply({ ...chatStream(parts, { prompt_tokens: 3, completion_tokens: 2 }), gap_ms: 150 })
    await withDoor({ longest_ms: 300, check_ms: 20 }, async (url) => {
      const client = await openSocket(url, ada.key)
      client.send(CREATE)
      expect(await client.closed).toMatchObject({ code: 1001 })
      const kinds = client.events.map(({ type, error }) => error?.code ?? type)
      expect(kinds).toContain('websocket_connection_limit_reached')
      expect(kinds.at(-1)).toBe('response.completed')
    })
  })

  it('on which nobody asks anything is closed', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await withDoor({ idle_ms: 100, check_ms: 20 }, async (url) => {
      const client = await openSocket(url, ada.key)
      expect(await client.closed).toMatchObject({ code: 1001 })
      expect(client.events).toEqual([])
    })
  })

  it('stays open while storage cannot tell whether its key is valid, and closes once it is known that it is not', async () => {
    await weir.addChannel({ type: 42 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(() => chatStream(['Hello'], { prompt_tokens: 3, completion_tokens: 2 }))
    const { storage } = weir.gateway.ports
    const client = await openSocket(weir.url, ada.key)
    const lastOf = async () => (await client.ask({ model: MODEL, input: 'Hi' })).at(-1)
    expect(await lastOf()).toMatchObject({ type: 'response.completed' })
    const lookUp = vi.spyOn(storage.tokens, 'findPresented').mockRejectedValue(new GatewayError('storage.away'))
    await storage.announce({ topic: 'tokens', id: ada.token.id })
    expect(await lastOf()).toMatchObject({ type: 'error', status: 503 })
    lookUp.mockRestore()
    expect(await lastOf()).toMatchObject({ type: 'response.completed' })

    vi.spyOn(storage.tokens, 'findPresented').mockRejectedValue(new Error('the disk is full'))
    await storage.tokens.update(ada.token.id, { status: 2 })
    await storage.announce({ topic: 'tokens', id: ada.token.id })
    expect(await lastOf()).toMatchObject({ type: 'error', status: 500 })
    vi.restoreAllMocks()
    expect(await client.closed).toMatchObject({ code: 1008, reason: expect.stringContaining('disabled') })
    expect(await ada.logs()).toHaveLength(2)
  })

  it('that sends more frames than may come, or a message larger than a body, is closed', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await weir.set('relay.max_frames_per_second', 10)
    const client = await openSocket(weir.url, ada.key)
    for (let frame = 0; frame < 200; frame++) client.send('{}')
    expect(await client.closed).toMatchObject({ code: 1008 })
    await weir.set('relay.max_body_megabytes', 1)
    const other = await openSocket(weir.url, ada.key)
    other.send({ ...CREATE, input: 'x'.repeat(1024 * 1024) })
    expect(await other.closed).toMatchObject({ code: 1009 })
  })
})
