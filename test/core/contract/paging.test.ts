// Paging of every list.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import { newChannel, newLog, newToken, newUser } from '../../storage/samples.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'

const COUNT = 130

let gateway: MemoryGateway
let root: Caller

beforeAll(async () => {
  gateway = await openMemoryGateway()
  const { storage } = gateway
  root = await gateway.as('root')
  const user_id = root.user?.id ?? 0
  for (let index = 1; index < COUNT; index += 1) await storage.users.insert(newUser({ username: `user${index}` }))
  for (let index = 0; index < COUNT; index += 1) {
    await storage.tokens.insert(newToken({ user_id, key: String(index).padStart(48, 'k') }))
  }
  await storage.channels.insert(Array.from({ length: COUNT }, () => newChannel()))
  await storage.logs.insert(Array.from({ length: COUNT }, () => newLog({ user_id })))
})
afterAll(() => gateway.close())

const lists = [
  { name: 'users.list', base: 1, size: 'page_size', paged: true },
  { name: 'users.search', base: 1, size: 'page_size', paged: true },
  { name: 'logs.list', base: 1, size: 'page_size', paged: true },
  { name: 'logs.listSelf', base: 1, size: 'page_size', paged: true },
  { name: 'channels.list', base: 0, size: 'page_size', paged: false },
  { name: 'tokens.list', base: 0, size: 'size', paged: false },
]

describe.each(lists)('$name', ({ name, base, size, paged }) => {
  interface Item {
    id: number
  }
  async function ids(query: Record<string, unknown>): Promise<number[]> {
    const reply = (await gateway.ask(root, name, query)) as { data: Item[] } | { items: Item[] }
    return ('data' in reply ? reply.data : reply.items).map(({ id }) => id)
  }
  const upTo = (count: number, from = COUNT) => Array.from({ length: count }, (_, index) => from - index)

  test('begins with the newest ten', async () => {
    expect(await ids({})).toEqual(upTo(10))
    expect(await ids({ p: 0 })).toEqual(upTo(10))
    expect(await ids({ p: base })).toEqual(upTo(10))
    expect(await ids({ p: base + 1 })).toEqual(upTo(10, COUNT - 10))
  })

  test('takes numbers as text, and what is no number for the default', async () => {
    expect(await ids({ p: String(base + 2), [size]: '20' })).toEqual(upTo(20, COUNT - 40))
    expect(await ids({ p: 'x', [size]: 'y' })).toEqual(upTo(10))
    expect(await ids({ p: -3, [size]: -5 })).toEqual(upTo(10))
    expect(await ids({ [size]: 0 })).toEqual(upTo(10))
  })

  test('gives a hundred at most', async () => {
    expect(await ids({ [size]: 100 })).toEqual(upTo(100))
    expect(await ids({ [size]: 100_000 })).toEqual(upTo(100))
  })

  test('is empty behind its end, and shows everything once', async () => {
    expect(await ids({ p: base + 99 })).toEqual([])
    expect(await ids({ p: 9_000_000_000_000_000 })).toEqual([])
    const pages = await Promise.all([0, 1, 2].map((page) => ids({ p: base + page, [size]: 50 })))
    expect(pages.flat()).toEqual(upTo(COUNT))
  })

  test('replies in its own shape', async () => {
    const reply = await gateway.ask(root, name, { p: base + 1, [size]: 20 })
    if (paged) expect(reply).toMatchObject({ total: COUNT, page: 2, page_size: 20 })
    else expect(reply).toMatchObject({ data: { length: 20 }, total: COUNT })
    if (paged) expect(await gateway.ask(root, name, { p: 0 })).toMatchObject({ page: 1, page_size: 10 })
  })
})

test('the log is sorted by what no index has only where that is bounded', async () => {
  const own = await openMemoryGateway()
  const caller = await own.as('root')
  const row = newLog({ user_id: 7, quota: 1 })
  for (let batch = 0; batch < 10; batch += 1) await own.storage.logs.insert(Array.from({ length: 10_000 }, () => row))
  const ask = (query: object) => own.ask(caller, 'logs.list', { sort: '-quota', page_size: 1, ...query })
  expect(await ask({})).toMatchObject({ total: 10_000, total_capped: true, items: [{ quota: 1 }] })
  await own.storage.logs.insert([row])
  await expect(ask({})).rejects.toMatchObject({ code: 'list.too_many' })
  expect(await ask({ sort: 'created_at', totals: 'true' })).toMatchObject({ sums: { quota: 100_001 } })
  await own.close()
})

test('channels.search gives everything it finds, tokens.search a hundred where no size is said', async () => {
  expect(await gateway.ask(root, 'channels.search', {})).toHaveLength(COUNT)
  const search = (query: object) => gateway.ask(root, 'tokens.search', { ...query })
  expect(await search({})).toMatchObject({ data: { length: 100 }, total: COUNT })
  expect(await search({ size: 20, p: 6 })).toMatchObject({ data: { length: 10 }, total: COUNT, next_cursor: '' })
})
