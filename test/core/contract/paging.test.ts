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
    const reply = (await gateway.ask(root, name, query)) as Item[] | { items: Item[] }
    return (Array.isArray(reply) ? reply : reply.items).map(({ id }) => id)
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
    else expect(Array.isArray(reply)).toBe(true)
    if (paged) expect(await gateway.ask(root, name, { p: 0 })).toMatchObject({ page: 1, page_size: 10 })
  })
})

test.each(['tokens.search', 'channels.search'])('%s gives everything it finds', async (name) => {
  expect(await gateway.ask(root, name, {})).toHaveLength(COUNT)
})
