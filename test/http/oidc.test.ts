// Signing in with OpenID Connect: the provider of the specification and the operator's own, against a real provider that
// is honest, and one whose ID tokens are tampered with.
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { approve, forgeries, OIDC_CLIENT, startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import { listFailures } from '../support/list-failures.ts'
import type { Visitor } from '../support/server.ts'

const SERVER = 'https://weir.example'
const anybody = { headers: { 'new-api-user': '-1' } }

let provider: OidcProvider
beforeAll(async () => {
  provider = await startOidcProvider(['oidc', 'acme'].map((id) => `${SERVER}/oauth/${id}`))
})
afterAll(() => provider.close())

describeWithOwnGateway('signing in with OIDC', (weir) => {
  beforeEach(async () => {
    const values = {
      ServerAddress: SERVER,
      AllowedNetworks: ['127.0.0.0/8'],
      'oidc.client_id': OIDC_CLIENT.client_id,
      'oidc.client_secret': OIDC_CLIENT.client_secret,
      'oidc.well_known': provider.wellKnown,
      'oidc.enabled': true,
    }
    const options = Object.entries(values).map(([key, value]) => ({
      key,
      value: typeof value === 'object' ? JSON.stringify(value) : String(value),
    }))
    await weir.root.client.settings.update({ options })
    provider.forge(undefined)
  })

  const start = async (visitor: Visitor, type = 'oidc', aff = '') =>
    (await visitor.client.auth.oauthStart({ type, aff })).url
  const agreed = async (visitor: Visitor, type = 'oidc') => approve(await start(visitor, type), SERVER)
  const back = async (visitor: Visitor, given: { code: string; state: string }, type = 'oidc') =>
    (await visitor.send('GET', `/api/oauth/${type}?${new URLSearchParams(given)}`, anybody)).json
  const enter = async (type = 'oidc') => {
    const visitor = weir.visitor()
    return back(visitor, await agreed(visitor, type), type)
  }
  const names = async () => (await weir.root.client.users.list({ page_size: 100 })).items.map(({ oidc_id }) => oidc_id)

  it('registers at the first time, with the invitation kept, and signs in after it', async () => {
    provider.login('ada')
    const inviter = await weir.addVisitor()
    const visitor = weir.visitor()
    const url = await start(visitor, 'oidc', await inviter.client.users.aff())
    expect(url).toMatch(/code_challenge_method=S256/)
    expect(url).toMatch(/nonce=\w{64}/)
    const first = await back(visitor, await approve(url, SERVER))
    expect(first).toMatchObject({
      success: true,
      message: '',
      data: { username: 'ada', display_name: 'The ada', role: 1 },
    })
    expect(provider.redeemed.at(-1)?.get('code_verifier')).toMatch(/^\w{64}$/)
    expect((await enter()).data.id).toBe(first.data.id)
    const user = await weir.root.client.users.get({ id: first.data.id })
    expect(user).toMatchObject({ oidc_id: 'ada', email: 'ada@example.com', inviter_id: inviter.user.id })
    expect((await inviter.client.users.self()).aff_count).toBe(1)
  })

  it('takes no address that the provider has not checked, nor one that is somebody else’s', async () => {
    const owner = await weir.addUser({ patch: { email: 'taken@example.com' } })
    for (const who of ['unverified', 'taken']) {
      provider.login(who)
      const { data } = await enter()
      expect(data.id).not.toBe(owner.user.id)
      expect((await weir.root.client.users.get({ id: data.id })).email, who).toBe('')
    }
  })

  it('knows people letter by letter', async () => {
    // Written apart: composed, and with the accent as a letter of its own.
    const names = ['Zoe', 'zoe', 'zoe ', 'Zo', 'Zoe1', 'zo\u00eb', 'zoe\u0308', 'zoe\u200b']
    const ids: number[] = []
    for (const who of [...names, ...names]) {
      provider.login(who)
      ids.push((await enter()).data.id)
    }
    expect(new Set(ids).size).toBe(names.length)
    expect(ids.slice(names.length)).toEqual(ids.slice(0, names.length))
  })

  it('A8: refuses ids that no database keeps as they are, by whichever service', async () => {
    provider.login('half')
    const { data } = await enter()
    const before = await names()
    for (const sub of ['half\0', 'half\uD83D', '\uDE00half', 'ha\0lf', '\0']) {
      provider.forge((token, sign) => sign({ ...decodeJwt(token), sub }))
      expect(await enter(), JSON.stringify(sub)).toMatchObject({ success: false, code: 'oauth.subject' })
    }
    expect(await names()).toEqual(before)
    provider.forge(undefined)
    expect((await enter()).data.id).toBe(data.id)
  })

  it('works for a page that sends the browser off by itself', async () => {
    provider.login('page')
    const visitor = weir.visitor()
    const state = (await visitor.send('GET', '/api/oauth/state?aff=', anybody)).json.data
    const asked = { redirect_uri: `${SERVER}/oauth/oidc`, response_type: 'code', scope: 'openid profile email', state }
    const query = new URLSearchParams({ client_id: OIDC_CLIENT.client_id, ...asked })
    const given = await approve(`${provider.url}/auth?${query}`, SERVER)
    expect(given.state).toBe(state)
    expect(await back(visitor, given)).toMatchObject({ success: true, data: { username: 'page' } })
  })

  it('works without a discovery document: who somebody is, the provider itself is asked', async () => {
    provider.login('plain')
    const endpoints = { authorization_endpoint: 'auth', token_endpoint: 'token', user_info_endpoint: 'me' }
    for (const [key, path] of Object.entries(endpoints)) await weir.set(`oidc.${key}`, `${provider.url}/${path}`)
    await weir.set('oidc.well_known', '')
    // It was forgotten with the address.
    await weir.set('oidc.client_secret', OIDC_CLIENT.client_secret)
    const { data } = await enter()
    expect(await weir.root.client.users.get({ id: data.id })).toMatchObject({
      oidc_id: 'plain',
      email: 'plain@example.com',
    })
    expect((await enter()).data.id).toBe(data.id)
    const visitor = weir.visitor()
    const { state } = await agreed(visitor)
    expect((await back(visitor, { code: 'made up', state })).code).toBe('oauth.token')
    await weir.set('oidc.client_secret', 'a wrong one')
    expect((await enter()).code).toBe('oauth.token')
    await weir.set('oidc.client_secret', OIDC_CLIENT.client_secret)
    await weir.set('oidc.user_info_endpoint', `${provider.url}/nowhere`)
    expect((await enter()).code).toBe('oauth.userinfo')
  })

  it('refuses every forged ID token, and knows nobody by it', async () => {
    provider.login('eve')
    const before = await names()
    const wrong = await listFailures(
      Object.entries(forgeries),
      ([what]) => what,
      async ([, forgery]) => {
        provider.forge(forgery)
        expect(await enter()).toMatchObject({ success: false, code: 'oauth.token' })
        expect(await names()).toEqual(before)
      },
    )
    expect(wrong).toEqual([])
  })

  it('a return is good once, in the browser that began, for what it was begun for', async () => {
    provider.login('eve')
    const visitor = weir.visitor()
    const given = await agreed(visitor)
    const stolen = await weir.visitor().send('GET', `/api/oauth/oidc?${new URLSearchParams(given)}`, anybody)
    expect([stolen.status, stolen.json.code]).toEqual([403, 'oauth.state'])
    expect((await back(visitor, given)).code).toBe('oauth.state')
    for (const state of ['', 'nonsense']) expect((await back(visitor, { code: 'x', state })).code).toBe('oauth.state')

    const once = await agreed(visitor)
    expect((await back(visitor, once)).success).toBe(true)
    expect((await back(visitor, once)).success).toBe(false)

    // Begun to sign in, but somebody is signed in when it comes back: it must not bind.
    const other = weir.visitor()
    const begun = await agreed(other)
    const { user, password } = await weir.addUser()
    await other.login(user.username, password)
    const { json, status } = await other.send('GET', `/api/oauth/oidc?${new URLSearchParams(begun)}`)
    expect([status, json.code]).toEqual([403, 'oauth.state'])
    const tampered = weir.visitor()
    const { state } = await agreed(tampered)
    expect((await back(tampered, { code: 'made up', state })).code).toBe('oauth.token')
    const denied = weir.visitor()
    expect((await back(denied, { ...(await agreed(denied)), code: '' })).code).toBe('oauth.refused')
  })

  it('the code of one browser is worth nothing in another, whose verifier differs', async () => {
    provider.login('victim')
    const [victim, thief] = [weir.visitor(), weir.visitor()]
    const { code } = await agreed(victim)
    const { state } = await agreed(thief)
    expect((await back(thief, { code, state })).code).toBe('oauth.token')
  })

  it('binds to who is signed in, once, and unbinds', async () => {
    provider.login('bound')
    const ada = await weir.addVisitor()
    const bind = async (visitor: Visitor) =>
      (await visitor.send('GET', `/api/oauth/oidc?${new URLSearchParams(await agreed(visitor))}`)).json
    expect(await bind(ada)).toMatchObject({ success: true, message: 'bind', data: null })
    expect((await ada.client.users.self()).oidc_id).toBe('bound')
    const bob = await weir.addVisitor()
    expect((await bind(bob)).code).toBe('oauth.taken')
    expect((await enter()).data.id).toBe(ada.user.id)
    await ada.client.auth.unbind({ provider: 'oidc' })
    expect((await ada.client.users.self()).oidc_id).toBe('')
    expect((await ada.send('DELETE', '/api/user/bindings/oidc')).json.code).toBe('oauth.unbound')
  })

  it('who has no other way in keeps the one there is', async () => {
    provider.login('lonely')
    const visitor = weir.visitor()
    const { data } = await back(visitor, await agreed(visitor))
    const headers = { 'new-api-user': String(data.id) }
    const unbind = async () => (await visitor.send('DELETE', '/api/user/bindings/oidc', { headers })).json
    expect((await unbind()).code).toBe('oauth.last')
    const proof = await visitor.send('POST', '/api/user/step_up', { headers, body: { password: '' } })
    expect(proof.json.code).toBe('access.no_proof')
    const body = { password: 'a new password' }
    expect((await visitor.send('PUT', '/api/user/self', { headers, body })).json.success).toBe(true)
    expect((await unbind()).success).toBe(true)
  })

  it('lets nobody in who is banned or gone, or while it is off or registration is closed', async () => {
    provider.login('banned')
    const { data } = await enter()
    await weir.changeUser(data.id, { status: 2 })
    expect((await enter()).code).toBe('access.banned')
    await weir.root.client.users.manage({ id: data.id, action: 'delete' })
    expect((await enter()).code).toBe('user.deregistered')
    provider.login('late')
    await weir.set('RegisterEnabled', false)
    expect((await enter()).code).toBe('register.closed')
    await weir.set('oidc.enabled', false)
    expect((await weir.visitor().send('POST', '/api/oauth/oidc/start', { body: {} })).json.code).toBe('oauth.off')
  })

  it('reaches no private address unless the operator allows its network', async () => {
    await weir.set('AllowedNetworks', [])
    const { json } = await weir.visitor().send('POST', '/api/oauth/oidc/start', { body: {} })
    expect(json).toMatchObject({ code: 'oauth.unreachable', message: 'Cannot reach OIDC, try again later' })
  })

  it('works with a provider of the operator, whose secret is never read', async () => {
    provider.login('acme')
    const { client } = weir.root
    const fields = { name: 'Acme', well_known: provider.wellKnown, ...OIDC_CLIENT }
    await client.auth.providerCreate({ id: 'acme', ...fields })
    const twice = await weir.root.send('POST', '/api/login_provider/', { body: { id: 'acme', ...fields } })
    expect(twice.json.code).toBe('provider.taken')
    const reserved = await weir.root.send('POST', '/api/login_provider/', { body: { ...fields, id: 'github' } })
    expect(reserved.json.code).toBe('provider.id')
    expect(await weir.visitor().client.auth.providers()).toEqual([{ id: 'acme', name: 'Acme' }])
    expect(JSON.stringify(await client.auth.providerList())).not.toContain(OIDC_CLIENT.client_secret)
    const entered = await enter('acme')
    expect(entered).toMatchObject({ success: true, data: { username: 'acme' } })

    // The same name at another provider is somebody else; a return of one is no return of the other.
    expect((await enter()).data.id).not.toBe(entered.data.id)
    const visitor = weir.visitor()
    expect((await back(visitor, await agreed(visitor, 'acme'), 'oidc')).code).toBe('oauth.state')

    provider.forge(forgeries['no signature'])
    expect(await enter('acme')).toMatchObject({ code: 'oauth.token' })
    await client.auth.providerUpdate({ id: 'acme', ...fields, client_secret: 'a wrong one' })
    provider.forge(undefined)
    const headers = { 'new-api-user': '-1', 'accept-language': 'zh' }
    const query = new URLSearchParams(await agreed(visitor, 'acme'))
    const { json } = await visitor.send('GET', `/api/oauth/acme?${query}`, { headers })
    expect(json).toMatchObject({ code: 'oauth.token', message: '未能从 Acme 取得令牌，请检查配置' })
    await client.auth.providerUpdate({ id: 'acme', ...fields, client_secret: '', enabled: false })
    const off = await weir.visitor().send('POST', '/api/oauth/acme/start', { body: {} })
    expect(off.json.code).toBe('oauth.off')
    await client.auth.providerDelete({ provider_id: 'acme' })
    const gone = await weir.visitor().send('POST', '/api/oauth/acme/start', { body: {} })
    expect(gone.json.code).toBe('provider.missing')
  })
})
