// Attacks on money. The rows are named by their id in the list of attacks.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

describeWithGateway('money', (weir) => {
  const books = () => weir.gateway.client.quota.verify()

  it('D3: many calls at the end of a balance, by many tokens, spend no more than there is', async () => {
    await weir.addChannel()
    const usage = { prompt_tokens: 9, completion_tokens: 50 }
    weir.upstream.reply({ ...chatReply('Hello', usage), latency_ms: 30 })
    const due = weir.due({ prompt: usage.prompt_tokens, completion: usage.completion_tokens })
    const ada = await weir.addCaller({ quota: due * 3 })
    const keys = [ada.token.key]
    for (let n = 0; n < 3; n++) keys.push((await weir.addToken(ada.user)).key)
    const ask = (n: number) =>
      ada.chat({ max_tokens: 50 }, { authorization: `Bearer sk-${keys[n % keys.length]}` }).then(({ status }) => status)
    const statuses = await Promise.all(Array.from({ length: 24 }, (_, n) => ask(n)))
    const served = statuses.filter((status) => status === 200).length
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(3)
    expect((await ada.balances()).quota).toBe(due * (3 - served))
    expect(weir.upstream.requests).toHaveLength(served)
    expect(await books()).toMatchObject({ ok: true, open_holds: 0 })
  })

  it('D4: whatever breaks, no hold stays, and what was not delivered is not charged', async () => {
    await weir.addChannel({ auto_ban: 0 })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (const reply of [
      { status: 500, body: {} },
      { status: 200, body: 'no JSON' },
      { status: 200, body: '' },
      { status: 418, body: { error: 'x' } },
      { reset: 'before_head' as const },
      { chunks: [], status: 200 },
      { ...chatStream(['a', 'b']), reset: 0 },
    ]) {
      weir.upstream.reply(reply)
      for (const stream of [false, true]) {
        const { text } = await ada.chat({ stream })
        expect(text).not.toContain('"content":"a"')
      }
    }
    expect((await ada.balances()).quota).toBe(1_000_000)
    expect(await books()).toMatchObject({ ok: true, open_holds: 0 })
  })

  it('D5: nothing reaches a provider that was not admitted, at any door', async () => {
    await weir.addChannel({
      models: 'gpt-4o-mini,text-embedding-3-small,dall-e-3,tts-1,whisper-1,claude-3-5-haiku,gemini-2.0-flash',
    })
    const banned = await weir.addCaller({ quota: 1_000_000, patch: { status: 2 } })
    const poor = await weir.addCaller({ quota: 0 })
    const narrow = await weir.addCaller({
      quota: 1_000_000,
      token: { model_limits_enabled: true, model_limits: 'something-else' },
    })
    const messages = [{ role: 'user', content: 'Hello' }]
    const doors: [path: string, body: object][] = [
      ['/v1/chat/completions', { model: 'gpt-4o-mini', messages }],
      ['/v1/completions', { model: 'gpt-4o-mini', prompt: 'Hello' }],
      ['/v1/responses', { model: 'gpt-4o-mini', input: 'Hello' }],
      ['/v1/messages', { model: 'gpt-4o-mini', messages, max_tokens: 5 }],
      ['/v1/messages/count_tokens', { model: 'gpt-4o-mini', messages }],
      ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'Hello' }],
      ['/v1/engines/text-embedding-3-small/embeddings', { input: 'Hello' }],
      ['/v1/moderations', { model: 'gpt-4o-mini', input: 'Hello' }],
      ['/v1/rerank', { model: 'gpt-4o-mini', query: 'a', documents: ['b'] }],
      ['/v1/images/generations', { model: 'dall-e-3', prompt: 'Hello' }],
      ['/v1/audio/speech', { model: 'tts-1', input: 'Hello', voice: 'alloy' }],
      ['/v1beta/models/gemini-2.0-flash:generateContent', { contents: [{ parts: [{ text: 'Hello' }] }] }],
      ['/v1beta/models/gemini-2.0-flash:streamGenerateContent', { contents: [{ parts: [{ text: 'Hello' }] }] }],
      ['/v1beta/models/text-embedding-3-small:embedContent', { content: { parts: [{ text: 'Hello' }] } }],
      ['/v1beta/openai/chat/completions', { model: 'gpt-4o-mini', messages }],
      ['/pg/chat/completions', { model: 'gpt-4o-mini', messages }],
      ['/v1/files', {}],
      ['/v1/batches', { model: 'gpt-4o-mini' }],
      ['/v1/realtime', {}],
    ]
    for (const [path, body] of doors) {
      for (const key of ['', banned.key, narrow.key, poor.key]) {
        // Counting is free, so an empty balance does not stop it.
        if (key === poor.key && path.endsWith('count_tokens')) continue
        const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}`, 'x-api-key': key }
        const { status } = await send('POST', weir.url + path, { headers, body })
        expect(status, `${path} with ${key === '' ? 'no key' : key.slice(0, 8)}`).toBeGreaterThanOrEqual(400)
      }
    }
    expect(weir.upstream.requests.map(({ path }) => path)).toEqual([])
  })

  it('D6: usage that cannot be is bounded by what the request could have used', async () => {
    await weir.addChannel()
    // What is believed is generous, for tokens that only the provider sees; ten million is not.
    const most = weir.due({ prompt: 32_768, completion: 32_768 })
    for (const [prompt_tokens, completion_tokens] of [
      ...[
        [0, 0],
        [-5, -5],
        [-1e9, 3],
        [1e7, 1e7],
        [2 ** 53, 1],
        [1e308, 1e308],
      ],
      ...[
        [3.7, 2.2],
        ['9', '9'],
        [null, null],
        [true, {}],
      ],
    ] as [number, number][]) {
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply(chatReply('Hello', { prompt_tokens, completion_tokens }))
      expect((await ada.chat({ max_tokens: 20 })).status).toBe(200)
      const { quota, used_quota } = await ada.balances()
      const said = `${String(prompt_tokens)} and ${String(completion_tokens)}`
      expect(quota, said).toBeLessThan(1_000_000)
      expect(1_000_000 - quota, said).toBeLessThanOrEqual(most)
      expect(used_quota, said).toBe(1_000_000 - quota)
      const [row] = await ada.logs()
      const { usage_clamped, reported_tokens } = JSON.parse(row!.other)
      const absurd = prompt_tokens >= 1e7
      expect(usage_clamped ?? false, said).toBe(absurd)
      expect(reported_tokens ?? 0, said).toBeGreaterThanOrEqual(absurd ? 1e7 : 0)
    }
    expect(await books()).toMatchObject({ ok: true, open_holds: 0 })
  })

  it('D7: nobody is rewarded for inviting themselves, in circles, or once they are gone', async () => {
    await weir.set('QuotaForInviter', 1000)
    const ada = await weir.addVisitor()
    const code = await ada.client.users.aff()
    const register = (username: string, aff_code: string) =>
      weir.visitor().send('POST', '/api/user/register', { body: { username, password: 'long enough', aff_code } })
    expect((await register('circle', code)).json.success).toBe(true)
    const earned = async () => (await weir.gateway.ports.storage.users.find(ada.user.id))!.aff_quota
    expect(await earned()).toBe(1000)
    const circle = weir.visitor()
    await circle.login('circle', 'long enough')
    for (const [who, aff_code] of [
      [ada, code],
      [ada, await circle.client.users.aff()],
    ] as const) {
      for (const body of [{ aff_code }, { inviter_id: 1, aff_code }]) {
        await who.send('PUT', '/api/user/self', { body: { display_name: 'x', ...body } })
        await who.send('POST', '/api/oauth/state', { body: { aff: aff_code } })
      }
    }
    expect(await earned()).toBe(1000)
    expect((await weir.gateway.ports.storage.users.find(ada.user.id))!.inviter_id).toBe(0)
    await weir.root.client.users.manage({ id: ada.user.id, action: 'delete' })
    expect((await register('late', code)).json.success).toBe(true)
    expect((await weir.gateway.ports.storage.users.findByLogin('late'))!.user.inviter_id).toBe(0)
    expect(await earned()).toBe(1000)
  })

  it('D8: a model without a price is not served, and never for nothing', async () => {
    await weir.addChannel({ models: 'no-price' })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect((await ada.chat({ model: 'no-price' })).status).toBeGreaterThanOrEqual(400)
    expect(weir.upstream.requests).toHaveLength(0)
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    await session.client.users.setting({
      ...{ notify_type: 'email', quota_warning_threshold: 1, accept_unset_model_ratio_model: true },
    })
    expect((await ada.chat({ model: 'no-price' })).status).toBe(200)
    expect((await ada.balances()).quota).toBeLessThanOrEqual(1_000_000 - Math.round(37.5 * 3))
  })
})
