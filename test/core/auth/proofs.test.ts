// Authenticator apps: set up, asked for, used up.
import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import type { User } from '../../../core/users/user.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { nobody } from '../../support/signed-in.ts'

let gateway: MemoryGateway
let ada: Caller
const started: User[] = []
const browser = { ...noSession, browser: () => 'a browser', start: async (user: User) => void started.push(user) }

beforeEach(async () => {
  started.length = 0
  gateway = await openMemoryGateway()
  await gateway.ask(await gateway.as('root'), 'users.create', { username: 'ada', password: 'long enough' })
  const user = (await gateway.storage.users.findByLogin('ada'))?.user ?? null
  ada = { ...nobody, user, via: 'session' }
})
afterEach(() => gateway.close())

const enter = (name: string, input: Record<string, unknown>) =>
  gateway.dispatch(name, input, { caller: nobody, session: browser })
const login = () => enter('auth.login', { username: 'ada', password: 'long enough' })

/** The code that the app of a secret shows now. */
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: gateway.clock.now() })

async function setUp() {
  const { secret } = (await gateway.ask(ada, 'auth.totpBegin')) as { secret: string }
  const given = (await gateway.ask(ada, 'auth.totpConfirm', { code: codeOf(secret) })) as { backup_codes: string[] }
  return { secret, codes: given.backup_codes }
}

test('one that was never confirmed is not asked for', async () => {
  await gateway.ask(ada, 'auth.totpBegin')
  expect(await gateway.refusal(ada, 'auth.totpConfirm', { code: '000000' })).toBe('second_factor.wrong')
  await login()
  expect(started).toHaveLength(1)
})

test('signing in takes a code, each good once', async () => {
  const { secret } = await setUp()
  expect(await gateway.refusal(ada, 'auth.totpBegin')).toBe('second_factor.exists')
  await expect(enter('auth.loginCode', { code: codeOf(secret) })).rejects.toMatchObject({
    code: 'second_factor.expired',
  })
  await expect(login()).rejects.toMatchObject({ code: 'login.second_factor' })
  // The code that confirmed the app has been used.
  await expect(enter('auth.loginCode', { code: codeOf(secret) })).rejects.toMatchObject({ code: 'second_factor.wrong' })
  expect(started).toEqual([])
  gateway.clock.advance(30_000)
  await enter('auth.loginCode', { code: codeOf(secret) })
  expect(started).toHaveLength(1)
  await expect(login()).rejects.toMatchObject({ code: 'login.second_factor' })
  await expect(enter('auth.loginCode', { code: codeOf(secret) })).rejects.toMatchObject({ code: 'second_factor.wrong' })
})

test('a backup code stands in, once, until there are new ones', async () => {
  const { secret, codes } = await setUp()
  expect(codes).toHaveLength(10)
  for (const expected of ['done', 'second_factor.wrong']) {
    await expect(login()).rejects.toMatchObject({ code: 'login.second_factor' })
    const outcome = await enter('auth.loginCode', { code: codes[0] }).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
    expect(outcome).toBe(expected)
  }
  expect(await gateway.ask(ada, 'auth.totp')).toEqual({ enabled: true, backup_codes_left: 9 })
  gateway.clock.advance(30_000)
  await gateway.ask(ada, 'auth.totpBackups', { code: codeOf(secret) })
  await expect(login()).rejects.toMatchObject({ code: 'login.second_factor' })
  await expect(enter('auth.loginCode', { code: codes[1] })).rejects.toMatchObject({ code: 'second_factor.wrong' })
})

test('who has one proves with it, not with the password, and removes it with it', async () => {
  const { secret } = await setUp()
  gateway.clock.advance(30_000)
  expect(await gateway.refusal(ada, 'auth.stepUp', { password: 'long enough' })).toBe('second_factor.wrong')
  await gateway.ask(ada, 'auth.stepUp', { code: codeOf(secret) })
  expect(await gateway.refusal(ada, 'auth.totpRemove', { code: codeOf(secret) })).toBe('second_factor.wrong')
  gateway.clock.advance(30_000)
  await gateway.ask(ada, 'auth.totpRemove', { code: codeOf(secret) })
  await login()
  expect(started).toHaveLength(1)
})
