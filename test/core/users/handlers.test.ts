// Accounts: made, found, signed in to, and what they may call.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import { seconds } from '../../../core/ports/clock.ts'
import { findAccessTokenOwner } from '../../../core/users/access-tokens.ts'
import type { User } from '../../../core/users/user.ts'
import { newChannel } from '../../storage/samples.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import type { Json } from '../../support/json.ts'
import { nobody } from '../../support/signed-in.ts'

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

  test('has its group and first balance from the request that makes it, or none of it is made', async () => {
    const reply = await create({ group: 'vip', quota: 1_250_000, remark: 'a friend' })
    expect(reply).toMatchObject({ group: 'vip', quota: 1_250_000, remark: 'a friend' })
    const { id } = await found()
    expect(await gateway.ask(admin, 'quota.entries', { account_id: id })).toMatchObject({
      items: [{ kind: 'gift', amount: 1_250_000, by_user_id: admin.user?.id }],
    })
    const other = { username: 'other', password: 'long enough', group: 'nowhere' }
    expect(await gateway.refusal(admin, 'users.create', other)).toBe('group.unknown')
    expect(await gateway.storage.users.findByLogin('other')).toBeNull()
  })

  test('is an invitation with an address alone: its owner sets a password by the link, once', async () => {
    const email = 'ada.of.the.long.name@example.com'
    const invited = { email, group: 'vip', quota: 1000 }
    const reply = (await gateway.ask(admin, 'users.create', invited)) as Json
    expect(reply).toMatchObject({ ...invited, username: 'ada.of.the.l' })
    expect(reply.invitation).toMatchObject({ mailed: false, failure: 'No mail server is configured' })
    const { invited: _, ...query } = Object.fromEntries(new URL(reply.invitation.link).searchParams)
    expect(await gateway.refusal(nobody, 'auth.login', { username: email, password: 'long enough' })).toBe(
      'login.failed',
    )
    const password = await gateway.ask(nobody, 'auth.reset', query)
    expect(await gateway.ask(nobody, 'auth.login', { username: email, password })).toMatchObject({ group: 'vip' })
    expect(await gateway.refusal(nobody, 'auth.reset', query)).toBe('reset.invalid')
    expect(await gateway.refusal(admin, 'users.create', invited)).toBe('email.taken')
    expect(await gateway.refusal(admin, 'users.create', { email: 'no address' })).toBe('email.invalid')
  })

  test('is invited by mail where a mail server is set, under a free name, for a week', async () => {
    const root = await gateway.as('root')
    for (const [key, value] of [
      ['SMTPServer', 'mail.example.com'],
      ['SMTPFrom', 'weir@example.com'],
    ])
      await gateway.ask(root, 'settings.update', { key, value })
    await create()
    const reply = (await gateway.ask(admin, 'users.create', { email: 'alice@example.com' })) as Json
    expect(reply.username).toMatch(/^alice_\w{4}$/)
    expect(reply.invitation).toMatchObject({ mailed: true, failure: '' })
    expect(gateway.mailer.mails.at(-1)).toMatchObject({
      to: ['alice@example.com'],
      text: expect.stringContaining('7 days'),
    })
    expect(gateway.mailer.mails.at(-1)?.text).toContain(reply.invitation.link)
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

  test('has one access token by the call of the specification, and others beside it', async () => {
    const user = await gateway.as('user')
    const first = (await gateway.ask(user, 'users.accessToken')) as string
    const form = { name: ' my script ', scope: 'relay' }
    const made = (await gateway.ask(user, 'users.createAccessToken', form)) as { token: string }
    const second = (await gateway.ask(user, 'users.accessToken')) as string
    const owner = (token: string) => findAccessTokenOwner(gateway.ports, token)
    expect(await owner(first)).toBeNull()
    expect(await owner(second)).toMatchObject({
      user: { id: user.user?.id },
      access: { scope: 'all', name: 'default' },
    })
    expect(await owner(made.token)).toMatchObject({ access: { scope: 'relay', name: 'my script', expired_time: -1 } })
    await gateway.ask(user, 'users.revokeAccessToken')
    expect(await owner(second)).toBeNull()
    expect(await owner(made.token)).not.toBeNull()
  })

  test('makes access tokens with a name, so many, and none that outlives the one it is made with', async () => {
    const user = await gateway.as('admin')
    const now = seconds(gateway.clock)
    const refused = (form: object) => gateway.refusal(user, 'users.createAccessToken', { ...form })
    for (const name of ['', ' ', 'x'.repeat(31)]) expect(await refused({ name })).toBe('access_token.name')
    expect(await refused({ name: 'a\u202Eb' })).toBe('field.hidden')
    for (const expired_time of [0, now - 1, now])
      expect(await refused({ name: 'x', expired_time })).toBe('token.expiry')
    expect(await refused({ name: 'x', scope: 'everything' })).toBe('request.invalid')
    const make = (fields: object) => gateway.ask(user, 'users.createAccessToken', { ...fields })
    const made = (await make({ name: 'x', expired_time: now + 60 })) as { token: string }
    expect(await refused({ name: 'x' })).toBe('access_token.name_taken')
    const machine: Caller = { ...user, via: 'access_token', access: { id: 1, scope: 'all', expired_time: now + 60 } }
    for (const expired_time of [-1, now + 61, now + 5]) {
      const name = `made by it ${expired_time}`
      const born = await gateway.ask(machine, 'users.createAccessToken', { name, expired_time })
      expect(born).toMatchObject({ expired_time: expired_time === now + 5 ? now + 5 : now + 60 })
    }
    gateway.clock.advance(59_000)
    expect(await findAccessTokenOwner(gateway.ports, made.token)).not.toBeNull()
    gateway.clock.advance(1000)
    expect(await findAccessTokenOwner(gateway.ports, made.token)).toBeNull()
    for (let n = 5; n <= 20; n += 1) await make({ name: `another ${n}` })
    expect(await refused({ name: 'one too many' })).toBe('access_token.many')
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
