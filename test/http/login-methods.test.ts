// Signing in through other services: a real OpenID Connect provider, and faithful stand-ins for WeChat and Telegram.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { freshDatabase } from '../support/postgres.ts'
import type { Visitor } from '../support/server.ts'

const CLIENT = { client_id: 'weir', client_secret: 'the secret of the client' }
const SERVER = 'https://weir.example'
const anybody = { headers: { 'new-api-user': '-1' } }

interface RunningProvider {
  url: string
  close(): Promise<void>
}

/** A real provider, where whoever asks is `login`. */
async function startProvider(login: () => string): Promise<RunningProvider> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirect_uris = ['oidc', 'acme'].map((id) => `${SERVER}/oauth/${id}`)
  const provider = new Provider(url, {
    clients: [{ ...CLIENT, redirect_uris, token_endpoint_auth_method: 'client_secret_post' }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: false,
    pkce: { required: () => false },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({
        ...{ sub: id, email: `${id}@example.com`, email_verified: true },
        ...{ name: `The ${id}`, preferred_username: id },
      }),
    }),
  })
  const callback = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    void (async () => {
      const accountId = login()
      const { params } = await provider.interactionDetails(request, response)
      const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
      grant.addOIDCScope(String(params.scope))
      const result = { login: { accountId }, consent: { grantId: await grant.save() } }
      await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
    })()
  })
  return {
    url,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A browser at the provider: follows it until it sends the browser back to us. */
async function approve(start: string): Promise<{ code: string; state: string }> {
  const jar = new Map<string, string>()
  for (let url = start; ;) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`the provider answered ${reply.status}: ${await reply.text()}`)
    const next = new URL(location, url)
    if (next.origin === SERVER) {
      return { code: next.searchParams.get('code') ?? '', state: next.searchParams.get('state') ?? '' }
    }
    url = next.href
  }
}

describe.each(['sqlite', 'postgres'] as const)('signing in elsewhere on %s', (kind) => {
  let weir: TestGateway & { clean(): Promise<void> }
  let provider: RunningProvider
  let who = 'ada'
  beforeAll(async () => {
    provider = await startProvider(() => who)
    weir = await openTestGateway(kind === 'postgres' ? { database: await freshDatabase() } : {})
    const values = {
      ServerAddress: SERVER,
      AllowedNetworks: ['127.0.0.0/8'],
      'oidc.client_id': CLIENT.client_id,
      'oidc.client_secret': CLIENT.client_secret,
      'oidc.well_known': `${provider.url}/.well-known/openid-configuration`,
      'oidc.enabled': true,
    }
    for (const [key, value] of Object.entries(values)) await weir.set(key, value)
  })
  afterAll(async () => {
    await weir.close()
    await provider.close()
  })

  const start = async (visitor: Visitor, type = 'oidc', aff = '') =>
    (await visitor.client.auth.oauthStart({ type, aff })).url
  const back = async (visitor: Visitor, given: { code: string; state: string }, type = 'oidc') =>
    (await visitor.send('GET', `/api/oauth/${type}?${new URLSearchParams(given)}`, anybody)).json

  it('OIDC registers at the first time, with the invitation kept, and signs in after it', async () => {
    const inviter = await weir.addVisitor()
    const visitor = weir.visitor()
    const url = await start(visitor, 'oidc', await inviter.client.users.aff())
    expect(url).toMatch(/code_challenge_method=S256/)
    expect(url).toMatch(/nonce=\w{64}/)
    const first = await back(visitor, await approve(url))
    expect(first).toMatchObject({
      success: true,
      message: '',
      data: { username: 'ada', display_name: 'The ada', role: 1 },
    })
    const again = weir.visitor()
    const second = await back(again, await approve(await start(again)))
    expect(second.data.id).toBe(first.data.id)
    const user = await weir.root.client.users.get({ id: first.data.id })
    expect(user).toMatchObject({ oidc_id: 'ada', email: 'ada@example.com', inviter_id: inviter.user.id })
    expect((await inviter.client.users.self()).aff_count).toBe(1)
  })

  it('OIDC works for a page that sends the browser off by itself', async () => {
    who = 'page'
    const visitor = weir.visitor()
    const state = (await visitor.send('GET', '/api/oauth/state?aff=', anybody)).json.data
    const asked = { redirect_uri: `${SERVER}/oauth/oidc`, response_type: 'code', scope: 'openid profile email', state }
    const query = new URLSearchParams({ client_id: CLIENT.client_id, ...asked })
    const given = await approve(`${provider.url}/auth?${query}`)
    expect(given.state).toBe(state)
    expect(await back(visitor, given)).toMatchObject({ success: true, data: { username: 'page' } })
  })

  it('a return is good once, in the browser that began, for what it was begun for', async () => {
    who = 'eve'
    const visitor = weir.visitor()
    const given = await approve(await start(visitor))
    expect((await back(weir.visitor(), given)).code).toBe('oauth.state')
    expect((await back(visitor, given)).code).toBe('oauth.state')
    for (const state of ['', 'nonsense']) expect((await back(visitor, { code: 'x', state })).code).toBe('oauth.state')

    const once = await approve(await start(visitor))
    expect((await back(visitor, once)).success).toBe(true)
    expect((await back(visitor, once)).success).toBe(false)

    // Begun to sign in, but somebody is signed in when it comes back: it must not bind.
    const other = weir.visitor()
    const begun = await approve(await start(other))
    const { user, password } = await weir.addUser()
    await other.login(user.username, password)
    const { json, status } = await other.send('GET', `/api/oauth/oidc?${new URLSearchParams(begun)}`)
    expect([status, json.code]).toEqual([403, 'oauth.state'])
    const tampered = weir.visitor()
    const { state } = await approve(await start(tampered))
    expect((await back(tampered, { code: 'made up', state })).code).toBe('oauth.token')
  })

  it('binds to who is signed in, once, and unbinds', async () => {
    who = 'bound'
    const ada = await weir.addVisitor()
    const bind = async (visitor: Visitor) => {
      const given = await approve(await start(visitor))
      return (await visitor.send('GET', `/api/oauth/oidc?${new URLSearchParams(given)}`)).json
    }
    expect(await bind(ada)).toMatchObject({ success: true, message: 'bind', data: null })
    expect((await ada.client.users.self()).oidc_id).toBe('bound')
    const bob = await weir.addVisitor()
    expect((await bind(bob)).code).toBe('oauth.taken')
    const visitor = weir.visitor()
    expect((await back(visitor, await approve(await start(visitor)))).data.id).toBe(ada.user.id)
    await ada.client.auth.unbind({ provider: 'oidc' })
    expect((await ada.client.users.self()).oidc_id).toBe('')
    expect((await ada.send('DELETE', '/api/user/bindings/oidc')).json.code).toBe('oauth.unbound')
  })

  it('lets nobody in who is banned, or while it is off or registration is closed', async () => {
    who = 'banned'
    const enter = async () => {
      const visitor = weir.visitor()
      return back(visitor, await approve(await start(visitor)))
    }
    const { data } = await enter()
    await weir.changeUser(data.id, { status: 2 })
    expect((await enter()).code).toBe('access.banned')
    who = 'late'
    await weir.set('RegisterEnabled', false)
    expect((await enter()).code).toBe('register.closed')
    await weir.set('RegisterEnabled', true)
    await weir.set('oidc.enabled', false)
    expect((await weir.visitor().send('POST', '/api/oauth/oidc/start', { body: {} })).json.code).toBe('oauth.off')
    await weir.set('oidc.enabled', true)
  })

  it('reaches no private address unless the operator allows its network', async () => {
    await weir.set('AllowedNetworks', [])
    const { json } = await weir.visitor().send('POST', '/api/oauth/oidc/start', { body: {} })
    expect(json.code).toBe('oauth.unreachable')
    await weir.set('AllowedNetworks', ['127.0.0.0/8'])
  })

  it('works with a provider of the operator, whose secret is never read', async () => {
    who = 'acme'
    const { client } = weir.root
    const fields = { name: 'Acme', well_known: `${provider.url}/.well-known/openid-configuration`, ...CLIENT }
    await client.auth.providerCreate({ id: 'acme', ...fields })
    const twice = await weir.root.send('POST', '/api/login_provider/', { body: { id: 'acme', ...fields } })
    expect(twice.json.code).toBe('provider.taken')
    const reserved = await weir.root.send('POST', '/api/login_provider/', { body: { ...fields, id: 'github' } })
    expect(reserved.json.code).toBe('request.invalid')
    expect(await weir.visitor().client.auth.providers()).toEqual([{ id: 'acme', name: 'Acme' }])
    expect(JSON.stringify(await client.auth.providerList())).not.toContain(CLIENT.client_secret)
    const visitor = weir.visitor()
    const entered = await back(visitor, await approve(await start(visitor, 'acme')), 'acme')
    expect(entered).toMatchObject({ success: true, data: { username: 'acme' } })
    await client.auth.providerDelete({ provider_id: 'acme' })
    expect((await weir.visitor().send('POST', '/api/oauth/acme/start', { body: {} })).json.code).toBe(
      'provider.missing',
    )
  })

  it('WeChat: whose code it is, its helper server says', async () => {
    const seen: { url: string; token: string }[] = []
    const helper = createServer((request, response) => {
      seen.push({ url: request.url ?? '', token: request.headers.authorization ?? '' })
      const known = request.url === '/api/wechat/user?code=1234'
      response.end(JSON.stringify(known ? { success: true, data: 'wx-1' } : { success: false, message: 'no' }))
    })
    await new Promise<void>((resolve) => helper.listen(0, '127.0.0.1', resolve))
    await weir.set('WeChatServerAddress', `http://127.0.0.1:${(helper.address() as AddressInfo).port}`)
    await weir.set('WeChatServerToken', 'helper token')
    await weir.set('WeChatAuthEnabled', true)
    const enter = async (code: string) =>
      (await weir.visitor().send('GET', `/api/oauth/wechat?code=${encodeURIComponent(code)}`, anybody)).json
    expect((await enter('9999')).code).toBe('verification.wrong')
    expect((await enter('1&x=/../')).code).toBe('verification.wrong')
    const { data } = await enter('1234')
    expect((await weir.root.client.users.get({ id: data.id })).wechat_id).toBe('wx-1')
    expect((await enter('1234')).data.id).toBe(data.id)
    expect(seen.every(({ token }) => token === 'helper token')).toBe(true)
    expect(seen[1]?.url).toBe('/api/wechat/user?code=1%26x%3D%2F..%2F')
    const ada = await weir.addVisitor()
    expect((await ada.send('GET', '/api/oauth/wechat/bind?code=1234')).json.code).toBe('oauth.taken')
    helper.close()
  })

  it('Telegram: only what its bot signed lately, and only bound accounts', async () => {
    await weir.set('TelegramBotToken', '123:token')
    await weir.set('TelegramOAuthEnabled', true)
    const signed = (fields: Record<string, string>, token = '123:token') => {
      const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
      const key = createHash('sha256').update(token).digest()
      const hash = createHmac('sha256', key).update(text.sort().join('\n')).digest('hex')
      return new URLSearchParams({ ...fields, hash, lang: 'en' }).toString()
    }
    const now = Math.floor(Date.now() / 1000)
    const fields = { id: '42', first_name: 'Ada', auth_date: String(now) }
    const enter = async (query: string) =>
      (await weir.visitor().send('GET', `/api/oauth/telegram/login?${query}`, anybody)).json
    expect((await enter(signed(fields))).code).toBe('oauth.unbound')
    const ada = await weir.addVisitor()
    const bind = (query: string, headers: Record<string, string> = {}) =>
      ada.send('GET', `/api/oauth/telegram/bind?${query}`, { headers })
    for (const query of [
      signed({ ...fields, auth_date: String(now - 3600) }),
      signed({ ...fields, auth_date: String(now + 3600) }),
      signed(fields, '123:other'),
      signed(fields).replace('id=42', 'id=43'),
      signed(fields).replace(/hash=\w+/, 'hash='),
    ]) {
      expect((await enter(query)).code).toBe('oauth.refused')
      expect((await bind(query)).json.code).toBe('oauth.refused')
    }
    // The widget takes the browser there itself; no page of another site may.
    const byWidget = { 'new-api-user': '', 'sec-fetch-site': 'cross-site' }
    expect((await bind(signed(fields), byWidget)).json.code).toBe('access.header_required')
    const done = await bind(signed(fields), { ...byWidget, 'sec-fetch-site': 'same-origin' })
    expect([done.status, done.headers.location]).toEqual([302, '/setting'])
    expect((await enter(signed(fields))).data.id).toBe(ada.user.id)
    await weir.changeUser(ada.user.id, { status: 2 })
    expect((await enter(signed(fields))).code).toBe('access.banned')
  })
})
