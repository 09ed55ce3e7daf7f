// Two people edit one row: whoever saves second is told so, where they say which version they read.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'
import { joinTeam } from '../support/teams.ts'

/** A row, and two things that a person makes of it. */
interface Edited {
  visitor: Visitor
  read(): Promise<{ version: number }>
  first: Record<string, unknown>
  second: Record<string, unknown>
  /** What the audit says of the first. */
  by?: string
}

/** One for each endpoint that changes rows which carry a version. */
const EDITS: Record<string, (weir: TestGateway) => Promise<Edited>> = {
  async 'channels.update'(weir) {
    const [made] = await weir.root.client.channels.create({ name: 'one', key: 'k', models: 'm' })
    const id = made?.id ?? 0
    return {
      ...{ visitor: weir.root, read: () => weir.root.client.channels.get({ id }), by: 'root' },
      ...{ first: { id, weight: 3 }, second: { id, name: 'two', weight: 4 } },
    }
  },
  async 'tokens.update'(weir) {
    const visitor = await weir.addVisitor()
    const { id } = await visitor.client.tokens.create({ name: 'one' })
    const read = () => visitor.client.tokens.get({ id })
    return { visitor, read, first: { id, remain_quota: 5 }, second: { id, name: 'two', remain_quota: 6 } }
  },
  async 'tokens.updateOf'(weir) {
    const { user } = await weir.addUser()
    const { tokens } = weir.root.client
    const { id } = await tokens.createOf({ user_id: user.id, name: 'one' })
    const read = async () => (await tokens.ofUser({ user_id: user.id })).data[0]!
    const [first, second] = ['two', 'three'].map((name) => ({ user_id: user.id, id, name }))
    return { visitor: weir.root, read, first: first!, second: second!, by: 'root' }
  },
  async 'users.update'(weir) {
    const { user } = await weir.addVisitor()
    const read = () => weir.root.client.users.get({ id: user.id })
    const [first, second] = ['Ann', 'Anna'].map((display_name) => ({ id: user.id, display_name }))
    return { visitor: weir.root, read, first: first!, second: second!, by: 'root' }
  },
  async 'users.updateSelf'(weir) {
    const visitor = await weir.addVisitor()
    const read = () => visitor.client.users.self()
    return { visitor, read, first: { display_name: 'Ann' }, second: { display_name: 'Anna' } }
  },
  async 'redemptions.update'(weir) {
    const [code] = (await weir.root.client.redemptions.create({ name: 'one', quota: 5, count: 1 })).codes
    const id = code?.id ?? 0
    const read = () => weir.root.client.redemptions.get({ id })
    return { visitor: weir.root, read, first: { id, name: 'two' }, second: { id, name: 'three' } }
  },
  async 'teams.putMember'(weir) {
    const [visitor, other] = [await weir.addVisitor(), await weir.addVisitor()]
    const { id } = await visitor.client.teams.create({ name: `of ${visitor.user.id}` })
    const { username } = other.user
    await joinTeam(weir.gateway, { id, username })
    const [first, second] = [5, 6].map((budget_day) => ({ id, username, budget_day }))
    const read = async () => {
      const { members } = await visitor.client.teams.get({ id })
      return { id, ...members.find((member) => member.username === username)! }
    }
    return { visitor, read, first: first!, second: second!, by: visitor.user.username }
  },
  async 'auth.providerUpdate'(weir) {
    const well_known = 'https://one.example/.well-known/openid-configuration'
    const given = { id: `own-${Date.now().toString(36)}`, name: 'One', well_known, client_id: 'weir', enabled: false }
    const { auth } = weir.root.client
    const { version: _read, ...one } = await auth.providerCreate({ ...given, client_secret: 'a secret' })
    const read = async () => (await auth.providerList()).find(({ id }) => id === given.id)!
    const [first, second] = ['Two', 'Three'].map((name) => ({ ...one, client_secret: '', name }))
    return { visitor: weir.root, read, first: first!, second: second!, by: 'root' }
  },
  async 'alerts.update'(weir) {
    const { alerts } = weir.root.client
    const { id } = await alerts.create({ name: 'one', kind: 'disk', threshold: 5 })
    const read = async () => (await alerts.list()).find((rule) => rule.id === id)!
    const [first, second] = ['two', 'three'].map((name) => ({ id, name }))
    return { visitor: weir.root, read, first: first!, second: second!, by: 'root' }
  },
  async 'teams.update'(weir) {
    const visitor = await weir.addVisitor()
    const { id } = await visitor.client.teams.create({ name: `one of ${visitor.user.id}` })
    const [first, second] = ['two', 'three'].map((name) => ({ id, name: `${name} of ${visitor.user.id}` }))
    const read = () => visitor.client.teams.get({ id })
    return { visitor, read, first: first!, second: second!, by: visitor.user.username }
  },
}

/** How a visitor asks any endpoint by its name. */
function call({ client }: Visitor, name: string, input: object): Promise<unknown> {
  const [noun = '', verb = ''] = name.split('.')
  const verbs = client[noun as keyof typeof client] as unknown as Record<string, (input: object) => Promise<unknown>>
  return verbs[verb]!(input)
}

it('every endpoint that changes a row with a version takes the one that was read', () => {
  // A tag has many rows, and no version.
  const changing = [...endpointsByName].filter(
    ([name, { method, row }]) => method === 'PUT' && row && 'version' in row.shape && name !== 'channels.updateTag',
  )
  expect(changing.map(([name]) => name).sort()).toEqual(Object.keys(EDITS).sort())
  for (const [name, { body }] of changing) expect(body?.shape, name).toHaveProperty('version')
})

describeWithGateway('two who edit the same', (weir) => {
  it.each(Object.keys(EDITS))('%s refuses whoever read what is no longer so', async (name) => {
    const { visitor, read, first, second, by } = await EDITS[name]!(weir)
    const { version } = await read()
    await call(visitor, name, { ...first, version })
    const after = await read()
    expect(after.version).toBe(version + 1)

    const refused = await call(visitor, name, { ...second, version }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'edit.conflict', status: 409 })
    if (by) expect((refused as Error).message).toMatch(new RegExp(`by ${by}, \\d{4}-`))
    expect(await read()).toEqual(after)

    // The same again is no edit; with the version that is there, and without one, it is saved.
    await call(visitor, name, { ...first, version: after.version })
    expect((await read()).version).toBe(after.version)
    await call(visitor, name, { ...second, version: after.version })
    await call(visitor, name, first)
    expect((await read()).version).toBe(after.version + 2)
  })

  it('settings are written only where they are what was read, all of them or none', async () => {
    const { settings } = weir.root.client
    const valueOf = async (key: string) => (await settings.list()).find((one) => one.key === key)!.value
    for (const key of ['RetryTimes', 'SystemName', 'GroupRatio'])
      await weir.set(key, key === 'GroupRatio' ? { default: 1, vip: 1 } : 3)
    const [was, name, groups] = [await valueOf('RetryTimes'), await valueOf('SystemName'), await valueOf('GroupRatio')]
    await settings.update({ key: 'RetryTimes', value: '5', was })
    const late = [
      { key: 'SystemName', value: 'Other', was: name },
      { key: 'RetryTimes', value: '7', was },
    ]
    const refused = await settings.update({ options: late }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'edit.conflict', status: 409 })
    expect((refused as Error).message).toMatch(/\(RetryTimes: the last change on record is by root, \d{4}-/)
    expect([await valueOf('RetryTimes'), await valueOf('SystemName')]).toEqual(['5', name])
    await settings.update({ options: [{ ...late[0]! }, { ...late[1]!, was: '5' }] })
    expect([await valueOf('RetryTimes'), await valueOf('SystemName')]).toEqual(['7', 'Other'])
    // Of many who read the same, one writes; who says nothing writes whatever happened.
    const many = Array.from({ length: 6 }, (_, at) =>
      settings.update({ key: 'GroupRatio', value: JSON.stringify({ default: 1, vip: at + 2 }), was: groups }),
    )
    const told = await Promise.allSettled(many)
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await settings.update({ key: 'RetryTimes', value: '3' })
  })

  it('of many at once one is saved', async () => {
    const { visitor, read, first } = await EDITS['channels.update']!(weir)
    const { version } = await read()
    const many = Array.from({ length: 8 }, (_, weight) =>
      call(visitor, 'channels.update', { ...first, weight: weight + 10, version }),
    )
    const told = await Promise.allSettled(many)
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await read()).version).toBe(version + 1)
  })

  it('what changes by itself is no edit, nor is a switch; a change of a tag is', async () => {
    const { first } = await EDITS['channels.update']!(weir)
    const id = Number(first.id)
    const { channels } = weir.root.client
    await weir.gateway.ports.storage.channels.update(id, { balance: 3, test_time: 4, status: 3, other_info: '{}' })
    await channels.update({ id, status: 2, version: 1 })
    await channels.update({ id, status: 1, version: 1 })
    expect(await channels.get({ id })).toMatchObject({ version: 1, status: 1 })
    await channels.tagMany({ ids: [id], tag: 'versions' })
    await channels.disableTag({ tag: 'versions' })
    expect(await channels.get({ id })).toMatchObject({ version: 2, status: 2 })
    await expect(channels.update({ id, name: 'other', version: 1 })).rejects.toMatchObject({ code: 'edit.conflict' })
    expect((await channels.copy({ id })).version).toBe(1)

    const { user } = await weir.addUser({ quota: 1000 })
    await weir.root.client.users.manage({ id: user.id, action: 'disable' })
    expect((await weir.root.client.users.get({ id: user.id })).version).toBe(1)
  })
})
