// Two users: what belongs to one is, for the other, as if it did not exist; and nobody gives more than they have.
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { expect, it } from 'vitest'
import { FileDownload } from '../../core/contract/replies.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const rank = { public: 0, user: 1, admin: 10, root: 100 }

describeWithGateway('another user’s', (weir) => {
  it('A4: id is answered like one that does not exist, by every endpoint that takes one', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 10 }))
    const { storage } = weir.gateway.ports
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: 'ada’s', remain_quota: 900_000 } })
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    const recipient = await identityToRecipient(await generateIdentity())
    await session.client.bodies.setKey({ recipient, every_token: true })
    const { headers } = await ada.chat()
    const [row] = await ada.logs()
    await eventually(
      async () => (await session.client.bodies.list()).items,
      (items) => items.length === 1,
    )
    const passkey = { id: 'a-passkey', user_id: ada.user.id, name: 'key', public_key: 'x', counter: 0, transports: '' }
    await storage.passkeys.insert({ ...passkey, created_time: 1_700_000_000, used_time: 1_700_000_000 })
    const bob = await weir.addVisitor({ quota: 100 })
    const team = (await session.client.teams.create({ name: 'hers' })).id
    const managed = ['putMember', 'removeMember', 'withdraw', 'transfer', 'shareView', 'renameView', 'deleteView']
    const teams = ['get', 'update', 'delete', 'logs', ...managed]

    /** What is ada's, by the name under which it is asked for; the other is nobody's. */
    const ids: Record<string, [hers: string | number, nobodys: string | number]> = {
      'tokens.get': [ada.token.id, 999_999],
      'tokens.update': [ada.token.id, 999_999],
      'tokens.delete': [ada.token.id, 999_999],
      'tokens.ofTeam': [team, 999_999],
      'users.endSession': [(await session.client.users.sessions())[0]!.id, 999_999],
      'users.deleteAccessToken': [(await session.client.users.createAccessToken({ name: 'hers' })).id, 999_999],
      'bodies.get': [row!.request_id, '20260101000000000AAAAAAAAAAAA'],
      'bodies.delete': [row!.request_id, '20260101000000000AAAAAAAAAAAA'],
      'auth.passkeyRemove': ['a-passkey', 'no-passkey'],
      'logs.explainSelf': [row!.request_id, '20260101000000000AAAAAAAAAAAA'],
      ...Object.fromEntries(teams.map((name) => [`teams.${name}`, [team, 999_999] as [number, number]])),
      'quota.receipt': [String(headers['x-weir-receipt']), 'r_0000000000000000000000'],
    }
    /** Of these the place names a service, not somebody's own. */
    const services = ['auth.oauth', 'auth.oauthStart', 'auth.unbind']
    const takesId = [...endpointsByName].filter(
      ([name, { access, path, body }]) =>
        !services.includes(name) && rank[access] <= rank.user && (path.includes('{') || 'id' in (body?.shape ?? {})),
    )
    expect(takesId.map(([name]) => name).sort()).toEqual(Object.keys(ids).sort())
    for (const [name, { method, path, body }] of takesId) {
      const ask = async (id: string | number) => {
        const fields = {
          id,
          name: 'stolen',
          status: 2,
          remain_quota: 1_000_000,
          username: bob.user.username,
          amount: 1,
        }
        const known = Object.fromEntries(Object.entries(fields).filter(([field]) => field in (body?.shape ?? {})))
        const place = path.replace(/\{\w+\}/, encodeURIComponent(String(id))).replace(/\{\w+\}/, String(ada.user.id))
        const { status, json } = await bob.send(method, place, body ? { body: known } : {})
        // What was asked for may be named back.
        return { status, json: { ...json, message: json.message.replace(String(id), 'it') } }
      }
      const [hers, nobodys] = ids[name]!
      const theirs = await ask(hers)
      expect(theirs.json.success, name).toBe(false)
      expect(theirs, name).toEqual(await ask(nobodys))
    }
    const status = await bob.send('PUT', '/api/token/?status_only=true', { body: { id: ada.token.id, status: 2 } })
    expect(status.json.code).toBe('token.missing')
    expect(await storage.tokens.find(ada.token.id)).toMatchObject({ name: 'ada’s', status: 1 })
    expect(await storage.passkeys.find('a-passkey')).not.toBeNull()
    expect((await session.client.users.self()).id).toBe(ada.user.id)
  })

  it('A4: user id in a query or a body chooses nothing where only the own is meant', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 10 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    await ada.chat()
    const bob = await weir.addVisitor({ quota: 100 })
    const asked = `user_id=${ada.user.id}&id=${ada.user.id}&username=${ada.user.username}&token_id=${ada.token.id}`
    for (const [name, { method, path, access, reply }] of endpointsByName) {
      if (method !== 'GET' || access !== 'user' || path.includes('{') || reply === FileDownload) continue
      const answer = (await bob.send('GET', `${path}?${asked}`)).text
      for (const hers of [ada.user.username, ada.token.key, `"user_id":${ada.user.id},`]) {
        expect(answer.includes(hers), `${name} shows ${hers}`).toBe(false)
      }
    }
    const file = (await bob.send('GET', `/api/log/self/export?${asked}`)).text
    expect(file).not.toContain(ada.user.username)
  })

  it('tokens, log rows and figures are in no list', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const bob = await weir.addVisitor({ quota: 100 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 100, completion_tokens: 100 }))
    await ada.chat()
    const { tokens, logs } = bob.client
    expect((await tokens.list()).data).toEqual([])
    expect((await tokens.search({ keyword: '', token: ada.key })).data).toEqual([])
    expect((await tokens.search({ keyword: '%' })).data).toEqual([])
    expect((await logs.listSelf()).items.filter(({ type }) => type === 2)).toEqual([])
    const [row] = await ada.logs()
    expect((await logs.listSelf({ request_id: row!.request_id })).total).toBe(0)
    expect(Object.values(await logs.statSelf())).toEqual([0, 0, 0, 0, 0, 0])
    const more = await bob.send('GET', `/api/log/self?username=${ada.user.username}&user_id=${ada.user.id}&channel=1`)
    expect(more.json.data.items.every((item: { user_id: number }) => item.user_id === bob.user.id)).toBe(true)
  })
})

describeWithGateway('nobody can make', (weir) => {
  it('an account with more than was asked for', async () => {
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const form = { username: 'climber', password: 'a long password', role: 1 }
    const create = async (asked: object | string) => {
      const body = typeof asked === 'string' ? asked : JSON.stringify(asked)
      return (await admin.send('POST', '/api/user/', { headers: { 'content-type': 'application/json' }, body })).json
    }
    expect((await create({ ...form, role: 100 })).code).toBe('user.create_denied')
    // Group and first balance are an administrator's to give. Other fields of a user are ignored; what is none is refused.
    const more = { quota: 500, used_quota: -5, group: 'vip', status: 2, id: 1, aff_quota: 1e9 }
    expect(await create({ ...form, ...more })).toMatchObject({ success: true })
    const [climber] = (await weir.root.client.users.search({ keyword: form.username })).items
    const given = { username: form.username, role: 1, group: 'vip', quota: 500 }
    expect(climber).toMatchObject({ ...given, status: 1, used_quota: 0, aff_quota: 0 })
    expect(climber?.id).toBeGreaterThan(1)
    expect((await create({ ...form, username: 'climber2', constructor: { role: 100 } })).code).toBe(
      'request.unknown_field',
    )
    const inherited = JSON.stringify(form).replace('{', '{"__proto__":{"role":100,"quota":5},')
    const { success, code } = await create(inherited)
    expect([success, code]).toEqual([false, 'request.unknown_field'])
    expect((await create({ ...form, username: 'climber3' })).success).toBe(true)
    const made = (await weir.root.client.users.search({ keyword: 'climber3' })).items[0]
    expect(made).toMatchObject({ role: 1, quota: 0, used_quota: 0, group: 'default', aff_quota: 0 })
    expect(made!.id).not.toBe(1)
  })

  it('a token for somebody else, with a key of their choice, or for a group closed to them', async () => {
    const ada = await weir.addVisitor()
    const { json } = await ada.send('POST', '/api/token/', {
      body: {
        name: 'mine',
        user_id: weir.rootId,
        id: 77,
        key: 'k'.repeat(48),
        used_quota: -100,
        created_time: 1,
        status: 1,
      },
    })
    expect(json.data).toMatchObject({ user_id: ada.user.id, used_quota: 0 })
    expect(json.data.key).not.toBe('k'.repeat(48))
    expect(json.data.created_time).toBeGreaterThan(1_700_000_000)
    for (const group of ['staff', '__proto__', 'constructor']) {
      const refused = await ada.send('POST', '/api/token/', { body: { name: 'x', group } })
      expect(refused.json.code, group).toBe('group.disabled')
    }
    for (const remain_quota of [-1, 1.5, 2 ** 53, 1e308, '5']) {
      const refused = await ada.send('POST', '/api/token/', { body: { name: 'x', remain_quota } })
      expect(refused.json.code, String(remain_quota)).toBe('request.invalid')
    }
    expect((await ada.client.tokens.list()).data).toHaveLength(1)
  })

  it('a search of a pattern: % and _ are letters', async () => {
    const ada = await weir.addVisitor()
    for (const name of ['plain', '100%', 'under_score']) await ada.client.tokens.create({ name })
    const names = async (keyword: string) => (await ada.client.tokens.search({ keyword })).data.map(({ name }) => name)
    expect(await names('%')).toEqual(['100%'])
    expect(await names('_')).toEqual(['under_score'])
    expect(await names("'; drop table tokens; --")).toEqual([])
    expect(await names('')).toHaveLength(3)
  })

  it('settings of the super administrator, unless they are', async () => {
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const change = (key: string) => admin.send('PUT', '/api/option/', { body: { key, value: 'https://evil.example' } })
    expect((await change('TopUpLink')).json.code).toBe('setting.root_only')
    const both = {
      options: [
        { key: 'Notice', value: 'sneaked in' },
        { key: 'TopUpLink', value: 'x' },
      ],
    }
    expect((await admin.send('PUT', '/api/option/', { body: both })).json.code).toBe('setting.root_only')
    expect(weir.gateway.settings().Notice).toBe('')
    expect((await change('NoSuchSetting')).json.code).toBe('setting.unknown')
  })
})
