import { expect, test } from 'vitest'
import type { UserFilter } from '../../core/users/store.ts'
import { describeWithStorage } from '../support/databases.ts'
import { newUser } from './samples.ts'

describeWithStorage('the user store', (open) => {
  test('gives back what was inserted, with an empty balance', async () => {
    const { users } = await open()
    const inserted = await users.insert(newUser({ email: 'a@example.com', inviter_id: 7 }))
    expect(inserted).toEqual({
      id: 1,
      username: 'alice',
      display_name: 'Alice',
      role: 1,
      status: 1,
      email: 'a@example.com',
      ...{ github_id: '', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '' },
      group: 'default',
      quota: 0,
      used_quota: 0,
      request_count: 0,
      aff_count: 0,
      aff_quota: 0,
      aff_history_quota: 0,
      version: 1,
      inviter_id: 7,
      setting: '',
      remark: '',
      created_time: 1_700_000_000,
      DeletedAt: null,
    })
    expect(await users.find(inserted.id)).toEqual(inserted)
    expect(await users.find(99)).toBeNull()
    expect(await users.find(1e300)).toBeNull()
    expect(await users.find(1.5)).toBeNull()
  })

  test('refuses a taken username, also in another case and when renaming', async () => {
    const { users } = await open()
    await users.insert(newUser())
    const bob = await users.insert(newUser({ username: 'bob' }))
    await expect(users.insert(newUser({ username: 'ALICE' }))).rejects.toMatchObject({ code: 'user.name_taken' })
    await expect(users.update(bob.id, { username: 'Alice' })).rejects.toMatchObject({ code: 'user.name_taken' })
  })

  test('finds a login by username or e-mail, never by an empty one', async () => {
    const { users } = await open()
    await users.insert(newUser({ username: 'nomail' }))
    await users.insert(newUser({ username: 'alice', email: 'bob', password_hash: 'h1' }))
    await users.insert(newUser({ username: 'bob', email: 'bob@example.com', password_hash: 'h2' }))
    expect((await users.findByLogin('bob'))?.password_hash).toBe('h2')
    expect((await users.findByLogin('bob@EXAMPLE.com'))?.user.username).toBe('bob')
    expect(await users.findByLogin('')).toBeNull()
    expect(await users.findByLogin('nobody')).toBeNull()
    expect(await users.findByLogin('nul\0')).toBeNull()
  })

  test('finds the super administrator, of whom there is never a second', async () => {
    const { users } = await open()
    expect(await users.findRoot()).toBeNull()
    await users.insert(newUser({ username: 'admin', role: 10 }))
    const root = await users.insert(newUser({ username: 'root', role: 100 }))
    await expect(users.insert(newUser({ username: 'root2', role: 100 }))).rejects.toMatchObject({ code: 'setup.done' })
    expect(await users.findRoot()).toEqual(root)
  })

  test('lists newest first, a page at a time, with the total', async () => {
    const { users } = await open()
    for (const username of ['one', 'two', 'three']) await users.insert(newUser({ username }))
    const page = await users.list({ offset: 1, limit: 1 })
    expect(page.items.map((user) => user.username)).toEqual(['two'])
    expect(page.total).toBe(3)
    expect(await users.list({ offset: 1e300, limit: 10 })).toEqual({ items: [], total: 3 })
  })

  test('searches by part of a name, id and group, with wildcards taken literally', async () => {
    const { users } = await open()
    const first = await users.insert(newUser({ username: 'a_b', display_name: '100% Sure' }))
    await users.insert(newUser({ username: 'axb', display_name: 'Other', email: 'Mail@example.com', group: 'vip' }))
    const names = async (keyword: string, group = '') =>
      (await users.search({ keyword, group }, { offset: 0, limit: 10 })).items.map((user) => user.username)
    expect(await names('a_b')).toEqual(['a_b'])
    expect(await names('%')).toEqual(['a_b'])
    expect(await names('!')).toEqual([])
    expect(await names('MAIL@')).toEqual(['axb'])
    expect(await names(String(first.id))).toContain('a_b')
    expect(await names('99999999999999999999')).toEqual([])
    expect(await names('', 'vip')).toEqual(['axb'])
    expect(await names('a_b', 'vip')).toEqual([])
    expect((await users.search({ keyword: '', group: '' }, { offset: 0, limit: 1 })).total).toBe(2)
  })

  test('lists by role and by state; a deregistered account is in no other state', async () => {
    const { users } = await open()
    await users.insert(newUser({ username: 'plain' }))
    await users.insert(newUser({ username: 'boss', role: 10, group: 'vip' }))
    const banned = await users.insert(newUser({ username: 'banned' }))
    await users.update(banned.id, { status: 2 })
    const { id } = await users.insert(newUser({ username: 'gone', role: 10 }))
    await users.update(id, { deleted_at: 5 })
    const names = async (filter: Partial<UserFilter>) =>
      (await users.search({ keyword: '', group: '', ...filter }, { offset: 0, limit: 10 })).items.map(
        (user) => user.username,
      )
    expect(await names({ role: 'admin' })).toEqual(['gone', 'boss'])
    expect(await names({ role: 'user' })).toEqual(['banned', 'plain'])
    expect(await names({ role: 'root' })).toEqual([])
    expect(await names({ status: 'enabled' })).toEqual(['boss', 'plain'])
    expect(await names({ status: 'disabled' })).toEqual(['banned'])
    expect(await names({ status: 'deregistered' })).toEqual(['gone'])
    expect(await names({ role: 'admin', status: 'enabled', group: 'vip', keyword: 'os' })).toEqual(['boss'])
    expect(await names({ role: '', status: '' })).toHaveLength(4)
  })

  test('changes only what a patch may change', async () => {
    const { users } = await open()
    const { id } = await users.insert(newUser())
    const patch = { display_name: 'Al', setting: '{"a":1}', status: 2, quota: 999, used_quota: 999, id: 5, unknown: 1 }
    await users.update(id, patch)
    expect(await users.find(id)).toMatchObject({
      id,
      display_name: 'Al',
      setting: '{"a":1}',
      status: 2,
      quota: 0,
      used_quota: 0,
    })
    await users.update(id, {})
    await users.update(id, { password_hash: 'new' })
    expect((await users.findByLogin('alice'))?.password_hash).toBe('new')
  })
})
