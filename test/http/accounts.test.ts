// Accounts as a client of the specification meets them: administration and self service.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const PASSWORD = 'a new password'

describeWithGateway('an administrator', (weir) => {
  const admin = () => weir.addVisitor({ patch: { role: 10 } })
  const balance = async (id: number) => (await weir.gateway.ports.storage.users.find(id))?.quota

  it('changes names, password, group and balance of a user; the balance by an entry with who and why', async () => {
    const [boss, ada] = [await admin(), await weir.addVisitor({ quota: 1000 })]
    const names = { username: 'renamed', display_name: 'Ada L.', group: 'vip' }
    const body = { id: ada.user.id, ...names, password: PASSWORD, quota: 1500, reason: 'a gift' }
    const row = await boss.client.users.get({ id: ada.user.id })
    expect((await boss.send('PUT', '/api/user/', { body: { ...row, ...body } })).json).toMatchObject({
      success: true,
    })
    expect(await weir.root.client.users.get({ id: ada.user.id })).toMatchObject({
      ...names,
      quota: 1500,
      role: 1,
      status: 1,
    })
    const { items } = await weir.root.client.quota.entries({ account_id: ada.user.id })
    expect(items[0]).toMatchObject({ kind: 'adjustment', amount: 500, by_username: boss.user.username })
    const logs = await weir.root.client.logs.list({ username: 'renamed', type: 3 })
    expect(logs.items[0]?.content).toContain('from $0.002000 to $0.003000: a gift')
    // The old session and the old password are worth nothing.
    expect((await ada.send('GET', '/api/user/self')).status).toBe(401)
    expect((await weir.visitor().login('renamed', ada.password)).json.code).toBe('login.failed')
    expect((await weir.visitor().login('renamed', PASSWORD)).json.success).toBe(true)
    // Counted from what the form had shown, so that what was spent meanwhile stays spent.
    await boss.client.users.update({ id: ada.user.id, quota: 1100, quota_before: 1000 })
    expect(await balance(ada.user.id)).toBe(1600)
    await boss.client.users.update({ id: ada.user.id, display_name: 'only this' })
    expect(await weir.root.client.users.get({ id: ada.user.id })).toMatchObject({
      username: 'renamed',
      group: 'vip',
      quota: 1600,
    })
    expect((await weir.gateway.client.quota.verify()).ok).toBe(true)
  })

  it('deregisters several at once, all of them or none', async () => {
    const boss = await admin()
    const [ada, bob, eve] = [await weir.addVisitor(), await weir.addVisitor(), await weir.addVisitor()]
    const idsOf = (...people: { user: { id: number } }[]) => people.map(({ user }) => user.id)
    const { deleteMany } = boss.client.users
    const isGone = async ({ user }: { user: { id: number } }) =>
      (await weir.gateway.ports.storage.users.find(user.id))?.DeletedAt !== null
    for (const wrong of [weir.rootId, boss.user.id, 999_999]) {
      await expect(deleteMany({ ids: [...idsOf(ada), wrong, ...idsOf(bob)] })).rejects.toThrow()
      expect([await isGone(ada), await isGone(bob)]).toEqual([false, false])
    }
    await expect(deleteMany({ ids: [] })).rejects.toThrow()
    const { data } = (await boss.send('POST', '/api/user/batch', { body: { ids: idsOf(bob, ada, bob) } })).json
    expect(data).toBe(2)
    expect([await isGone(ada), await isGone(bob), await isGone(eve)]).toEqual([true, true, false])
    expect((await ada.send('GET', '/api/user/self')).json.success).toBe(false)
    for (const id of idsOf(ada, bob)) {
      const [row] = (await weir.root.client.audit.list({ target: String(id) })).items
      expect(row).toMatchObject({ action: 'user.delete', username: boss.user.username })
    }
    await expect(deleteMany({ ids: idsOf(eve, ada) })).rejects.toMatchObject({ code: 'user.deregistered' })
    expect(await isGone(eve)).toBe(false)
  })

  it('leaves remarks on users, which only administrators see and find', async () => {
    const ada = await weir.addVisitor()
    const { users } = weir.root.client
    await users.update({ id: ada.user.id, remark: ' pays by invoice no. 4711 ' })
    expect(await users.get({ id: ada.user.id })).toMatchObject({ remark: 'pays by invoice no. 4711' })
    expect((await users.search({ keyword: 'NO. 4711' })).items.map(({ id }) => id)).toEqual([ada.user.id])
    expect(await ada.client.users.self()).toMatchObject({ id: ada.user.id, remark: '' })
    const { json } = await ada.send('PUT', '/api/user/self', { body: { remark: 'mine' } })
    expect(json.success).toBe(true)
    expect((await users.get({ id: ada.user.id })).remark).toBe('pays by invoice no. 4711')
    const seen = JSON.stringify([
      (await ada.send('GET', '/api/user/self')).json,
      (await ada.send('GET', '/api/search?text=4711')).json,
      (await ada.send('GET', '/api/user/self/data')).text,
    ])
    expect(seen).not.toContain('4711')
    const [audited] = (await weir.root.client.audit.list({ target: String(ada.user.id) })).items
    expect(audited).toMatchObject({ action: 'user.edit', after: '{"remark":"pays by invoice no. 4711"}' })
  })

  it('touches nobody of their own level or above', async () => {
    const [boss, peer] = [await admin(), await admin()]
    const code = async (method: string, path: string, body?: object) =>
      (await boss.send(method, path, body ? { body } : {})).json.code
    for (const id of [peer.user.id, weir.rootId]) {
      expect(await code('GET', `/api/user/${id}`)).toBe('user.view_denied')
      expect(await code('PUT', '/api/user/', { id, quota: 5 })).toBe('user.edit_denied')
      for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) {
        expect(await code('POST', '/api/user/manage', { id, action }), action).toBe('user.edit_denied')
      }
      expect(await code('DELETE', `/api/user/${id}`)).toBe('user.edit_denied')
    }
    const { user } = await weir.addUser()
    expect(await code('POST', '/api/user/manage', { id: user.id, action: 'promote' })).toBe('user.promote_denied')
    expect(await code('POST', '/api/user/manage', { id: user.id, action: 'explode' })).toBe('request.invalid')
    expect(await code('PUT', '/api/user/', { id: user.id, role: 10 })).toBe('user.raise_denied')
    expect(await code('PUT', '/api/user/', { id: 999_999 })).toBe('user.missing')
    const account = { username: 'made', password: PASSWORD }
    for (const role of [10, 100])
      expect(await code('POST', '/api/user/', { ...account, role })).toBe('user.create_denied')
    expect(await code('POST', '/api/user/', { username: 'made', password: '' })).toBe('user.required')
    expect(await code('PUT', '/api/user/', { id: user.id, quota: 2 ** 60 })).toBe('request.invalid')
  })

  it('bans, and the ban holds from the next request of a session, a token and an access token', async () => {
    const [boss, ada] = [await admin(), await weir.addCaller({ quota: 100 })]
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    const token = await visitor.client.users.accessToken()
    const machine = weir.visitor({ accessToken: token })
    expect(await boss.client.users.manage({ id: ada.user.id, action: 'disable' })).toEqual({ role: 1, status: 2 })
    expect((await visitor.send('GET', '/api/user/self')).status).toBe(401)
    expect((await machine.send('GET', '/api/user/self')).json.code).toBe('access.banned')
    expect((await ada.chat()).status).toBe(403)
    expect(await boss.client.users.manage({ id: ada.user.id, action: 'enable' })).toEqual({ role: 1, status: 1 })
    // The session that the ban ended stays ended.
    expect((await visitor.send('GET', '/api/user/self')).status).toBe(401)
    expect((await machine.send('GET', '/api/user/self')).json.success).toBe(true)
  })

  it('deregisters for good: the account is kept and shown, its name stays taken', async () => {
    const [boss, ada] = [await admin(), await weir.addCaller({ quota: 100 })]
    await boss.client.users.delete({ id: ada.user.id })
    const [shown] = (await boss.client.users.search({ keyword: ada.user.username })).items
    expect(shown?.DeletedAt).toMatch(/^\d{4}-/)
    expect((await boss.send('GET', `/api/user/${ada.user.id}`)).json.code).toBe('user.missing')
    const again = await boss.send('POST', '/api/user/manage', { body: { id: ada.user.id, action: 'enable' } })
    expect(again.json.code).toBe('user.deregistered')
    expect((await weir.visitor().login(ada.user.username, ada.password)).json.code).toBe('login.failed')
    expect((await ada.chat()).status).toBe(403)
    const body = { username: ada.user.username, password: PASSWORD }
    expect((await boss.send('POST', '/api/user/', { body })).json.code).toBe('user.name_taken')
  })
})

describeWithGateway('an administrator, of one user,', (weir) => {
  const admin = () => weir.addVisitor({ patch: { role: 10 } })

  it('reads why a balance was changed: in its entry, and in the audit with before and after', async () => {
    const [boss, ada] = [await admin(), await weir.addVisitor({ quota: 1000 })]
    const { id } = ada.user
    await boss.client.users.update({ id, quota: 700, quota_before: 1000, reason: 'spent by "mistake"' })
    await boss.client.users.update({ id, quota: 900, quota_before: 700 })
    const { items } = await boss.client.quota.entries({ account_id: id })
    expect(items.slice(0, 2)).toMatchObject([
      { amount: 200, balance_after: 900, reason: '', detail: null },
      { amount: -300, balance_after: 700, reason: 'spent by "mistake"', by_username: boss.user.username },
    ])
    expect((await ada.client.quota.entriesSelf()).items[1]).toMatchObject({ reason: 'spent by "mistake"' })
    const rows = (await boss.client.audit.list({ action: 'user.edit', target: String(id) })).items
    expect(rows.map(({ before, after }) => [JSON.parse(before), JSON.parse(after)])).toEqual([
      [{ quota: 700 }, { quota: 900 }],
      [{ quota: 1000 }, { quota: 700, reason: 'spent by "mistake"' }],
    ])
    expect(await weir.root.client.quota.verify({ account_id: id })).toMatchObject({ ok: true, faults: [] })
  })

  it('sees where they are signed in and signs them out, but nobody of their own level', async () => {
    const [boss, peer, ada] = [await admin(), await admin(), await weir.addVisitor()]
    const user_id = ada.user.id
    const sessions = await boss.client.users.sessionsOf({ user_id })
    expect(sessions).toMatchObject([{ current: false, ip: expect.any(String) }])
    expect(JSON.stringify(sessions)).not.toContain('hash')
    expect(await boss.client.users.sessionsOf({ user_id: boss.user.id })).toMatchObject([{ current: true }])
    await boss.client.users.endSessionsOf({ user_id })
    expect(await boss.client.users.sessionsOf({ user_id })).toEqual([])
    expect((await ada.send('GET', '/api/user/self')).status).toBe(401)
    const ofPeer = { user_id: peer.user.id }
    await expect(boss.client.users.sessionsOf(ofPeer)).rejects.toMatchObject({ code: 'user.view_denied' })
    await expect(boss.client.users.endSessionsOf(ofPeer)).rejects.toMatchObject({ code: 'user.edit_denied' })
    expect((await peer.client.users.self()).id).toBe(peer.user.id)
    const nobodys = { user_id: 999_999 }
    await expect(boss.client.users.endSessionsOf(nobodys)).rejects.toMatchObject({ code: 'user.missing' })
    const { items } = await boss.client.audit.list({ action: 'user.end_sessions', username: boss.user.username })
    expect(items).toMatchObject([{ target: String(user_id) }])
  })

  it('finds what was done to a kind of thing, and by whom', async () => {
    const [boss, ada] = [await admin(), await weir.addUser()]
    const { id } = ada.user
    await boss.client.users.manage({ id, action: 'disable' })
    await boss.client.teams.create({ name: `of ${boss.user.username}` })
    const done = async (filter: object) =>
      (await boss.client.audit.list({ username: boss.user.username, ...filter })).items.map(({ action }) => action)
    expect(await done({})).toEqual(['team.create', 'user.disable'])
    expect(await done({ action: 'user' })).toEqual(['user.disable'])
    expect(await done({ action: 'use%' })).toEqual([])
    expect(await done({ action: 'team.create' })).toEqual(['team.create'])
    expect(await done({ action: 'user', target: String(id + 1) })).toEqual([])
  })

  it('lists their orders alone', async () => {
    const [boss, ada] = [await admin(), await weir.addUser()]
    const order = { provider: 'epay', method: 'wx', amount: 1, money: 730, currency: 'cny', quota: 500_000 }
    const { topups } = weir.gateway.ports.storage
    for (const user_id of [ada.user.id, boss.user.id]) {
      await topups.insert({ ...order, user_id, trade_no: `order of ${user_id}`, create_time: 1_700_000_000 })
    }
    const { items, total } = await boss.client.topups.list({ user_id: ada.user.id })
    expect([total, items.map(({ user_id }) => user_id)]).toEqual([1, [ada.user.id]])
    expect((await boss.client.topups.list()).total).toBeGreaterThan(1)
  })
})

describeWithGateway('the super administrator', (weir) => {
  it('promotes and demotes, which the audit remembers, and is touched by nobody', async () => {
    const { user } = await weir.addUser()
    const { client } = weir.root
    expect(await client.users.manage({ id: user.id, action: 'promote' })).toEqual({ role: 10, status: 1 })
    const code = async (id: number, action: string) =>
      (await weir.root.send('POST', '/api/user/manage', { body: { id, action } })).json.code
    expect(await code(user.id, 'promote')).toBe('user.already_admin')
    expect(await client.users.manage({ id: user.id, action: 'demote' })).toEqual({ role: 1, status: 1 })
    expect(await code(user.id, 'demote')).toBe('user.already_user')
    expect(await code(weir.rootId, 'disable')).toBe('user.root_disable')
    expect(await code(weir.rootId, 'delete')).toBe('user.root_delete')
    expect(await code(weir.rootId, 'demote')).toBe('user.root_demote')
    expect((await weir.root.send('DELETE', '/api/user/self')).json.code).toBe('user.root_delete')
    const { items } = await client.audit.list({ action: 'user.promote' })
    expect(items[0]).toMatchObject({ target: String(user.id), username: 'root', after: '{"role":10,"status":1}' })
  })
})

describeWithGateway('a user', (weir) => {
  it('E5: changes their own names and, with the original one, their password; other sessions end', async () => {
    const ada = await weir.addVisitor()
    const elsewhere = weir.visitor()
    await elsewhere.login(ada.user.username, ada.password)
    const change = async (body: object) => (await ada.send('PUT', '/api/user/self', { body })).json.code
    expect(await change({ display_name: 'x'.repeat(21) })).toBe('user.display_name')
    expect(await change({ password: PASSWORD })).toBe('user.wrong_original')
    expect(await change({ password: 'short', original_password: ada.password })).toBe('user.limits')
    expect(await change({ password: ada.password, original_password: ada.password })).toBe('user.same_password')
    await ada.client.users.updateSelf({ display_name: 'Ada', password: PASSWORD, original_password: ada.password })
    expect((await ada.client.users.self()).display_name).toBe('Ada')
    expect((await elsewhere.send('GET', '/api/user/self')).status).toBe(401)
    for (const field of [{ role: 100 }, { quota: 1e9 }, { status: 1, group: 'vip', aff_quota: 5 }]) {
      await ada.send('PUT', '/api/user/self', { body: field })
    }
    expect(await ada.client.users.self()).toMatchObject({ role: 1, quota: 0, group: 'default', aff_quota: 0 })
  })

  it('sees where they are signed in, and ends what they do not know', async () => {
    const ada = await weir.addVisitor()
    const elsewhere = weir.visitor()
    await elsewhere.login(ada.user.username, ada.password)
    const sessions = await ada.client.users.sessions()
    expect(sessions).toHaveLength(2)
    const other = sessions.find(({ current }) => !current)
    const bob = await weir.addVisitor()
    expect((await bob.send('DELETE', `/api/user/sessions/${other!.id}`)).json.code).toBe('session.missing')
    await ada.client.users.endSession({ id: other!.id })
    expect((await elsewhere.send('GET', '/api/user/self')).status).toBe(401)
    await elsewhere.login(ada.user.username, ada.password)
    await ada.client.users.endSessions()
    expect((await ada.client.users.sessions()).map(({ current }) => current)).toEqual([true])
  })

  it('leaves: the session ends and the name stays theirs', async () => {
    const ada = await weir.addVisitor()
    expect((await ada.send('DELETE', '/api/user/self')).json.success).toBe(true)
    expect((await ada.send('GET', '/api/user/self')).status).toBe(401)
    expect((await weir.visitor().login(ada.user.username, ada.password)).json.code).toBe('login.failed')
  })

  it('says how to be warned; the secret of the webhook is written and never read', async () => {
    const ada = await weir.addVisitor()
    const set = async (body: object) => (await ada.send('PUT', '/api/user/setting', { body })).json
    const hook = { notify_type: 'webhook', quota_warning_threshold: 5000, webhook_url: 'https://hook.example/x' }
    expect((await set({ ...hook, notify_type: 'pigeon' })).code).toBe('warning.type')
    expect((await set({ ...hook, quota_warning_threshold: 0 })).code).toBe('warning.threshold')
    expect((await set({ ...hook, webhook_url: '' })).code).toBe('warning.webhook_missing')
    expect((await set({ ...hook, webhook_url: 'http://hook.example' })).code).toBe('warning.webhook_https')
    expect((await set({ ...hook, webhook_secret: 'planted secret' })).success).toBe(true)
    expect((await set(hook)).success).toBe(true)
    const self = await ada.send('GET', '/api/user/self')
    expect(JSON.parse(self.json.data.setting)).toEqual({
      ...hook,
      accept_unset_model_ratio_model: false,
      language: 'en',
    })
    const { text } = await weir.root.send('GET', '/api/user/?page_size=100')
    expect(self.text + text).not.toMatch(/webhook_secret|planted/)
    const stored = JSON.parse((await weir.gateway.ports.storage.users.find(ada.user.id))!.setting)
    expect(weir.gateway.ports.secrets.decrypt(stored.webhook_secret, ['users.setting', ada.user.id])).toBe(
      'planted secret',
    )
    const mail = { notify_type: 'email', quota_warning_threshold: 5, notification_email: 'a@example.com' }
    expect((await set(mail)).success).toBe(true)
    expect(JSON.parse((await ada.client.users.self()).setting)).toEqual({
      ...mail,
      accept_unset_model_ratio_model: false,
      language: 'en',
    })
  })

  it('changes nothing with a GET from elsewhere, and the same with a POST', async () => {
    const ada = await weir.addVisitor()
    const cookie = ada.cookie()
    const own = { cookie, 'new-api-user': String(ada.user.id) }
    const get = (path: string, headers: Record<string, string>) => send('GET', weir.url + path, { headers })
    for (const path of ['/api/user/token', '/api/user/logout', '/api/oauth/wechat/bind?code=x', '/api/oauth/state']) {
      expect((await get(path, { cookie })).json.code, path).toBe('access.header_required')
      const foreign = await get(path, { ...own, 'sec-fetch-site': 'cross-site' })
      expect(foreign.json.code, path).toBe('access.cross_site')
    }
    expect((await ada.send('GET', '/api/user/self')).json.success).toBe(true)
    const token = (await ada.send('POST', '/api/user/token')).json.data
    expect(token).toMatch(/^\w{40}$/)
    expect((await get('/api/user/token/', own)).json.data).not.toBe(token)
    await ada.client.users.revokeAccessToken()
  })
})
