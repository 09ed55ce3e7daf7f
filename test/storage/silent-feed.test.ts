// The caches of callers, channels and settings while no change arrives although the connection seems to work.
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { createCallerCache } from '../../core/auth/caller-cache.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { createFakeClock } from '../support/clock.ts'
import { ports } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { newToken, newUser } from './samples.ts'
import { formatPresentedKey } from '../../core/tokens/token.ts'

const MINUTE_MS = 60_000
const opened: Storage[] = []
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
})

/** A process with a caller that it knows. */
async function knowing(place: { database?: string; folder?: string }) {
  const clock = createFakeClock()
  const storage = await openStorage({ ...place, ...ports(), clock })
  opened.push(storage)
  const callers = createCallerCache(storage, clock)
  if ((await storage.users.find(1)) === null) {
    await storage.users.insert(newUser())
    await storage.tokens.insert(newToken({ user_id: 1, key: 'the-key' }))
  }
  await callers.find(formatPresentedKey('the-key'))
  const status = async () => (await callers.find(formatPresentedKey('the-key')))?.user.status
  return {
    clock,
    storage,
    status,
    tokenStatus: async () => (await callers.find(formatPresentedKey('the-key')))?.token?.status,
  }
}

/** A way to PostgreSQL on which the listening connection can be made to hear nothing, without anybody noticing. */
async function mutable(database: string) {
  const { hostname, port } = new URL(database)
  const listening: Socket[] = []
  let muted = false
  const server = createServer((socket) => {
    const there = connect(Number(port), hostname)
    let listens = false
    socket.on('data', (data) => {
      if (!listens && data.includes('listen weir_changes')) listens = listening.push(socket) > 0
      there.write(data)
    })
    there.on('data', (data) => {
      // The answer to `listen` itself still comes.
      if (!(muted && listens && data.includes('weir_changes'))) socket.write(data)
    })
    for (const [one, other] of [
      [socket, there],
      [there, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = new URL(database)
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, listening, mute: (is: boolean) => void (muted = is) }
}

test('callers expire within a minute while the feed of PostgreSQL is silent, again and again, and it is connected anew', async () => {
  const database = await freshDatabase()
  const other = await openStorage({ database, ...ports() })
  opened.push(other)
  const line = await mutable(database)
  const { clock, status, tokenStatus } = await knowing({ database: line.url })
  const change = async (user: number, token: number) => {
    await other.users.update(1, { status: user })
    await other.tokens.update(1, { status: token })
    await other.announce({ topic: 'users', id: 1 })
    await other.announce({ topic: 'tokens', id: 1 })
  }
  /** Time passes as it does, and beats have time to be heard. */
  async function passing(ms: number) {
    for (let at = 0; at < ms; at += 10_000) {
      clock.advance(10_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  await passing(2 * MINUTE_MS)
  expect(line.listening, 'a feed that carries stays').toHaveLength(1)

  line.mute(true)
  for (const [user, token] of [
    [2, 1],
    [1, 2],
    [2, 1],
  ] as const) {
    await change(user, token)
    await passing(MINUTE_MS)
    expect([await status(), await tokenStatus()]).toEqual([user, token])
  }
  await vi.waitFor(() => expect(line.listening.length).toBeGreaterThan(1), { timeout: 5_000 })

  line.mute(false)
  await passing(MINUTE_MS)
  await vi.waitFor(async () => {
    await change(1, 1)
    expect([await status(), await tokenStatus()]).toEqual([1, 1])
  })
})

test('what was never announced by who wrote it holds within a minute on sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-silent-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { clock, status, storage } = await knowing({ folder })
  expect(await status()).toBe(1)
  // Another program: the lock is Weir's own and keeps nobody else out.
  const { default: knex } = await import('knex')
  const elsewhere = knex({
    client: 'sqlite3',
    connection: { filename: join(folder, 'weir.db') },
    useNullAsDefault: true,
  })
  await elsewhere('users').update({ status: 2 })
  await elsewhere.destroy()
  expect(await status()).toBe(1)
  clock.advance(MINUTE_MS)
  await vi.waitFor(async () => expect(await status()).toBe(2))
  // Its own writing is no reason to forget anything.
  let dropped = 0
  storage.onChange(() => void dropped++)
  await storage.users.update(1, { group: 'vip' })
  clock.advance(MINUTE_MS)
  // Behind what the clock began.
  await storage.users.update(1, { group: 'default' })
  expect(dropped).toBe(0)
})
