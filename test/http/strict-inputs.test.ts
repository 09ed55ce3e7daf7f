// Meaningless input is rejected with a clear message, and fields that a form has only read stay unchanged.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

describeWithGateway('a user’s row sent back', (weir) => {
  const balance = async (id: number) => (await weir.root.client.users.get({ id })).quota

  it('never gives back what was charged since it was read', async () => {
    const { user } = await weir.addUser({ quota: 1000 })
    const { ledger } = weir.gateway.ports.storage
    expect(ledger).toBeDefined()
    const row = await weir.root.client.users.get({ id: user.id })
    await weir.addChannel()
    const put = async (body: object) => (await weir.root.send('PUT', '/api/user/', { body })).json
    await charge(user.id)
    const left = await balance(user.id)
    expect(left).toBeLessThan(1000)
    // The row as it was read, with a name changed; and the same without what says which balance was seen.
    expect((await put({ ...row, display_name: 'Ada' })).success).toBe(true)
    expect(await balance(user.id)).toBe(left)
    const { quota_before: _seen, ...bare } = row
    expect(await put({ ...bare, display_name: 'Ada L.' })).toMatchObject({
      code: 'user.quota_moved',
      message: expect.stringContaining(`The balance is ${left} by now`),
    })
    expect(await balance(user.id)).toBe(left)
    // What differs from the row is applied, and nothing else.
    expect((await put({ ...row, version: row.version + 1, quota: 1500 })).success).toBe(true)
    expect(await balance(user.id)).toBe(left + 500)
    expect((await put({ id: user.id, quota: left + 500 })).success).toBe(true)
    expect((await weir.gateway.client.quota.verify()).ok).toBe(true)

    async function charge(id: number) {
      weir.upstream.reply(() => ({
        body: {
          choices: [{ message: { role: 'assistant', content: 'Hi' } }],
          usage: { prompt_tokens: 400, completion_tokens: 100 },
        },
      }))
      const found = await weir.gateway.ports.storage.users.find(id)
      const token = await weir.addToken(found!)
      const headers = { authorization: `Bearer sk-${token.key}` }
      const body = { model: weir.model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 }
      expect((await send('POST', `${weir.url}/v1/chat/completions`, { headers, body })).status).toBe(200)
    }
  })

  it('may be set to a balance outright before anything was charged', async () => {
    const { user } = await weir.addUser({ quota: 1000 })
    await weir.root.client.users.update({ id: user.id, quota: 700 })
    expect(await balance(user.id)).toBe(700)
  })

  it('keeps its names and its group in order', async () => {
    const ada = await weir.addVisitor()
    const code = async (body: object) =>
      (await weir.root.send('PUT', '/api/user/', { body: { id: ada.user.id, ...body } })).json.code
    const own = async (body: object) => (await ada.send('PUT', '/api/user/self', { body })).json.code
    for (const change of [{ username: ' ' }, { display_name: '' }]) {
      expect(await code(change)).toBe('user.name_empty')
      expect(await own(change)).toBe('user.name_empty')
    }
    const long = { display_name: 'x'.repeat(21) }
    expect(await code(long)).toBe('user.display_name')
    expect(await own(long)).toBe('user.display_name')
    const account = { username: 'long', password: 'long enough' }
    expect((await weir.root.send('POST', '/api/user/', { body: { ...account, ...long } })).json.code).toBe(
      'user.display_name',
    )
    expect(await code({ group: 'nowhere' })).toBe('group.unknown')
    expect(await code({ group: 'vip' })).toBeUndefined()
  })
})

describeWithGateway('a body', (weir) => {
  it('with a field that nobody knows changes nothing, wherever rows are written', async () => {
    const ada = await weir.addVisitor()
    const token = await ada.client.tokens.create({ name: 'own' })
    const channel = await weir.addChannel({ tag: 'tagged' })
    const well_known = 'https://id.example/.well-known/openid-configuration'
    const provider = { id: 'own', name: 'Own', well_known, client_id: 'weir', enabled: false }
    const [key = ''] = (await weir.root.client.redemptions.create({ name: 'code' })).data
    const code = (await weir.root.client.redemptions.list()).items.find((each) => each.key === key)!
    const team = await weir.root.client.teams.create({ name: `team beside ${ada.user.id}` })
    const rows: Record<string, object> = {
      ...{ 'tokens.create': { name: 'x' }, 'tokens.update': token, 'channels.update': channel },
      'tokens.createOf': { name: 'x' },
      'tokens.updateOf': await weir.root.client.tokens.createOf({ user_id: ada.user.id, name: 'given' }),
      'channels.create': { name: 'c', key: 'k', models: 'm', groups: ['default'] },
      'channels.try': { type: 1000, name: 'c', key: 'k', models: 'sandbox-small' },
      ...{ 'teams.create': { name: `another team of ${ada.user.id}` }, 'teams.update': team },
      'teams.putMember': { ...(await weir.root.client.teams.get({ id: team.id })).members[0], id: team.id },
      ...{ 'redemptions.create': { name: 'r' }, 'redemptions.update': code },
      'users.update': await weir.root.client.users.get({ id: ada.user.id }),
      'users.updateSelf': await ada.client.users.self(),
      'users.setting': { notify_type: 'email', quota_warning_threshold: 5 },
      'users.create': { username: 'fresh', password: 'a long password' },
      'users.createAccessToken': { name: 'script', scope: 'read' },
      'groups.set': { name: 'gold', ratio: 1, users: 0 },
      'channels.updateTag': { tag: 'tagged', priority: 1 },
      'alerts.create': { name: 'spend', kind: 'spend', threshold: 5 },
      'alerts.update': await weir.root.client.alerts.create({ name: 'disk', kind: 'disk', threshold: 5 }),
      'auth.providerCreate': provider,
      'auth.providerUpdate': provider,
    }
    for (const [name, row] of Object.entries(rows)) {
      const { method, path } = endpointsByName.get(name)!
      const asker = /^(tokens\.(create|update)$|users\.(updateSelf|setting))/.test(name) ? ada : weir.root
      for (const field of ['allowed_models', 'allow_networks', 'max_tokens']) {
        const { json } = await asker.send(method, path.replace('{user_id}', String(ada.user.id)), {
          body: { ...row, [field]: ['x'] },
        })
        expect(json, `${name} ${field}`).toMatchObject({ success: false, code: 'request.unknown_field' })
      }
      expect(
        (await asker.send(method, path.replace('{user_id}', String(ada.user.id)), { body: row })).json,
        name,
      ).toMatchObject({ success: true })
    }
  })

  it('of a token names addresses that are some, and models once', async () => {
    const ada = await weir.addVisitor()
    const make = async (body: object) => (await ada.send('POST', '/api/token/', { body: { name: 'n', ...body } })).json
    for (const line of ['nonsense', '203.0.113.9/33', '10.0.0.0/', 'example.com', '1.2.3.4.5']) {
      expect(await make({ allow_ips: `203.0.113.9\n${line}` }), line).toMatchObject({
        code: 'token.addresses',
        message: expect.stringContaining(line),
      })
    }
    expect((await make({ allow_ips: ' 203.0.113.9\n10.0.0.0/8 \n::1' })).success).toBe(true)
    expect((await make({ model_limits: ' gpt-4o,,o3, gpt-4o ' })).data.model_limits).toBe('gpt-4o,o3')
    const { data } = await make({})
    for (const name of ['', ' ']) {
      const { json } = await ada.send('PUT', '/api/token/', { body: { id: data.id, name } })
      expect(json.code).toBe('token.name_required')
    }
  })
})

describeWithGateway('a channel', (weir) => {
  it('of Spark is kept with the default version, and in groups that are there', async () => {
    const channel = await weir.addChannel({ type: 18, key: 'password', models: ' SparkDesk,,SparkDesk ', other: '' })
    expect(channel).toMatchObject({ other: 'v2.1', models: 'SparkDesk' })
    expect(await weir.root.client.channels.update({ id: channel.id, other: ' ' })).toMatchObject({ other: 'v2.1' })
    const code = async (method: string, body: object) =>
      (await weir.root.send(method, '/api/channel/', { body })).json.code
    const form = { name: 'c', key: 'k', models: 'm', group: 'default,nowhere' }
    expect(await code('POST', form)).toBe('group.unknown')
    expect(await code('PUT', { id: channel.id, group: 'nowhere' })).toBe('group.unknown')
  })

  it('stays off when a form of before is saved, and is switched by its status alone', async () => {
    const { id, ...row } = await weir.addChannel()
    await weir.gateway.ports.storage.channels.update(id, { status: 3 })
    expect(await weir.root.client.channels.update({ ...row, key_mode: '', id, name: 'renamed' })).toMatchObject({
      status: 3,
      name: 'renamed',
    })
    expect(await weir.root.client.channels.update({ id, status: 1 })).toMatchObject({ status: 1 })
  })

  it('that fails its test says how long that took', async () => {
    const { id } = await weir.addChannel()
    const { json } = await weir.root.send('GET', `/api/channel/test/${id}`)
    expect(json).toMatchObject({ success: false, code: 'channel.test_failed', time: expect.any(Number) })
    expect(json.time).toBeGreaterThan(0)
  })
})

describeWithGateway('a setting', (weir) => {
  const code = async (options: Record<string, string>) => {
    const body = { options: Object.entries(options).map(([key, value]) => ({ key, value })) }
    return (await weir.root.send('PUT', '/api/option/', { body })).json.code
  }

  it('is refused where it cannot be meant', async () => {
    for (const value of ['yes', '1', 'TRUE', 'on'])
      expect(await code({ DrawingEnabled: value }), value).toBe('setting.flag')
    for (const key of ['TopUpLink', 'general_setting.docs_link', 'Logo', 'WeChatAccountQRCodeImageURL']) {
      for (const value of ['javascript:alert(1)', 'not a link', 'ftp://x.example/', '//x.example/']) {
        expect(await code({ [key]: value }), `${key} ${value}`).toBe('setting.address')
      }
      expect(await code({ [key]: 'https://x.example/a?b=c#d' })).toBeUndefined()
      expect(await code({ [key]: '' })).toBeUndefined()
    }
  })
})
