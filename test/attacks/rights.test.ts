// Attacks on who may do what. The rows are named by their id in the list of attacks.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { createVisitor, send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('who may do what', (weir) => {
  it('A2: an odd Host or spelling of a relay path gets no further than the plain one', async () => {
    await weir.addChannel()
    const body = { model: weir.model, messages: [{ role: 'user', content: 'Hello' }] }
    for (const host of ['evil.example', 'localhost', '127.0.0.1:1', 'admin', `${'a'.repeat(200)}.example`]) {
      for (const path of ['/api/user/', '/api/option/', '/v1/models']) {
        const { status } = await send('GET', weir.url + path, { headers: { host } })
        expect(status, `${host} ${path}`).toBe(401)
      }
    }
    for (const path of [
      ...['/V1/chat/completions', '//v1/chat/completions', '/v1//chat/completions', '/v1/chat%2Fcompletions'],
      ...['/v1/chat/completions;a=b', '/v1/chat/completions.', '/v1/./chat/completions', '/v1/x/../chat/completions'],
      ...['/v1beta/openai//chat/completions', '/pg/chat/completions/', '/v1/chat/completions%00'],
    ]) {
      const { status } = await send('POST', weir.url + path, { body })
      // 503 is the console that is not built.
      expect([401, 404, 503], path).toContain(status)
    }
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('A5: the user-id header names somebody else', async () => {
    const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
    const accessToken = await ada.client.users.accessToken()
    const claim = { 'new-api-user': String(bob.user.id) }
    const asked = [
      { headers: { cookie: ada.cookie(), ...claim } },
      { headers: { authorization: `Bearer ${accessToken}`, ...claim } },
      { headers: { cookie: ada.cookie(), authorization: `Bearer ${accessToken}`, ...claim } },
      { headers: claim },
    ]
    for (const { headers } of asked) {
      expect((await send('GET', `${weir.url}/api/user/self`, { headers })).status).toBe(401)
      expect((await send('POST', `${weir.url}/pg/chat/completions`, { headers, body: {} })).status).toBe(401)
    }
    // Two of the header are no name.
    const twice = { cookie: ada.cookie(), 'new-api-user': `${ada.user.id}, ${bob.user.id}` }
    expect((await send('GET', `${weir.url}/api/user/self`, { headers: twice })).status).toBe(401)
  })

  it('A6: what was taken from a user is gone at the next request, by session, access token and API token', async () => {
    await weir.addChannel({ group: 'default' })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const changes = {
      disabled: (id: number) => weir.root.client.users.manage({ id, action: 'disable' }),
      demoted: (id: number) => weir.root.client.users.manage({ id, action: 'demote' }),
      moved: (id: number) => weir.root.client.users.update({ id, group: 'vip' }),
      deleted: (id: number) => weir.root.client.users.manage({ id, action: 'delete' }),
    }
    for (const [what, change] of Object.entries(changes)) {
      const ada = await weir.addCaller({ quota: 1_000_000, patch: { role: 10 } })
      const session = weir.visitor()
      await session.login(ada.user.username, ada.password)
      const machine = weir.visitor({ accessToken: await session.client.users.accessToken() })
      const can = async () => ({
        session: (await session.send('GET', '/api/user/')).json.success,
        access_token: (await machine.send('GET', '/api/user/')).json.success,
        api_token: (await ada.chat()).status === 200,
        api_token_models: (await ada.chat({ model: 'gpt-4o' })).status === 200,
      })
      expect(await can(), what).toMatchObject({ session: true, access_token: true, api_token: true })
      await change(ada.user.id)
      const after = await can()
      if (what === 'moved') expect(after, what).toMatchObject({ session: true, access_token: true, api_token: false })
      else if (what === 'demoted') expect(after, what).toMatchObject({ session: false, access_token: false })
      else expect(after, what).toMatchObject({ session: false, access_token: false, api_token: false })
    }
  })

  it('A7: without a fresh proof of one’s own, nothing that hurts is done', async () => {
    const { storage } = weir.gateway.ports
    const target = await weir.addVisitor()
    const acts = {
      'users.manage': { method: 'POST', path: '/api/user/manage', body: { id: target.user.id, action: 'promote' } },
      'users.accessToken': { method: 'POST', path: '/api/user/token', body: {} },
      'auth.totpBegin': { method: 'POST', path: '/api/user/totp', body: {} },
      'auth.totpConfirm': { method: 'POST', path: '/api/user/totp/confirm', body: { code: '123456' } },
      'auth.totpBackups': { method: 'POST', path: '/api/user/totp/backup_codes', body: { code: '123456' } },
      'auth.totpRemove': { method: 'POST', path: '/api/user/totp/remove', body: { code: '123456' } },
      'auth.passkeyBegin': { method: 'POST', path: '/api/user/passkeys/begin', body: {} },
      'auth.passkeyRemove': { method: 'DELETE', path: '/api/user/passkeys/x', body: undefined },
      'auth.providerCreate': {
        method: 'POST',
        path: '/api/login_provider/',
        body: { id: 'acme', name: 'Acme', well_known: 'https://acme.example', client_id: 'x' },
      },
      'auth.providerDelete': { method: 'DELETE', path: '/api/login_provider/acme', body: undefined },
      'a payment setting': {
        method: 'PUT',
        path: '/api/option/',
        body: { key: 'PayAddress', value: 'https://x.example' },
      },
      'a secret setting': { method: 'PUT', path: '/api/option/', body: { key: 'SMTPToken', value: 'x' } },
      'how long a proof lasts': { method: 'PUT', path: '/api/option/', body: { key: 'StepUpMinutes', value: '0' } },
      'one hidden among others': {
        method: 'PUT',
        path: '/api/option/',
        body: {
          options: [
            { key: 'Notice', value: 'hello' },
            { key: 'EpayKey', value: 'x' },
          ],
        },
      },
    }
    const root = weir.visitor()
    const signedIn = await root.login('root', 'a root password')
    expect(signedIn.json.success).toBe(true)
    const proven = async (time: number) => {
      for (const session of await storage.sessions.listOfUser(weir.rootId, 0)) {
        await storage.sessions.update(session.id, { proven_time: time })
      }
    }
    const now = Math.floor(Date.now() / 1000)
    try {
      for (const stale of [0, now - 16 * 60]) {
        await proven(stale)
        for (const [act, { method, path, body }] of Object.entries(acts)) {
          const { json } = await root.send(method, path, body ? { body } : {})
          expect(json, act).toMatchObject({ success: false, code: 'access.step_up' })
        }
      }
      // Somebody else's password is no proof, nor is a proof of another session.
      expect((await root.send('POST', '/api/user/step_up', { body: { password: target.password } })).json.success).toBe(
        false,
      )
      await target.send('POST', '/api/user/step_up', { body: { password: target.password } })
      expect((await root.send('POST', '/api/user/token', { body: {} })).json.code).toBe('access.step_up')
      expect(
        (await root.send('POST', '/api/user/step_up', { body: { password: 'a root password' } })).json.success,
      ).toBe(true)
      const done = await root.send('PUT', '/api/option/', { body: { key: 'PayAddress', value: '' } })
      expect(done.json).toMatchObject({ success: true })
      expect(await storage.users.find(target.user.id)).toMatchObject({ role: 1 })
    } finally {
      await proven(now)
    }
  })

  it('A8: tokens that are alike are not the same', async () => {
    const ada = await weir.addCaller({ quota: 100 })
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    const accessToken = await session.client.users.accessToken()
    const alike = (key: string) => [
      key.slice(0, -1),
      `${key}x`,
      key.toUpperCase(),
      key.toLowerCase(),
      `${key}%00`,
      `${key.slice(0, 20)}${'a'.repeat(key.length - 20)}`,
      key.replace(/[a-z]/, (letter) => letter.toUpperCase()),
      [...key].reverse().join(''),
      `${key}, ${key}`,
    ]
    for (const key of alike(ada.token.key).filter((other) => other !== ada.token.key)) {
      const { status } = await send('GET', `${weir.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
      expect(status, key).toBe(401)
    }
    for (const key of alike(accessToken).filter((other) => other !== accessToken)) {
      const { json } = await send('GET', `${weir.url}/api/user/self`, { headers: { authorization: `Bearer ${key}` } })
      expect(json.code, key).toBe('access.token_invalid')
    }
    const id = /session=([\w-]+)/.exec(session.cookie())![1]!
    for (const other of alike(id).filter((each) => each !== id && !each.includes(','))) {
      const headers = { cookie: `weir_session=${other}`, 'new-api-user': String(ada.user.id) }
      expect((await send('GET', `${weir.url}/api/user/self`, { headers })).status, other).toBe(401)
    }
  })

  it('A8: subjects of an identity provider that are alike are not the same', async () => {
    const { identities } = weir.gateway.ports.storage
    const { user } = await weir.addUser()
    const created_time = 1_700_000_000
    await identities.bind({ provider: 'oidc', subject: 'Straße-1\u00e9', user_id: user.id, created_time })
    for (const other of [
      'Straße-1',
      'straße-1\u00e9',
      'STRASSE-1É',
      'Straße-1e\u0301',
      ' Straße-1\u00e9',
      'Straße-1\u00e9 ',
    ]) {
      expect(await identities.find('oidc', other), other).toBeNull()
    }
    expect(await identities.find('github', 'Straße-1\u00e9')).toBeNull()
    expect(await identities.find('oidc', 'Straße-1\u00e9')).toMatchObject({ user_id: user.id })
    // What no database keeps as it is, beside what it would be kept as.
    await identities.bind({ provider: 'oidc', subject: 'a\uFFFDb', user_id: user.id, created_time })
    for (const other of ['a\0b', 'a\uD800b', 'a\uDC00b', '']) {
      expect(await identities.find('oidc', other), JSON.stringify(other)).toBeNull()
      const bound = identities.bind({ provider: 'oidc', subject: other, user_id: user.id, created_time })
      await expect(bound, JSON.stringify(other)).rejects.toMatchObject({ code: 'oauth.subject' })
    }
    expect(await identities.find('oidc', 'a\uFFFDb')).toMatchObject({ user_id: user.id })
  })

  it('A10: fields that nobody may set are never applied, by any endpoint with a body', async () => {
    const ada = await weir.addVisitor({ quota: 777 })
    const before = await weir.gateway.ports.storage.users.find(ada.user.id)
    const forced = {
      ...{ role: 100, quota: 1e12, used_quota: -1e9, request_count: -1, aff_quota: 1e12, aff_history_quota: 1e12 },
      ...{ created_time: 1, inviter_id: 1, DeletedAt: null, password_hash: 'x', access_token_hash: 'x', held: -5 },
      ...{ is_admin: true, user_id: weir.rootId, via: 'local', caller: { via: 'local' } },
    }
    const text = `{"__proto__":${JSON.stringify(forced)},"constructor":{"prototype":${JSON.stringify(forced)}},${JSON.stringify(forced).slice(1)}`
    const gone = ['users.deleteSelf', 'users.endSessions', 'auth.login']
    for (const [name, { method, path, body, access, changes }] of endpointsByName) {
      if (gone.includes(name) || access === 'admin' || access === 'root' || (!body && !changes)) continue
      await ada.send(changes ? 'POST' : method, path.replace(/\{\w+\}/g, '1'), {
        headers: { 'content-type': 'application/json' },
        body: text,
      })
      if (name === 'auth.logout') await ada.login(ada.user.username, ada.password)
    }
    const after = await weir.gateway.ports.storage.users.find(ada.user.id)
    // The setting and the names are theirs to change.
    const { setting: _, username: _name, display_name: _shown, ...kept } = before!
    expect(after).toMatchObject(kept)
    expect(({} as Record<string, unknown>).role).toBeUndefined()
    expect(({} as Record<string, unknown>).quota).toBeUndefined()
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('A10: what an administrator makes begins with a history of its own', async () => {
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const forced = { id: 1, created_time: 1 }
    const form = { name: 'mine', key: 'k', models: 'm', ...forced }
    const history = { used_quota: 5e9, balance: 5e9, test_time: 1, response_time: 1 }
    const hashed = await admin.send('POST', '/api/channel/', { body: { ...form, key_hash: 'x' } })
    expect(hashed.json.code).toBe('request.unknown_field')
    const made = await admin.send('POST', '/api/channel/', { body: { ...form, ...history } })
    expect(made.json.data[0]).toMatchObject({ used_quota: 0, balance: 0, test_time: 0, response_time: 0 })
    expect(made.json.data[0].id).not.toBe(1)
    await admin.send('POST', '/api/redemption/', {
      body: { name: 'code', quota: 5, count: 1, used_user_id: 9, redeemed_time: 9, user_id: weir.rootId, ...forced },
    })
    const [code] = (await admin.client.redemptions.list()).items
    expect(code).toMatchObject({ name: 'code', used_user_id: 0, redeemed_time: 0, user_id: admin.user.id, status: 1 })
    expect(code!.created_time).toBeGreaterThan(1_700_000_000)
  })

  it('A3: nobody raises anybody to more than they are, whatever field it stands in', async () => {
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const peer = await weir.addVisitor({ patch: { role: 10 } })
    const user = await weir.addVisitor()
    for (const role of [10, 11, 99, 100, 101, 1e9]) {
      const made = await admin.send('POST', '/api/user/', {
        body: { username: 'raised', password: 'long enough', role },
      })
      expect(made.json.code, String(role)).toBe('user.create_denied')
      const edited = await admin.send('PUT', '/api/user/', { body: { id: user.user.id, role } })
      expect(edited.json.code, String(role)).toBe('user.raise_denied')
    }
    for (const [body, code] of [
      [{ id: user.user.id, action: 'promote' }, 'user.promote_denied'],
      [{ id: peer.user.id, action: 'demote' }, 'user.edit_denied'],
      [{ id: weir.rootId, action: 'disable' }, 'user.edit_denied'],
      [{ id: admin.user.id, action: 'promote' }, 'user.edit_denied'],
    ] as const) {
      expect((await admin.send('POST', '/api/user/manage', { body })).json.code, JSON.stringify(body)).toBe(code)
    }
    for (const body of [
      { id: admin.user.id, quota: 1e9 },
      { id: peer.user.id, password: 'taken over' },
    ]) {
      expect((await admin.send('PUT', '/api/user/', { body })).json.code).toBe('user.edit_denied')
    }
    for (const field of ['role', 'group', 'quota', 'status']) {
      await user.send('PUT', '/api/user/self', {
        body: { display_name: 'me', [field]: field === 'group' ? 'vip' : 100 },
      })
    }
    expect(await weir.gateway.ports.storage.users.find(user.user.id)).toMatchObject({
      ...{ role: 1, group: 'default', quota: 0, status: 1, display_name: 'me' },
    })
    // The machine of an administrator is an administrator, not more.
    const machine = createVisitor(weir.url, { accessToken: await admin.client.users.accessToken() })
    expect((await machine.send('GET', '/api/quota/verify')).json.code).toBe('access.forbidden')
  })
})
