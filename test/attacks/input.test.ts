// Attacks by input. The rows are named by their id in the list of attacks.
import { expect, it } from 'vitest'
import { FileDownload, EventStream } from '../../core/contract/replies.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send } from '../support/server.ts'
import { runsAllTests, sampleCases } from '../support/suite.ts'
import { chatReply } from '../support/upstream.ts'

const INJECTIONS = [
  "' or '1'='1' --",
  "'; drop table users; --",
  '1); select pg_sleep(5); --',
  '" union select password_hash from users --',
  "\\'; vacuum; --",
  '$1',
  '?',
  "1' and (select count(*) from users) > 0 and '1'='1",
]
const filled = (path: string) => path.replace(/\{\w+\}/g, '1')

describeWithOwnGateway('what is sent', (weir) => {
  it('B1: SQL in a query field finds what any unknown word finds', { timeout: 120_000 }, async () => {
    const reads = [...endpointsByName].filter(([, { method, query, changes }]) => method === 'GET' && query && !changes)
    let asked = 0
    for (const [name, { path, query }] of reads) {
      for (const field of Object.keys(query!.shape)) {
        const answer = async (text: string) => {
          const {
            status,
            json,
            text: body,
          } = await weir.root.send('GET', `${filled(path)}?${field}=${encodeURIComponent(text)}`)
          return { status, code: json?.code, data: json?.data ?? body }
        }
        const harmless = await answer('an unknown word')
        expect([200, 401], name).toContain(harmless.status)
        for (const injection of runsAllTests ? INJECTIONS.slice(0, 3) : [INJECTIONS[asked % 3]!]) {
          const seen = await answer(injection)
          // What is asked for is named back by the explanation of a route.
          // A checkpoint names the second in which it was made.
          if (name === 'channels.route' || name === 'quota.checkpoint') expect(seen.status).toBe(200)
          else expect(seen, `${name} ${field}=${injection}`).toEqual(harmless)
          asked++
        }
      }
    }
    expect(asked).toBeGreaterThan(runsAllTests ? 250 : 80)
    expect((await weir.root.client.users.list()).items.length).toBeGreaterThan(0)
  })

  it('B1: SQL instead of a key is a key that nobody has, at every door', { timeout: 120_000 }, async () => {
    for (const injection of sampleCases(INJECTIONS, 3)) {
      for (const name of ['authorization', 'x-api-key', 'x-goog-api-key', 'mj-api-secret', 'cookie', 'new-api-user']) {
        for (const path of ['/api/user/self', '/v1/models', '/v1/models/none', '/v1beta/models', '/api/nothing']) {
          const value = name === 'cookie' ? `weir_session=${injection.replaceAll(';', '')}` : `Bearer ${injection}`
          const { status, json } = await send('GET', weir.url + path, { headers: { [name]: value } })
          expect([401, 404, 200], `${name} ${path} ${injection}`).toContain(status)
          if (status === 200) expect(json.code, `${name} ${path}`).toBe('access.token_invalid')
        }
      }
    }
  })

  it('B2: % and _ are letters in every search, and a long text is only a text', async () => {
    const ada = await weir.addVisitor()
    await ada.client.tokens.create({ name: 'plain' })
    await weir.addChannel({ name: 'plain' })
    await weir.root.client.redemptions.create({ name: 'plain', quota: 1 })
    await weir.root.client.users.update({ id: ada.user.id, display_name: 'plain' })
    const found = async (keyword: string) => {
      const { users, channels, redemptions } = weir.root.client
      return [
        (await ada.client.tokens.search({ keyword })).total,
        (await channels.search({ keyword })).length,
        (await redemptions.search({ keyword })).items.length,
        (await users.search({ keyword })).items.length,
      ]
    }
    expect(await found('plain')).toEqual([1, 1, 1, 1])
    for (const pattern of ['pl_in', 'p%n', '%', '_', 'pla\\in', '[p]lain', '%'.repeat(2000), 'a%'.repeat(2000)]) {
      expect(await found(pattern), pattern.slice(0, 20)).toEqual([0, 0, 0, 0])
    }
    for (const model of ['pl%', '%', '_'.repeat(3000)]) {
      expect(await weir.root.client.channels.search({ model }), model.slice(0, 20)).toEqual([])
    }
  })

  it('B3: nothing is answered as a page that could run, and the console runs its own scripts alone', async () => {
    const script = '<script>alert(1)</script><svg onload=alert(1)>'
    for (const key of ['Notice', 'About', 'HomePageContent', 'Footer', 'SystemName']) await weir.set(key, script)
    await weir.set('Logo', `https://weir.example/${script}`)
    await weir.addChannel({ name: script })
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: script.slice(0, 30) } })
    weir.upstream.reply({
      ...chatReply(script, { prompt_tokens: 3, completion_tokens: 2 }),
      headers: { 'content-type': 'text/html' },
    })
    const relayed = await ada.chat()
    expect(relayed.status).toBe(200)
    expect(relayed.headers['content-type']).toContain('application/json')
    for (const [name, { method, path, reply, changes }] of endpointsByName) {
      if (method !== 'GET' || changes) continue
      const { headers, text } = await weir.root.send('GET', filled(path))
      const type = String(headers['content-type'])
      const wanted = reply === EventStream ? /^text\/event-stream/ : /^application\/json/
      expect(type, name).toMatch(reply === FileDownload ? /^(text\/csv|application\/)/ : wanted)
      expect(headers['x-content-type-options'], name).toBe('nosniff')
      if (reply === FileDownload) expect(headers['content-disposition'], name).toMatch(/^attachment/)
      if (text.includes('<script>')) expect(headers['content-security-policy'], name).toContain("default-src 'self'")
    }
    const policy = String((await send('GET', `${weir.url}/`)).headers['content-security-policy'])
    const scripts = /script-src ([^;]*)|default-src ([^;]*)/.exec(policy)
    expect(scripts?.[1] ?? scripts?.[2]).not.toMatch(/unsafe|\*|data:/)
    expect(policy).toMatch(/object-src 'none'/)
    expect(policy).toMatch(/base-uri 'self'/)
  })

  it('B4: templates are only text', async () => {
    for (const text of ['{method}', '{{7*7}}', '${7*7}', '<%= 7*7 %>', '#{7*7}', '$&', '$1', '%s', '{path}{path}']) {
      const path = `/api/${encodeURIComponent(text)}`
      const { json } = await weir.root.send('GET', path)
      expect(json.message, text).toBe(`Invalid URL (GET ${path})`)
      const named = await weir.root.send('PUT', '/api/option/', { body: { key: text, value: 'x' } })
      expect(named.json.message, text).toContain(text)
      const ada = await weir.addVisitor()
      await ada.client.users.updateSelf({ display_name: text })
      expect((await ada.client.users.self()).display_name).toBe(text)
      const token = await ada.client.tokens.create({ name: text })
      expect((await ada.client.tokens.get({ id: token.id })).name).toBe(text)
      await weir.set('SystemName', text)
      expect((await ada.client.site.status()).system_name).toBe(text)
    }
  })

  it('B5: numbers that are none, or too large, change no balance', { timeout: 120_000 }, async () => {
    await weir.addChannel()
    await weir.set('ServerAddress', 'https://weir.example')
    await weir.set('PayAddress', 'https://pay.example')
    await weir.set('EpayId', '1')
    await weir.set('EpayKey', 'k')
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const numbers: Json[] = [-1, -0.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, -1e308, '1', 'NaN', '1e5', null, [], {}, true]
    const before = await ada.balances()
    for (const number of sampleCases(numbers, 3)) {
      for (const field of [
        'n',
        'max_tokens',
        'max_completion_tokens',
        'top_k',
        'seed',
        'temperature',
        'top_logprobs',
      ]) {
        const { status } = await ada.chat({ [field]: number })
        expect(status, `${field} ${String(number)}`).toBeLessThan(500)
      }
      for (const path of ['/api/user/amount', '/api/user/pay', '/api/user/aff_transfer', '/api/user/topup']) {
        const body = { amount: number, quota: number, key: number, payment_method: 'zfb' }
        const { status, json } = await session.send('POST', path, { body })
        expect(status, `${path} ${String(number)}`).toBe(200)
        if (json.success && path === '/api/user/amount') expect(Number(json.data)).toBeGreaterThan(0)
      }
      for (const query of [`p=${String(number)}`, `page_size=${String(number)}`, `size=${String(number)}`]) {
        for (const path of ['/api/user/', '/api/channel/', '/api/token/', '/api/log/', '/api/mj/']) {
          const { status, json } = await weir.root.send('GET', `${path}?${query}`)
          expect(status, path + query).toBe(200)
          expect((json.data.items ?? json.data).length, path + query).toBeLessThanOrEqual(100)
        }
      }
      for (const body of [{ quota: number }, { count: number }, { quota: number, count: number }]) {
        const made = (await weir.root.send('POST', '/api/redemption/', { body: { name: 'n', ...body } })).json
        if (made.success) expect(made.data).toHaveLength(1)
      }
      for (const [key, value] of [
        ['ModelRatio', { m: number }],
        ['ModelPrice', { m: number }],
        ['GroupRatio', { default: number }],
        ['TopupGroupRatio', { default: number }],
      ] as const) {
        const { json } = await weir.root.send('PUT', '/api/option/', { body: { key, value: JSON.stringify(value) } })
        const fine = typeof number === 'number' && number >= 0 && Number.isFinite(number)
        if (!fine) expect(json.success, `${key} ${JSON.stringify(value)}`).toBe(false)
      }
      await weir.set('GroupRatio', '{"default":1,"vip":1}')
    }
    const after = await ada.balances()
    expect(after.quota).toBeLessThanOrEqual(before.quota)
    expect(after.used_quota).toBeGreaterThanOrEqual(before.used_quota)
    expect(Number.isSafeInteger(after.quota)).toBe(true)
    const books = await weir.gateway.client.quota.verify()
    expect(books).toMatchObject({ ok: true, open_holds: 0 })
    const changed = ['EpayKey', 'ModelRatio', 'ModelPrice', 'GroupRatio', 'TopupGroupRatio']
    await weir.gateway.client.settings.update({ options: changed.map((key) => ({ key, value: null })) })
  })

  it('B6: nothing that becomes a line of a request can begin another', async () => {
    const broken = 'one\r\nx-injected: yes'
    const channel = { name: 'c', key: 'k', models: 'm', base_url: weir.upstream.url }
    for (const fields of [
      ...[{ name: broken }, { openai_organization: broken }, { test_model: broken }, { tag: broken }],
      ...[{ models: broken }, { model_mapping: JSON.stringify({ m: broken }) }, { key: 'a\rb: c' }, { key: 'a\0b' }],
      ...[{ model_mapping: JSON.stringify({ [broken]: 'm' }) }, { base_url: `http://${broken}` }, { key: 'кey' }],
    ]) {
      const { json } = await weir.root.send('POST', '/api/channel/', { body: { ...channel, ...fields } })
      expect(json.success, JSON.stringify(fields)).toBe(false)
    }
    const [made] = await weir.root.client.channels.create(channel)
    for (const fields of [{ openai_organization: broken }, { key: 'a\rb' }, { models: broken }, { name: broken }]) {
      const { json } = await weir.root.send('PUT', '/api/channel/', { body: { id: made!.id, ...fields } })
      expect(json.success, JSON.stringify(fields)).toBe(false)
    }
    const headers = (table: Json) =>
      weir.root.send('PUT', '/api/option/', {
        body: { key: 'claude.model_headers_settings', value: JSON.stringify({ 'claude-x': table }) },
      })
    for (const name of [
      ...[
        'Host',
        'host',
        'Connection',
        'Keep-Alive',
        'TE',
        'Trailer',
        'Upgrade',
        'Transfer-Encoding',
        'Proxy-Authorization',
      ],
      ...[
        'Content-Length',
        'Content-Type',
        'Authorization',
        'X-Api-Key',
        'Cookie',
        'X-Forwarded-For',
        'Forwarded',
        'Via',
      ],
      ...['a b', 'a:b', 'a\r\nb', ''],
    ]) {
      expect((await headers({ [name]: ['x'] })).json.success, name).toBe(false)
    }
    expect((await headers({ 'anthropic-beta': [broken] })).json.success).toBe(false)
    expect((await headers({ 'anthropic-beta': ['a', 'b'] })).json.success).toBe(true)
    await weir.set('claude.model_headers_settings', '{}')
  })

  it('B9: text made to keep a regular expression busy is read like any other', { timeout: 120_000 }, async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 10_000_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const long = [
      ...['a'.repeat(100_000) + '!', '('.repeat(50_000), ' '.repeat(100_000) + 'x', '\\'.repeat(100_000)],
      ...['data:image/png;base64,'.repeat(5000), '-thinking'.repeat(10_000), '{{'.repeat(50_000), '<a '.repeat(30_000)],
      ...['\t\n'.repeat(50_000), '1e'.repeat(50_000), '@.'.repeat(50_000), '![]('.repeat(30_000)],
    ]
    for (const text of sampleCases(long, 3)) {
      const image = [{ type: 'image_url', image_url: { url: text } }]
      const said = await ada.chat({ messages: [{ role: 'user', content: text }] })
      expect(said.status, `${text.slice(0, 20)}: ${said.text.slice(0, 200)}`).toBe(200)
      expect((await ada.chat({ messages: [{ role: 'user', content: image }] })).status).toBeLessThan(500)
      expect((await ada.chat({ model: text })).status).toBeLessThan(504)
      for (const [path, body] of [
        ['/api/user/login', { username: text, password: text }],
        ['/api/token/', { name: text, allow_ips: text, model_limits: text, time_zone: text }],
        ['/api/channel/', { name: 'c', key: text, models: text, base_url: text, model_mapping: text }],
        ['/api/user/register', { username: text, email: text, password: text }],
      ] as const) {
        expect((await weir.root.send('POST', path, { body })).status, path).toBeLessThan(500)
      }
      for (const key of ['EmailDomainWhitelist', 'oidc.well_known', 'ServerAddress', 'SensitiveWords', 'Chats']) {
        await weir.root.send('PUT', '/api/option/', { body: { key, value: text } })
        await weir.gateway.client.settings.update({ key, value: null })
      }
    }
  })
})
