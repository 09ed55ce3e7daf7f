// Setting up: who may, what it makes, and that it happens once whatever happens in between.
import { afterEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { ROOT_INITIAL_QUOTA } from '../../../core/site/setup.ts'
import { failingWhile, openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { nobody } from '../../support/signed-in.ts'

const terminal: Caller = { ...nobody, via: 'local', ip: '127.0.0.1' }
const signIn = { username: 'captain', password: 'longenough' }
const form = { ...signIn, confirmPassword: signIn.password }

const opened: MemoryGateway[] = []
const open = async (wrap?: (storage: Storage) => Storage) => {
  const gateway = await openMemoryGateway({ isNew: true, ...(wrap ? { wrap } : {}) })
  opened.push(gateway)
  return gateway
}
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close()
})

const roots = async ({ storage }: MemoryGateway) =>
  (await storage.users.list({ offset: 0, limit: 100 })).items.filter(({ role }) => role === 100)

describe('setting up', () => {
  test('makes the super administrator with a first balance, and stores the mode of use', async () => {
    const gateway = await open()
    expect(await gateway.ask(terminal, 'site.setupStatus')).toEqual({
      ...{ status: false, root_init: false, database_type: 'sqlite', code_required: false },
    })
    // Installations that are older than the stricter hold have it off.
    expect(gateway.settings().StrictHold).toBe(false)
    await gateway.ask(terminal, 'site.setup', { ...form, SelfUseModeEnabled: true })
    expect(await gateway.storage.users.findRoot()).toMatchObject({
      ...{ username: 'captain', display_name: 'Root User', role: 100, status: 1, quota: ROOT_INITIAL_QUOTA },
    })
    expect(gateway.settings()).toMatchObject({ SelfUseModeEnabled: true, DemoSiteEnabled: false, StrictHold: true })
    expect(await gateway.ask(nobody, 'site.status')).toMatchObject({ setup: true, self_use_mode_enabled: true })
    expect(await gateway.ask(terminal, 'site.setupStatus')).toMatchObject({ status: true, database_type: '' })
    expect(await gateway.storage.ledger.faults()).toEqual([])
    const signedIn = (await gateway.ask(nobody, 'auth.login', signIn)) as { username: string }
    expect(signedIn.username).toBe('captain')
  })

  test('happens once', async () => {
    const gateway = await open()
    await gateway.ask(terminal, 'site.setup', form)
    expect(await gateway.refusal(terminal, 'site.setup', { ...form, username: 'other' })).toBe('setup.done')
    expect(await roots(gateway)).toHaveLength(1)
  })

  test.each([
    ['setup.username', { username: '  ' }],
    ['setup.password_short', { password: 'short', confirmPassword: 'short' }],
    ['setup.password_mismatch', { confirmPassword: 'longenougj' }],
    ['user.limits', { username: 'thirteen-long' }],
    ['user.limits', { password: 'x'.repeat(21), confirmPassword: 'x'.repeat(21) }],
  ])('is refused with %s, and can be tried again', async (code, wrong) => {
    const gateway = await open()
    expect(await gateway.refusal(terminal, 'site.setup', { ...form, ...wrong })).toBe(code)
    expect(await gateway.storage.setup.find()).toBeNull()
    expect(await roots(gateway)).toEqual([])
    await gateway.ask(terminal, 'site.setup', form)
  })

  test('over the network needs the code that the terminal printed', async () => {
    const gateway = await open()
    expect(await gateway.ask(nobody, 'site.setupStatus')).toMatchObject({ code_required: true })
    for (const code of ['', 'wrong', gateway.setupCode.slice(1)]) {
      expect(await gateway.refusal(nobody, 'site.setup', { ...form, code })).toBe('setup.not_here')
    }
    expect(await roots(gateway)).toEqual([])
    await gateway.ask(nobody, 'site.setup', { ...form, code: ` ${gateway.setupCode} ` })
    expect(await roots(gateway)).toHaveLength(1)
  })

  test.each([
    ['of one name', ['captain', 'captain']],
    ['of two names', ['captain', 'pirate']],
    ['of many', ['a', 'b', 'c', 'd', 'a']],
  ])('raced by several, %s, is won by one', async (_, names) => {
    const gateway = await open()
    const results = await Promise.allSettled(
      names.map((username) => gateway.ask(terminal, 'site.setup', { ...form, username })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'setup.done' })
    }
    expect(await roots(gateway)).toMatchObject([{ quota: ROOT_INITIAL_QUOTA }])
  })

  /** The storage of a process that dies at the `count`-th of these steps. */
  function dyingAt(step: 'credit' | 'settings' | 'row', alive: { value: boolean }) {
    const at = (each: typeof step) => () => (step === each && !alive.value ? new Error('the process died') : undefined)
    return (storage: Storage): Storage => ({
      ...storage,
      ledger: failingWhile(storage.ledger, at('credit')),
      settings: { ...storage.settings, save: failingWhile(storage.settings, at('settings')).save },
      setup: { ...storage.setup, insert: failingWhile(storage.setup, at('row')).insert },
    })
  }

  test.each(['credit', 'settings', 'row'] as const)(
    'is finished by a second try after a crash before the %s',
    async (step) => {
      const alive = { value: false }
      const gateway = await open(dyingAt(step, alive))
      await expect(gateway.ask(terminal, 'site.setup', form)).rejects.toThrow('the process died')
      expect(await gateway.storage.setup.find()).toBeNull()
      alive.value = true
      await gateway.ask(terminal, 'site.setup', { ...form, DemoSiteEnabled: true })
      expect(await roots(gateway)).toMatchObject([{ username: 'captain', quota: ROOT_INITIAL_QUOTA }])
      expect(gateway.settings().DemoSiteEnabled).toBe(true)
      expect(await gateway.ask(nobody, 'site.status')).toMatchObject({ setup: true })
    },
  )
})

test('an administrator is told when the database does not answer', async () => {
  let failure: Error | undefined
  const gateway = await open((storage) => ({ ...storage, setup: failingWhile(storage.setup, () => failure) }))
  const admin = await gateway.as('admin')
  expect(await gateway.ask(admin, 'site.check')).toBeNull()
  failure = new Error('connection refused')
  await expect(gateway.ask(admin, 'site.check')).rejects.toMatchObject({ code: 'storage.away' })
})

test('the site tells its notice, about and home page', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  const options = ['Notice', 'About', 'HomePageContent'].map((key) => ({ key, value: `# ${key}` }))
  await gateway.ask(root, 'settings.update', { options })
  expect(await gateway.ask(nobody, 'site.notice')).toBe('# Notice')
  expect(await gateway.ask(nobody, 'site.about')).toBe('# About')
  expect(await gateway.ask(nobody, 'site.home')).toBe('# HomePageContent')
  await gateway.close()
})
