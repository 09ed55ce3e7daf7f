// The door for WebSockets: who gets in, how a session ends, and what keeps it bounded.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import WebSocket from 'ws'
import type { Caller } from '../support/caller.ts'
import { eventually, openTestGateway } from '../support/gateway.ts'
import { created, describeRealtime, done, REALTIME_MODEL as MODEL, seen } from '../support/realtime-session.ts'
import { startRealtimeUpstream } from '../support/realtime-upstream.ts'
import { send } from '../support/server.ts'

describeRealtime('the door of realtime', ({ weir, provider, addChannel, address, session }) => {
  it('carries on the code and reason with which the provider closes', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    provider.session((socket) => socket.close(4008, 'session expired; see https://internal.example/x'))
    const { closed } = await session(ada)
    expect(await closed).toEqual({ code: 4008, reason: 'session expired; see [url]' })
    expect(await ada.logs()).toEqual([])
  })

  it('says so when the provider breaks off, and keeps what was reported', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events, closed } = await session(ada)
    provider.say(created('r1'))
    provider.say(done('r1'))
    await seen(events, 'response.done')
    provider.say(created('r2'))
    await eventually(
      () => events.length,
      (n) => n === 3,
    )
    provider.sockets()[0]!.terminate()
    expect(await closed).toMatchObject({ code: 1011 })
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'new_api_error' } })
    const rows = await eventually(
      () => ada.logs(),
      (found) => found.length === 2,
    )
    expect(rows.map(({ type }) => type)).toEqual([5, 2])
  })

  it('refuses before the upgrade, by status and in the format of OpenAI', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const poor = await weir.addCaller({ quota: 1 })
    const refused = async (path: string, headers: Record<string, string>) => {
      const socket = new WebSocket(address(path), { headers })
      const [, response] = await once(socket, 'unexpected-response')
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      return [response.statusCode, JSON.parse(Buffer.concat(chunks).toString()).error.code]
    }
    const bearer = (caller: Caller) => ({ authorization: `Bearer ${caller.key}` })
    expect(await refused(`/v1/realtime?model=${MODEL}`, {})).toEqual([401, 'invalid_api_key'])
    expect(await refused('/v1/realtime', bearer(ada))).toEqual([400, 'missing_required_parameter'])
    expect(await refused('/v1/realtime?model=no-such-model', bearer(ada))).toEqual([404, 'model_not_found'])
    expect(await refused(`/v1/realtime?model=${MODEL}`, bearer(poor))).toEqual([403, 'insufficient_user_quota'])
    expect(await refused(`/v1/other?model=${MODEL}`, bearer(ada))).toEqual([404, 'unknown_url'])
    provider.refuse({
      status: 401,
      body: {
        error: {
          message: 'bad key upstream-secret-0123456789',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
      },
    })
    await weir.set('RetryTimes', 0)
    expect(await refused(`/v1/realtime?model=${MODEL}`, bearer(ada))).toEqual([401, 'invalid_api_key'])
    const plain = await send('GET', `${weir.url}/v1/realtime?model=${MODEL}`, { headers: bearer(ada) })
    expect(plain.status).toBe(426)
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it('goes to the next channel as long as no session is open', async () => {
    await weir.addChannel({ models: MODEL, priority: 9 })
    await addChannel()
    await weir.set('RetryTimes', 1)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events } = await session(ada)
    provider.say(created('r1'))
    provider.say(done('r1'))
    await seen(events, 'response.done')
    expect(JSON.parse((await ada.logs())[0]!.other).admin_info.use_channel).toHaveLength(2)
  })

  it('takes the key from a protocol of the handshake, and answers with none that tells it', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const protocols = ['realtime', `openai-insecure-api-key.${ada.key}`, 'openai-beta.realtime-v1']
    const socket = new WebSocket(address(), protocols)
    await once(socket, 'open')
    expect(socket.protocol).toBe('realtime')
    expect(provider.asked[0]!.headers).toMatchObject({ 'openai-beta': 'realtime=v1' })
    expect(provider.asked[0]!.headers['sec-websocket-protocol']).toBeUndefined()
    socket.close()
    await once(socket, 'close')
  })

  it('speaks Azure as it is and as it was', async () => {
    const azure = { type: 3, key: 'azure-key' }
    const dated = await addChannel({
      ...azure,
      other: '2024-10-01-preview',
      model_mapping: `{"${MODEL}":"my deployment"}`,
    })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await session(ada)
    expect(provider.asked[0]).toMatchObject({
      url: '/openai/realtime?api-version=2024-10-01-preview&deployment=my%20deployment',
      headers: { 'api-key': 'azure-key' },
    })
    await weir.root.client.channels.update({ id: dated.id, other: '' })
    await session(ada)
    expect(provider.asked[1]!.url).toBe('/openai/v1/realtime?model=my+deployment')
  })

  it('keeps frames bounded, and refuses words of the list', async () => {
    await addChannel()
    await weir.set('SensitiveWords', 'fishmonger')
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { client, events, closed } = await session(ada)
    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a Fishmonger' }] },
    })
    expect((await seen(events, 'error'))[0].error.code).toBe('sensitive_words_detected')
    expect(provider.heard).toEqual([])
    client.socket.send(Buffer.alloc(33 * 1024 * 1024))
    expect(await closed).toMatchObject({ code: 1009 })
  })

  it('holds a provider back that talks faster than its caller listens', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { client, events } = await session(ada)
    client.socket.pause()
    const line = provider.sockets()[0]!
    const chunk = JSON.stringify({ type: 'response.output_audio.delta', delta: 'A'.repeat(1024 * 1024) })
    for (let sent = 0; sent < 64; sent++) line.send(chunk)
    // Sockets and Weir keep a few megabytes; the rest waits at the provider.
    let before = Number.NaN
    const kept = await eventually(
      async () => {
        before = line.bufferedAmount
        await sleep(200)
        return line.bufferedAmount
      },
      (now) => now === before,
    )
    expect(kept).toBeGreaterThan(32 * 1024 * 1024)
    client.socket.resume()
    await eventually(
      () => events.length,
      (n) => n === 64,
      20_000,
    )
    expect(line.bufferedAmount).toBe(0)
  })

  it('needs the pinned channel of an administrator, and no other', async () => {
    await weir.addChannel({ models: MODEL, priority: 9 })
    const { id } = await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000, patch: { role: 10 } })
    const socket = new WebSocket(address(), {
      headers: { authorization: `Bearer ${ada.key}-${id}` },
    })
    await once(socket, 'open')
    expect(provider.asked).toHaveLength(1)
    socket.close()
    await once(socket, 'close')
  })
})

it('sessions end, charged, when the server stops', async () => {
  const [weir, provider] = await Promise.all([openTestGateway(), startRealtimeUpstream()])
  await weir.addChannel({ models: MODEL, base_url: provider.url })
  const ada = await weir.addCaller({ quota: 1_000_000 })
  const socket = new WebSocket(`${weir.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`, {
    headers: { authorization: `Bearer ${ada.key}` },
  })
  await once(socket, 'open')
  provider.say(created('r1'))
  provider.say({ type: 'response.output_text.delta', delta: 'z'.repeat(400) })
  await once(socket, 'message')
  const closed = once(socket, 'close')
  await weir.close()
  expect((await closed)[0]).toBe(1001)
  await eventually(
    () => provider.closed,
    (codes) => codes.length === 1,
  )
  await provider.close()
})
