import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Storage } from '../../core/ports/storage.ts'
import { NEVER_EXPIRES, TOKEN_STATUS, getTokenStatus, type Token, formatPresentedKey } from '../../core/tokens/token.ts'
import { describeWithStorage } from '../support/databases.ts'
import { ledgerWrite, newToken, newUser } from './samples.ts'

const KEY = newToken().key

describeWithStorage('the token store', (open) => {
  async function withUsers(): Promise<Storage> {
    const storage = await open()
    await storage.users.insert(newUser())
    await storage.users.insert(newUser({ username: 'bob' }))
    return storage
  }

  test('gives back what was inserted, with no budget, and finds it by key', async () => {
    const { tokens } = await withUsers()
    const token = await tokens.insert(newToken({ model_limits_enabled: true, model_limits: 'a,b' }))
    expect(token).toEqual({
      ...newToken({ model_limits_enabled: true, model_limits: 'a,b' }),
      id: 1,
      slug: 'laptop-1',
      team_id: 0,
      remain_quota: 0,
      unlimited_quota: false,
      used_quota: 0,
      accessed_time: 0,
      version: 1,
    })
    expect(await tokens.find(1)).toEqual(token)
    expect(await tokens.findByKey(KEY)).toEqual(token)
    expect(await tokens.findByKey(KEY.toLowerCase())).toBeNull()
    expect(await tokens.findByKey('')).toBeNull()
  })

  test('finds what is presented as a whole, by its hash, and up to a channel', async () => {
    const { tokens } = await withUsers()
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    const [own, team, dashed] = [
      await tokens.insert(newToken()),
      await tokens.insert(newToken({ key: '', key_digest: digest('sk-a-team') })),
      await tokens.insert(newToken({ key: '', key_digest: digest('sk-a-team-of-ours') })),
    ]
    const found = async (text: string) => (await tokens.findPresented(formatPresentedKey(text)))?.id
    expect(team).toMatchObject({ key: '', key_digest: digest('sk-a-team') })
    const standIn = `sha256:${digest('sk-a-team')}`
    for (const nothing of ['', '-', 'a', digest('sk-a-team'), standIn, `${standIn}-7`])
      expect(await found(nothing), nothing).toBeUndefined()
    expect(await tokens.findByKey('a-team')).toBeNull()
    for (const time of [1, 2]) {
      expect(await found(KEY), String(time)).toBe(own.id)
      expect(await found(`${KEY}-7`)).toBe(own.id)
      expect(await found('a-team')).toBe(team.id)
      expect(await found('a-team-of-ours')).toBe(dashed.id)
    }
    expect(await tokens.findByKey('a-team')).toMatchObject({ id: team.id, key: 'a-team' })
    expect(await tokens.find(team.id)).not.toHaveProperty('key_digest')
  })

  test('gives a slug that no other has, not even one from a file', async () => {
    const { tokens } = await withUsers()
    await tokens.insert(newToken({ slug: 'laptop-2' }))
    const second = await tokens.insert(newToken({ key: 'y'.repeat(48) }))
    expect(second).toMatchObject({ id: 2, slug: 'laptop-2-2' })
    expect(await tokens.insert(newToken({ key: 'z'.repeat(48), name: '电脑' }))).toMatchObject({ slug: 'token-3' })
  })

  test('keeps no token of an unknown user and no key twice', async () => {
    const { tokens } = await withUsers()
    await tokens.insert(newToken())
    await expect(tokens.insert(newToken({ user_id: 2 }))).rejects.toThrow()
    await expect(tokens.insert(newToken({ user_id: 99, key: 'x'.repeat(48) }))).rejects.toThrow()
  })

  test('lists the tokens of one user, newest first', async () => {
    const { tokens } = await withUsers()
    for (const name of ['one', 'two', 'three']) await tokens.insert(newToken({ name, key: name.repeat(10) }))
    await tokens.insert(newToken({ user_id: 2 }))
    const { items: list } = await tokens.listOfUser(1, {}, { offset: 0, limit: 2 })
    expect(list.map((token) => token.name)).toEqual(['three', 'two'])
  })

  test('searches by part of the name, and by the whole key or its beginning', async () => {
    const { tokens } = await withUsers()
    await tokens.insert(newToken({ name: '50% off' }))
    await tokens.insert(newToken({ name: '500 off', key: `abcdef${'9'.repeat(42)}` }))
    const names = async (query: { keyword?: string; key?: string }) =>
      (await tokens.listOfUser(1, query, { offset: 0, limit: 10 })).items.map((token) => token.name)
    expect(await names({ keyword: '50%' })).toEqual(['50% off'])
    expect(await names({ keyword: 'OFF' })).toEqual(['500 off', '50% off'])
    expect(await names({ key: 'sk-abc' })).toEqual(['500 off', '50% off'])
    expect(await names({ key: 'abcdefg' })).toEqual(['50% off'])
    expect(await names({ key: `sk-${KEY}` })).toEqual(['50% off'])
    expect(await names({ key: `${KEY}x` })).toEqual([])
    expect(await names({ key: 'ABC' })).toEqual([])
    expect(await names({ key: '%' })).toEqual([])
    expect(await tokens.listOfUser(2, { key: KEY }, { offset: 0, limit: 10 })).toEqual({ items: [], total: 0 })
  })

  test('narrows its list down by group, and by the state a token is really in', async () => {
    const { tokens, ledger } = await withUsers()
    const now = Math.floor(Date.now() / 1000)
    const made = fc.sample(
      fc.record({
        status: fc.constantFrom(TOKEN_STATUS.enabled, TOKEN_STATUS.disabled),
        expired_time: fc.constantFrom(NEVER_EXPIRES, now - 60, now + 3600, 0),
        unlimited_quota: fc.boolean(),
        remain_quota: fc.constantFrom(0, 7),
        group: fc.constantFrom('', 'vip', '50%'),
      }),
      40,
    )
    const stored: Token[] = []
    for (const [index, { unlimited_quota, remain_quota, ...fields }] of made.entries()) {
      const { id } = await tokens.insert(newToken({ ...fields, key: String(index).padStart(48, 'k') }))
      await ledger.transact(async (transaction) =>
        transaction.write(ledgerWrite({ budgets: [{ id, unlimited_quota, remain_quota }] })),
      )
      stored.push((await tokens.find(id))!)
    }
    const idsOf = (list: readonly Token[]) => list.map(({ id }) => id).sort((a, b) => a - b)
    for (const status of [0, 1, 2, 3, 4, 9])
      for (const group of ['', 'vip', '50%', 'none']) {
        const { items, total } = await tokens.listOfUser(1, { status, group }, { offset: 0, limit: 100 })
        const wanted = stored.filter(
          (token) => (status === 0 || getTokenStatus(token, now) === status) && (group === '' || token.group === group),
        )
        expect([idsOf(items), total]).toEqual([idsOf(wanted), wanted.length])
      }
  })

  test('changes only what a patch may change', async () => {
    const { tokens } = await withUsers()
    await tokens.insert(newToken())
    const patch = {
      name: 'desk',
      status: 2,
      expired_time: 5,
      group: 'vip',
      remain_quota: 9,
      unlimited_quota: true,
      key: 'no',
    }
    await tokens.update(1, patch)
    expect(await tokens.findByKey(KEY)).toMatchObject({
      ...{ name: 'desk', status: 2, expired_time: 5, group: 'vip' },
      ...{ remain_quota: 0, unlimited_quota: false },
    })
  })

  test('never gives a deleted token again', async () => {
    const { tokens } = await withUsers()
    await tokens.insert(newToken())
    await tokens.delete(1)
    expect(await tokens.find(1)).toBeNull()
    expect(await tokens.findByKey(KEY)).toBeNull()
    expect(await tokens.listOfUser(1, {}, { offset: 0, limit: 10 })).toEqual({ items: [], total: 0 })
    expect(await tokens.listOfUser(1, { key: KEY }, { offset: 0, limit: 10 })).toEqual({ items: [], total: 0 })
  })
})
