import { expect, test } from 'vitest'
import { describeWithStorage } from '../support/databases.ts'
import type { ListOrder } from '../../core/contract/page.ts'
import type { ChannelFilter } from '../../core/channels/store.ts'
import { newChannel } from './samples.ts'

const byPriority = { column: 'priority', descending: true }
const newest = { column: 'id', descending: true }

describeWithStorage('the channel store', (open) => {
  test('gives back what was inserted, in order, and keys only where they are needed', async () => {
    const { channels } = await open()
    const inserted = await channels.insert([
      newChannel({ name: 'one', key: 'k1', tag: 'blue', weight: 3_000_000_000 }),
      newChannel({ name: 'two', key: 'k2' }),
    ])
    expect(inserted.map(({ id, name }) => [id, name])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ])
    expect(inserted[0]).not.toHaveProperty('key')
    const { key: _key, ...visible } = newChannel({ name: 'one', tag: 'blue', weight: 3_000_000_000 })
    const zeroes = { response_time: 0, balance: 0, used_quota: 0, balance_updated_time: 0, test_time: 0, version: 1 }
    expect(inserted[0]).toEqual({ ...visible, ...zeroes, id: 1, slug: 'one' })
    expect(await channels.find(1)).toEqual({ ...inserted[0], key: 'k1' })
    expect((await channels.all()).map((channel) => channel.key)).toEqual(['k1', 'k2'])
    expect((await channels.list({ offset: 0, limit: 5 })).items[0]).not.toHaveProperty('key')
    expect(await channels.find(9)).toBeNull()
  })

  test('lists by priority, or newest first', async () => {
    const { channels } = await open()
    await channels.insert([newChannel({ name: 'high', priority: 9 }), newChannel({ name: 'low' })])
    const names = async (order: ListOrder) =>
      (await channels.list({ offset: 0, limit: 5, order })).items.map((channel) => channel.name)
    expect(await names(byPriority)).toEqual(['high', 'low'])
    expect(await names(newest)).toEqual(['low', 'high'])
  })

  test('searches by id, part of the name, whole key, group and model, with wildcards taken literally', async () => {
    const { channels } = await open()
    await channels.insert([
      newChannel({ name: 'a_b', key: 'secret-one', group: 'default, vip', models: 'gpt-4o' }),
      newChannel({ name: 'axb', key: 'secret-two', group: 'vip2', models: 'claude%x' }),
    ])
    const names = async (query: { keyword?: string; group?: string; model?: string }) =>
      (await channels.search({ keyword: '', group: '', model: '', ...query }, byPriority)).map(({ name }) => name)
    expect(await names({})).toEqual(['axb', 'a_b'])
    expect(await names({ keyword: 'a_b' })).toEqual(['a_b'])
    expect(await names({ keyword: 'secret-two' })).toEqual(['axb'])
    expect(await names({ keyword: 'secret' })).toEqual([])
    expect(await names({ keyword: '2' })).toEqual(['axb'])
    expect(await names({ group: 'vip' })).toEqual(['a_b'])
    expect(await names({ model: 'GPT' })).toEqual(['a_b'])
    expect(await names({ model: '%' })).toEqual(['axb'])
    expect(await names({ keyword: 'a_b', group: 'vip2' })).toEqual([])
  })

  test('narrows its list down by status, type, tag, group and model, with the total of those; so it does tags', async () => {
    const { channels } = await open()
    await channels.insert([
      newChannel({ name: 'a', tag: 'blue', group: 'default , vip', models: 'rare-4x' }),
      newChannel({ name: 'b', tag: 'blue', status: 3, type: 14, group: 'VIP' }),
      newChannel({ name: 'c', tag: 'red', status: 3, group: 'vip_,default' }),
      newChannel({ name: 'd', tag: null, status: 3 }),
    ])
    const found = async (filter: ChannelFilter) => {
      const { items, total } = await channels.list({ offset: 0, limit: 1, order: newest }, filter)
      return [total, items[0]?.name, await channels.tags(filter)]
    }
    expect(await found({})).toEqual([4, 'd', ['blue', 'red', '']])
    expect(await found({ status: 3 })).toEqual([3, 'd', ['blue', 'red', '']])
    expect(await found({ status: 3, type: 14 })).toEqual([1, 'b', ['blue']])
    expect(await found({ tag: 'blue' })).toEqual([2, 'b', ['blue']])
    expect(await found({ group: 'vip' })).toEqual([1, 'a', ['blue']])
    expect(await found({ group: 'vip_' })).toEqual([1, 'c', ['red']])
    expect(await found({ group: 'default,vip' })).toEqual([0, undefined, []])
    expect(await found({ model: '4X' })).toEqual([1, 'a', ['blue']])
    expect((await channels.ofTags(['blue', ''], newest, { status: 3 })).map(({ name }) => name)).toEqual(['d', 'b'])
  })

  test('changes what a patch may change, the key too, and deletes', async () => {
    const { channels } = await open()
    await channels.insert([newChannel()])
    const patch = {
      key: 'fresh',
      balance: 1.25,
      status: 3,
      other_info: '{"status_reason":"x"}',
      used_quota: 5,
      created_time: 1,
    }
    await channels.update(1, patch)
    expect(await channels.find(1)).toMatchObject({
      ...{ key: 'fresh', balance: 1.25, status: 3, other_info: '{"status_reason":"x"}' },
      ...{ used_quota: 0, created_time: 1_700_000_000 },
    })
    expect(await channels.search({ keyword: 'fresh', group: '', model: '' }, byPriority)).toHaveLength(1)
    expect(await channels.search({ keyword: 'upstream-key', group: '', model: '' }, byPriority)).toHaveLength(0)
    expect(await channels.deleteMany({ ids: [1, 9] })).toBe(1)
    expect(await channels.find(1)).toBeNull()
  })

  test('changes and deletes several at once: by id, by tag, by status', async () => {
    const { channels } = await open()
    await channels.insert([
      newChannel({ name: 'a', tag: 'blue' }),
      newChannel({ name: 'b', tag: 'red', status: 2 }),
      newChannel({ name: 'c', tag: 'blue', status: 3 }),
      newChannel({ name: 'd', tag: null }),
      newChannel({ name: 'e', tag: '' }),
    ])
    expect(await channels.tags()).toEqual(['blue', 'red', ''])
    const names = async (tags: string[]) => (await channels.ofTags(tags, newest)).map(({ name }) => name)
    expect(await names(['blue'])).toEqual(['c', 'a'])
    expect(await names([])).toEqual([])
    expect(await channels.updateMany({ tag: 'blue' }, { priority: 5, status: 1 }, { raises: true })).toBe(2)
    expect((await channels.all()).map(({ priority }) => priority)).toEqual([5, 0, 5, 0, 0])
    expect(await channels.updateMany({ ids: [1, 2] }, { tag: 'green' }, { raises: true })).toBe(2)
    expect(await channels.updateMany({ ids: [1, 2] }, {}, { raises: false })).toBe(0)
    expect(await names(['green', 'blue'])).toEqual(['c', 'b', 'a'])
    expect(await channels.deleteMany({ statuses: [2, 3] })).toBe(1)
    expect(await channels.deleteMany({ ids: [] })).toBe(0)
    expect((await channels.all()).map(({ name }) => name)).toEqual(['a', 'c', 'd', 'e'])
  })
})
