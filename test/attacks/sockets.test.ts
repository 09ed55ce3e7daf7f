// Attacks by connections that were opened while they were permitted. The rows are named by their id in the list of
// attacks.
import { expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import type { Caller } from '../support/caller.ts'
import { eventually } from '../support/gateway.ts'
import { created, describeRealtime, seen } from '../support/realtime-session.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'

const now = () => Math.floor(Date.now() / 1000)

describeRealtime('sessions that are open', ({ weir, provider, addChannel, session }) => {
  const manage =
    (action: 'disable' | 'delete') =>
    (ada: Caller, { gateway }: TestServer) =>
      gateway.client.users.manage({ id: ada.user.id, action })
  const owner = async (ada: Caller, { url }: TestServer) => {
    const visitor = createVisitor(url)
    await visitor.login(ada.user.username, ada.password)
    return visitor.client.tokens
  }
  const withdrawals: Record<string, (ada: Caller, at: TestServer) => Promise<unknown>> = {
    'the user is disabled': manage('disable'),
    'the user is deleted': manage('delete'),
    'the user is moved': ({ user }, { gateway }) => gateway.client.users.update({ id: user.id, group: 'svip' }),
    'the token is disabled': async (ada, at) =>
      (await owner(ada, at)).update({ id: ada.token.id, status: 2, status_only: 'true' }),
    'the token is deleted': async (ada, at) => (await owner(ada, at)).delete({ id: ada.token.id }),
    'the token may have the model no more': async (ada, at) =>
      (await owner(ada, at)).update({ ...ada.token, model_limits_enabled: true, model_limits: 'another' }),
    'the token expires': async (ada, at) =>
      (await owner(ada, at)).update({ ...ada.token, status: undefined, expired_time: now() - 5 }),
  }

  /** A session in the middle of a turn that nobody has reported. */
  async function inTurn(ada: Caller) {
    const opened = await session(ada)
    provider.say(created('r1'))
    provider.say({ type: 'response.output_text.delta', response_id: 'r1', delta: 'x'.repeat(4000) })
    await seen(opened.events, 'response.output_text.delta')
    return opened
  }

  type Opened = Awaited<ReturnType<typeof session>>

  async function expectClosed(ada: Caller, { closed, events }: Opened, what: string, code = 1008) {
    expect((await closed).code, what).toBe(code)
    // What is wrong with the token is told as OpenAI tells it, all else as our own refusal.
    const type = expect.stringMatching(/^(new_api|invalid_request)_error$/)
    expect(events.at(-1), what).toMatchObject({ type: 'error', error: { type, code: expect.any(String) } })
    const [row] = await eventually(
      () => ada.logs(),
      (rows) => rows.length === 1,
    )
    expect(row, what).toMatchObject({ type: 2, completion_tokens: 1000 })
    const user = await weir.gateway.ports.storage.users.find(ada.user.id)
    expect(user!.quota, what).toBe(1_000_000 - row!.quota)
    await eventually(
      () => provider.sockets().length,
      (n) => n === 0,
    )
    // A session whose caller reads nothing, of the test before, is waited for 5 s.
    const books = await eventually(
      () => weir.gateway.client.quota.verify(),
      ({ open_holds }) => open_holds === 0,
      15_000,
    )
    expect(books).toMatchObject({ ok: true })
  }

  it(
    'A6: are closed when what allowed them is taken away, whichever process does it',
    { timeout: 60_000 },
    async () => {
      await addChannel()
      const { database } = weir.config
      const elsewhere = database === undefined ? [] : [await startTestServer({ database })]
      try {
        for (const [at, process] of [weir, ...elsewhere].entries()) {
          for (const [what, withdraw] of Object.entries(withdrawals)) {
            const ada = await weir.addCaller({ quota: 1_000_000 })
            const opened = await inTurn(ada)
            await withdraw(ada, process)
            await expectClosed(ada, opened, `${what}, at process ${at}`)
          }
        }
      } finally {
        for (const { close } of elsewhere) await close()
      }
    },
  )

  it('A6: are closed when the time of their token is over', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const opened = await inTurn(ada)
    const tokens = await owner(ada, weir)
    await tokens.update({ ...ada.token, status: undefined, expired_time: now() + 1 })
    await expectClosed(ada, opened, 'time')
  })

  it('A6: are closed also to a caller who reads nothing', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { client } = await inTurn(ada)
    client.socket.pause()
    const chunk = JSON.stringify({ type: 'response.output_audio.delta', delta: 'A'.repeat(1024 * 1024) })
    for (let sent = 0; sent < 64; sent++) provider.sockets()[0]!.send(chunk)
    await weir.root.client.users.manage({ id: ada.user.id, action: 'disable' })
    await eventually(
      () => provider.sockets().length,
      (n) => n === 0,
      // Who reads nothing does not say goodbye either: that is waited for 5 s.
      15_000,
    )
  })

  it('A6: stay open through changes that take nothing away', async () => {
    await addChannel({ group: 'default,vip' })
    const [ada, bob] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
    const { events, client } = await inTurn(ada)
    await weir.root.client.users.update({ id: ada.user.id, display_name: 'Ada', group: 'vip' })
    await weir.root.client.users.manage({ id: bob.user.id, action: 'disable' })
    await weir.gateway.ports.storage.announce({ topic: 'users', id: 0 })
    provider.say({ type: 'response.output_text.done', response_id: 'r1' })
    await seen(events, 'response.output_text.done')
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  /** Each kind of frame in its smallest form. */
  const FRAMES: Record<string, (socket: WebSocket) => void> = {
    'empty texts': (socket) => socket.send(''),
    'empty binary messages': (socket) => socket.send(new Uint8Array()),
    'empty fragments': (socket) => socket.send('', { fin: false }),
    pings: (socket) => socket.ping(),
    pongs: (socket) => socket.pong(),
  }
  const FLOOD = 20_000
  const SENDERS: Record<string, { socket(opened: Opened): WebSocket; code: number; error: string }> = {
    caller: { socket: ({ client }) => client.socket as WebSocket, code: 1008, error: 'too_many_frames' },
    provider: { socket: () => provider.sockets()[0]!, code: 1011, error: 'bad_response' },
  }

  for (const [sender, { socket, code, error }] of Object.entries(SENDERS)) {
    for (const [kind, send] of Object.entries(FRAMES)) {
      it(`are closed to a ${sender} who floods them with ${kind}, and neighbours are served meanwhile`, async () => {
        await addChannel()
        const [ada, bob] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
        const opened = await inTurn(ada)
        const offender = socket(opened)
        for (let sent = 0; sent < FLOOD; sent++) send(offender)
        expect((await bob.openai.models.list()).data).not.toEqual([])
        await expectClosed(ada, opened, kind, code)
        expect(opened.events.at(-1)!.error.code).toBe(error)
        await eventually(
          () => provider.closed,
          (codes) => codes.length > 0,
        )
        expect(provider.closed).toEqual([sender === 'provider' ? 1008 : 1000])
      })
    }
  }

  it('take as much as may come at once, faster than real time, and answer many pings by the newest', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events, client } = await inTurn(ada)
    const [theirs] = provider.sockets()
    const sound = { type: 'response.output_audio.delta', response_id: 'r1', delta: 'AAAA' }
    for (let sent = 0; sent < 900; sent++) provider.say(sound)
    const pongs = { caller: [] as string[], provider: [] as string[] }
    client.socket.on('pong', (data) => pongs.caller.push(String(data)))
    theirs!.on('pong', (data) => pongs.provider.push(String(data)))
    for (let sent = 1; sent <= 900; sent++) for (const end of [client.socket, theirs!]) end.ping(String(sent))
    for (const answers of Object.values(pongs)) {
      await eventually(
        () => answers.at(-1),
        (last) => last === '900',
      )
      expect(answers.length).toBeLessThan(100)
    }
    await eventually(
      () => events.filter(({ type }) => type === sound.type).length,
      (passed) => passed === 900,
    )
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })
})
