// The letter of the specification about states, passwords, quotas and routing: what is refused, and with which sentence.
import { expect, it } from 'vitest'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { useMailServer } from '../support/mail-server.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const quota = 1_000_000
const usage = { prompt_tokens: 10, completion_tokens: 10 }

describeWithGateway('a status', (weir) => {
  it('3 of a channel is never set by hand, and is kept by a whole form', async () => {
    const channel = await weir.addChannel()
    const put = async (body: object) => (await weir.root.send('PUT', '/api/channel/', { body })).json
    expect(await put({ id: channel.id, status: 3 })).toMatchObject({ code: 'status.unknown', field: 'status' })
    const batch = { ids: [channel.id], status: 3 }
    const { json } = await weir.root.send('POST', '/api/channel/batch/status', { body: batch })
    expect(json).toMatchObject({ success: false, code: 'status.unknown' })
    for (const status of [2, 1]) expect((await put({ id: channel.id, status })).data.status).toBe(status)
    await weir.gateway.ports.storage.channels.update(channel.id, { status: 3 })
    const row = await weir.root.client.channels.get({ id: channel.id })
    expect((await put({ ...row, remark: undefined, weight: 5 })).data).toMatchObject({ status: 3, weight: 5 })
  })

  it('3 and 4 of a token, and 3 of a code, are not set by hand', async () => {
    const ada = await weir.addVisitor()
    const { id } = await ada.client.tokens.create({ name: 'n' })
    for (const status of [0, 3, 4]) {
      const { json } = await ada.send('PUT', '/api/token/?status_only=true', { body: { id, status } })
      expect(json.code, String(status)).toBe('status.unknown')
    }
    const [code] = (await weir.root.client.redemptions.create({ name: 'three' })).codes
    const body = { id: code!.id, status: 3 }
    expect((await weir.root.send('PUT', '/api/redemption/?status_only=true', { body })).json.code).toBe(
      'status.unknown',
    )
  })

  it('of a disabled code lets nothing of it be edited', async () => {
    const [code] = (await weir.root.client.redemptions.create({ name: 'off', quota: 5 })).codes
    const { id } = code!
    const put = async (body: object, query = '') =>
      (await weir.root.send('PUT', `/api/redemption/${query}`, { body: { id, ...body } })).json
    expect((await put({ status: 2 }, '?status_only=true')).data.status).toBe(2)
    for (const body of [{ name: 'changed' }, { quota: 9 }, { name: 'off', quota: 5 }, { status: 1 }]) {
      expect(await put(body), JSON.stringify(body)).toMatchObject({ success: false, code: 'redemption.disabled' })
    }
    expect(await weir.root.client.redemptions.get({ id })).toMatchObject({ name: 'off', quota: 5, status: 2 })
    expect((await put({ status: 1 }, '?status_only=true')).data.status).toBe(1)
    expect((await put({ name: 'changed' })).data.name).toBe('changed')
  })
})

describeWithGateway('an account', (weir) => {
  it('whose old password comes without a new one is not changed', async () => {
    const ada = await weir.addVisitor()
    const put = async (body: object) => (await ada.send('PUT', '/api/user/self', { body })).json
    for (const fresh of [{ password: '' }, { password: null }, {}]) {
      const body = { display_name: 'Changed', original_password: ada.password, ...fresh }
      expect(await put(body), JSON.stringify(fresh)).toMatchObject({
        ...{ success: false, code: 'user.new_password', message: 'Enter a new password', field: 'password' },
      })
    }
    expect((await ada.client.users.self()).display_name).not.toBe('Changed')
    expect((await put({ display_name: 'Changed', password: '', original_password: '' })).success).toBe(true)
    // In an administrator's edit, empty means unchanged.
    const edit = { id: ada.user.id, display_name: 'By root', password: '' }
    expect((await weir.root.send('PUT', '/api/user/', { body: edit })).json.success).toBe(true)
    const login = { username: ada.user.username, password: ada.password }
    expect((await weir.visitor().send('POST', '/api/user/login', { body: login })).json.success).toBe(true)
  })

  it('makes tokens of 500,000 unless it says otherwise', async () => {
    const ada = await weir.addVisitor()
    const make = async (body: object) => (await ada.send('POST', '/api/token/', { body: { name: 'n', ...body } })).json
    for (const body of [{}, { remain_quota: null }]) expect((await make(body)).data.remain_quota).toBe(500_000)
    expect((await make({ remain_quota: 0 })).data.remain_quota).toBe(0)
    expect((await weir.root.client.tokens.createOf({ user_id: ada.user.id, name: 'n' })).remain_quota).toBe(500_000)
  })

  it('gets links to where Weir listens while no address is set, whatever the request calls it', async () => {
    const server = await useMailServer(weir)
    await weir.set('ServerAddress', '')
    await weir.addUser({ patch: { email: 'link@example.com' } })
    const headers = {
      ...{ 'new-api-user': '-1', host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      ...{ origin: 'https://evil.example', forwarded: 'host=evil.example' },
    }
    await send('GET', `${weir.url}/api/reset_password?email=link@example.com`, { headers })
    const [mail] = await eventually(
      async () => server.mails,
      (mails) => mails.length > 0,
    )
    expect(mail!.text).toContain(`${new URL(weir.url).origin}/user/reset?`)
    expect(mail!.text).not.toContain('evil')
    await server.close()
  })
})

describeWithGateway('a test of a channel', (weir) => {
  it('for drawings and music says that such a type cannot be tested', async () => {
    for (const type of [2, 5, 36]) {
      const { id } = await weir.addChannel({ type, models: 'mj_imagine', base_url: 'https://drawings.example' })
      const sentence = {
        success: false,
        code: 'channel.test_unsupported',
        message: 'This channel type cannot be tested',
      }
      expect((await weir.root.send('GET', `/api/channel/test/${id}`)).json, String(type)).toMatchObject(sentence)
      const headers = { 'accept-language': 'zh-CN' }
      const { json } = await weir.root.send('GET', `/api/channel/test/${id}`, { headers })
      expect(json.message).toBe('该类型渠道不支持测试')
      const body = { type, name: 'n', key: 'k', models: 'm', base_url: 'https://drawings.example' }
      expect((await weir.root.send('POST', '/api/channel/try', { body })).json, String(type)).toMatchObject(sentence)
      expect(await weir.root.client.channels.get({ id })).toMatchObject({ test_time: 0 })
    }
    expect(weir.upstream.requests).toEqual([])
  })
})

describeWithGateway('a call', (weir) => {
  const post = (key: string, path: string, body: object | string) =>
    send('POST', `${weir.url}${path}`, { headers: { authorization: `Bearer ${key}` }, body })
  const messages = [{ role: 'user', content: 'Hello '.repeat(300) }]

  it('whose prompt is longer than every channel takes is refused with 400', async () => {
    await weir.addChannel({ max_input_tokens: 50 })
    await weir.addChannel({ max_input_tokens: 100 })
    const ada = await weir.addCaller({ quota })
    const long = await post(ada.key, '/v1/chat/completions', { model: weir.model, messages })
    expect(long.status).toBe(400)
    expect(long.json.error).toMatchObject({ code: 'context_length_exceeded' })
    expect(long.json.error.message).toMatch(/^The prompt has about \d+ tokens.* accept at most 100: shorten it/)
    expect((await post(ada.key, '/v1/messages', { model: weir.model, max_tokens: 5, messages })).status).toBe(400)
    expect(weir.upstream.requests).toEqual([])
    expect((await weir.root.client.users.get({ id: ada.user.id })).quota).toBe(quota)
    // A channel that takes it serves it; and a model whose channels are only switched off is not found there.
    await weir.addChannel({ max_input_tokens: 100_000 })
    weir.upstream.reply(chatReply('Hello', usage))
    expect((await post(ada.key, '/v1/chat/completions', { model: weir.model, messages })).status).toBe(200)
  })

  it('passes through unchanged, without mapping, where the operator passes all requests through', async () => {
    await weir.addChannel({ model_mapping: `{"${weir.model}":"theirs"}`, param_override: '{"temperature":0}' })
    await weir.set('global.pass_through_request_enabled', true)
    const ada = await weir.addCaller({ quota })
    const body = `{ "messages":[{"role":"user","content":"Hi"}],  "model": "${weir.model}", "odd": 1.50 }`
    weir.upstream.reply(chatReply('Hello', usage))
    expect((await post(ada.key, '/v1/chat/completions', body)).status).toBe(200)
    expect(Buffer.from(weir.upstream.requests.at(-1)!.body).toString()).toBe(body)
  })

  it('to OpenRouter names the site by its address and its name', async () => {
    await weir.set('SystemName', 'My Site')
    await weir.addChannel({ type: 20 })
    const ada = await weir.addCaller({ quota })
    const sent = async (path: string, body: object) => {
      weir.upstream.reply(chatReply('Hello', usage))
      await post(ada.key, path, { model: weir.model, messages: [{ role: 'user', content: 'Hi' }], ...body })
      const { headers } = weir.upstream.requests.at(-1)!
      return [headers['http-referer'], headers['x-title']]
    }
    expect(await sent('/v1/chat/completions', {})).toEqual([undefined, 'My Site'])
    await weir.set('ServerAddress', 'https://weir.example')
    expect(await sent('/v1/chat/completions', {})).toEqual(['https://weir.example', 'My Site'])
    expect(await sent('/v1/messages', { max_tokens: 5 })).toEqual(['https://weir.example', 'My Site'])
  })
})

describeWithGateway('a provider', (weir) => {
  it('of type 8 tells its balance as OpenAI does, at the server of the full URL', async () => {
    const base_url = `${weir.upstream.url}/v1/chat/completions`
    const { id } = await weir.addChannel({ type: 8, base_url })
    weir.upstream.reply(({ path }) => ({
      body: path.includes('subscription') ? { hard_limit_usd: 20 } : { total_usage: 500 },
    }))
    const { json } = await weir.root.send('GET', `/api/channel/update_balance/${id}/`)
    expect(json).toMatchObject({ success: true, balance: 15 })
    expect(weir.upstream.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      '/v1/dashboard/billing/subscription',
      '/v1/dashboard/billing/usage',
    ])
  })

  it('of type 40 makes images', async () => {
    await weir.addChannel({ type: 40, models: 'Kwai-Kolors/Kolors' })
    await weir.set('ModelPrice', { 'Kwai-Kolors/Kolors': 0.01 })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ body: { created: 1, data: [{ url: 'https://files.example/1.png' }] } })
    const headers = { authorization: `Bearer ${ada.key}` }
    const body = { model: 'Kwai-Kolors/Kolors', prompt: 'a hat' }
    const answer = await send('POST', `${weir.url}/v1/images/generations`, { headers, body })
    expect([answer.status, answer.json.data]).toEqual([200, [{ url: 'https://files.example/1.png' }]])
    expect(weir.upstream.requests.at(-1)!.path).toMatch(/\/v1\/images\/generations$/)
  })
})

describeWithGateway('a name', (weir) => {
  it('has no control, direction or zero-width characters, whatever it names; joiners inside a word or an emoji stay', async () => {
    const ada = await weir.addVisitor()
    const [code] = (await weir.root.client.redemptions.create({ name: 'code' })).codes
    const channel = { type: 1, key: 'k', models: 'm' }
    const makers: [string, (name: string) => Promise<{ json: { success: boolean } }>][] = [
      ['token', (name) => ada.send('POST', '/api/token/', { body: { name } })],
      ['channel', (name) => weir.root.send('POST', '/api/channel/', { body: { ...channel, name } })],
      ['tag', (tag) => weir.root.send('POST', '/api/channel/', { body: { ...channel, name: 'n', tag } })],
      ['code', (name) => weir.root.send('POST', '/api/redemption/', { body: { name } })],
      ['changed code', (name) => weir.root.send('PUT', '/api/redemption/', { body: { id: code!.id, name } })],
      ['group', (name) => weir.root.send('PUT', '/api/group/', { body: { name } })],
      ['team', (name) => weir.root.send('POST', '/api/team/', { body: { name } })],
      ['display name', (display_name) => ada.send('PUT', '/api/user/self', { body: { display_name } })],
      ['access token', (name) => ada.send('POST', '/api/user/access_tokens', { body: { name } })],
    ]
    const hidden = [
      'a\u0007b',
      'a\nb',
      'a\u202eb',
      'a\u2066b',
      'a\u200bb',
      'a\u2060b',
      'a\ufeffb',
      'a\u00adb',
      'x \u200d y',
      'a\u3164b',
    ]
    const visible = ['Zoë', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '👩\u200d💻 dev', '名称']
    for (const [kind, make] of makers) {
      for (const name of hidden) expect((await make(name)).json.success, `${kind} ${escape(name)}`).toBe(false)
      for (const name of visible) expect((await make(name)).json, `${kind} ${name}`).toMatchObject({ success: true })
    }
  })
})
