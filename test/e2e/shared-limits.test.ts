// Two processes of the built program on one PostgreSQL and one Redis: what a token may do in a minute it may do once, not once
// at each, and the database counts nothing of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUp, startBuiltServer, type BuiltServer } from '../support/built-server.ts'
import { freshDatabase } from '../support/postgres.ts'
import { redisProgram, startRedis, type RedisServer } from '../support/redis.ts'
import { send, type Visitor } from '../support/server.ts'
import { chatReply, startUpstream, type TestUpstream } from '../support/upstream.ts'
import { weir } from '../support/terminal.ts'

const MODEL = 'gpt-4o-mini'

describe.skipIf(!redisProgram)('two processes and a Redis', () => {
  let folder: string
  let database: string
  let redis: RedisServer
  const servers: BuiltServer[] = []
  let upstream: TestUpstream
  let root: Visitor

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-redis-'))
    redis = await startRedis()
    database = await freshDatabase()
    const env = { WEIR_DATA: folder, LOG_LEVEL: 'warn', DATABASE_URL: database, WEIR_REDIS: redis.url }
    upstream = await startUpstream()
    upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    servers.push(await startBuiltServer(env))
    root = await setUp(env, servers[0]?.url ?? '')
    servers.push(await startBuiltServer(env))
    await root.client.channels.create({ name: 'all', type: 1, key: 'k', base_url: upstream.url, models: MODEL })
    await root.client.settings.update({ key: 'QuotaForNewUser', value: '100000000' })
    await root.client.users.create({ username: 'anna', password: 'a good password' })
  }, 120_000)
  afterAll(async () => {
    for (const { child, ended } of servers) {
      child.kill('SIGTERM')
      await ended
    }
    await upstream.close()
    await redis.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function call(key: string, at: number): Promise<number> {
    const { status } = await send('POST', `${servers[at % 2]?.url}/v1/chat/completions`, {
      headers: { authorization: `Bearer sk-${key}` },
      body: { model: MODEL, messages: [{ role: 'user', content: 'Hello' }] },
    })
    return status
  }
  const rows = async (sql: string) => {
    const client = new pg.Client({ connectionString: database })
    await client.connect()
    const { rows } = await client.query<{ total: string }>(sql)
    await client.end()
    return Number(rows[0]?.total)
  }

  it('let in as many calls together as the token may make', async () => {
    const token = await root.client.tokens.create({ name: 'few', unlimited_quota: true, requests_per_minute: 10 })
    const statuses = await Promise.all(Array.from({ length: 30 }, (_, at) => call(token.key, at)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect(await rows('select count(*) as total from limit_counters')).toBe(0)
    expect(await rows('select count(*) as total from rate_counters')).toBe(0)
  })

  it('go on when Redis goes, each with its share, and keep the books', async () => {
    const token = await root.client.tokens.create({ name: 'away', unlimited_quota: true, requests_per_minute: 8 })
    await redis.stop()
    const statuses: number[] = []
    for (let at = 0; at < 20; at += 1) statuses.push(await call(token.key, at))
    expect(statuses.filter((status) => status === 200)).toHaveLength(8)
    expect(servers.map(({ written }) => written.stderr).join('')).toMatch(/Redis is away/)
    expect((await root.client.attention.list()).map(({ kind }) => kind)).toContain('counts_away')
    const { ok, faults } = await root.client.quota.verify({})
    expect({ ok, faults }).toEqual({ ok: true, faults: [] })
  })

  it('is refused on SQLite, in one sentence', async () => {
    const env = { WEIR_DATA: join(folder, 'alone'), WEIR_REDIS: redis.url }
    const { code, stderr } = await weir(['serve', '--port', '0'], { env })
    expect(stderr.trim()).toMatch(/--redis \(WEIR_REDIS\) is for several instances on one PostgreSQL/)
    expect(code).toBe(1)
  })
})
