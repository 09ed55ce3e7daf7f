// Attacks by what was opened while it was allowed. The rows are named by their id in the list of attacks.
import { expect, it } from 'vitest'
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

  async function expectClosed(ada: Caller, { closed, events }: Awaited<ReturnType<typeof session>>, what: string) {
    expect((await closed).code, what).toBe(1008)
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
    expect(await weir.gateway.client.quota.verify()).toMatchObject({ ok: true, open_holds: 0 })
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
})
