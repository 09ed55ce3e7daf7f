import { expect, test } from 'vitest'
import type { Storage } from '../../core/ports/storage.ts'
import { describeBothDatabases } from '../support/databases.ts'
import { newToken, newUser } from './samples.ts'

const KEY = newToken().key

describeBothDatabases('the token store', (open) => {
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
