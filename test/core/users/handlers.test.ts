// Accounts: made, found, signed in to, and what they may call.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import type { User } from '../../../core/users/user.ts'
import { newChannel } from '../../storage/samples.ts'
import { nobody, openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
let admin: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  admin = await gateway.as('admin')
})
afterEach(() => gateway.close())

const alice = { username: 'alice', password: 'long enough' }
const create = (fields: object = {}) => gateway.ask(admin, 'users.create', { ...alice, ...fields })
const found = async () => (await gateway.storage.users.findByLogin('alice'))?.user as User

describe('an account', () => {
  test('begins as an ordinary user with the quota for new users, by an entry and a log row', async () => {
    const root = await gateway.as('root')
    await gateway.ask(root, 'settings.update', { key: 'QuotaForNewUser', value: '5000' })
    await create({ display_name: ' Alice ' })
    expect(await found()).toMatchObject({ role: 1, status: 1, group: 'default', quota: 5000, display_name: 'Alice' })
    expect(await gateway.ask(root, 'quota.verify')).toMatchObject({ ok: true, faults: [] })
    expect(await gateway.ask(admin, 'logs.list', { username: 'alice' })).toMatchObject({
      total: 1,
      items: [{ type: 4 }],
    })
  })

  test.each([
    ['user.required', { username: ' ' }],
    ['user.limits', { username: 'thirteen-long' }],
    ['user.limits', { password: 'short' }],
    ['user.limits', { password: 'x'.repeat(21) }],
  ])('is refused with %s: %j', async (code, wrong) => {
    expect(await gateway.refusal(admin, 'users.create', { ...alice, ...wrong })).toBe(code)
  })

  test('has a name of its own, in whichever case it is written', async () => {
    await create()
    expect(await gateway.refusal(admin, 'users.create', { ...alice, username: 'ALICE' })).toBe('user.name_taken')
  })

  test('shows neither its password nor the hash of it', async () => {
    await create()
    const { id } = await found()
    for (const reply of [
      await gateway.ask(admin, 'users.get', { id }),
      await gateway.ask(admin, 'users.list'),
      await gateway.ask(admin, 'users.search', { keyword: 'alice' }),
    ]) {
      expect(JSON.stringify(reply)).not.toMatch(/password|argon2|access_token/)
    }
  })

  test('shows its owner the balance of now, not of the sign-in', async () => {
    const user = await gateway.as('user')
    await gateway.storage.users.update(user.user?.id ?? 0, { display_name: 'renamed' })
    expect(await gateway.ask(user, 'users.self')).toMatchObject({ display_name: 'renamed' })
  })

  test('may call what enabled channels serve to its groups', async () => {
    await gateway.storage.channels.insert([
      newChannel({ models: 'a', group: 'default' }),
      newChannel({ models: 'b', group: 'vip' }),
      newChannel({ models: 'c', group: 'svip' }),
      newChannel({ models: 'd', group: 'default', status: 2 }),
    ])
    await gateway.storage.announce({ topic: 'channels', id: 0 })
    expect(await gateway.ask(await gateway.as('user'), 'users.models')).toEqual(['a', 'b'])
  })

  test('has one access token at a time', async () => {
    const user = await gateway.as('user')
    const first = (await gateway.ask(user, 'users.accessToken')) as string
    const second = (await gateway.ask(user, 'users.accessToken')) as string
    const owner = (token: string) => gateway.storage.users.findByAccessToken(gateway.ports.secrets.hash(token))
    expect(await owner(first)).toBeNull()
    expect((await owner(second))?.id).toBe(user.user?.id)
  })
})

describe('signing in', () => {
  const started: User[] = []
  const session = { ...noSession, start: async (user: User) => void started.push(user) }
  const login = (input: object) => gateway.dispatch('auth.login', { ...input }, { caller: nobody, session })
  beforeEach(() => void started.splice(0))

  test('starts a session and tells who it is, and no more', async () => {
    await create()
    const { data } = await login({ ...alice, username: ' Alice ' })
    expect(Object.keys(data as object).sort()).toEqual(['display_name', 'group', 'id', 'role', 'status', 'username'])
    expect(started.map(({ username }) => username)).toEqual(['alice'])
  })

  test('is refused alike for a wrong name, a wrong password and a banned user', async () => {
    await create()
    const wrong = [
      { username: 'nobody', password: alice.password },
      { username: 'alice', password: 'wrong password' },
    ]
    for (const input of wrong) await expect(login(input)).rejects.toMatchObject({ code: 'login.failed' })
    await gateway.storage.users.update((await found()).id, { status: 2 })
    await expect(login(alice)).rejects.toMatchObject({ code: 'login.failed' })
    await expect(login({ username: ' ', password: 'x' })).rejects.toMatchObject({ code: 'login.missing' })
    await expect(login({ username: 'alice' })).rejects.toMatchObject({ code: 'login.missing' })
    expect(started).toEqual([])
  })

  test('by password can be switched off', async () => {
    await create()
    const root = await gateway.as('root')
    const options = [
      { key: 'GitHubClientId', value: 'another way in' },
      { key: 'GitHubOAuthEnabled', value: 'true' },
      { key: 'PasswordLoginEnabled', value: 'false' },
    ]
    await gateway.ask(root, 'settings.update', { options })
    await expect(login(alice)).rejects.toMatchObject({ code: 'login.closed' })
  })
})
