// `weir serve --workers`: several processes on one port and one PostgreSQL, the built program.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freshDatabase, query } from '../support/postgres.ts'
import { createVisitor } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'
import { runHere, startWeir, until } from '../support/terminal.ts'
import { startUpstream } from '../support/upstream.ts'

const MODEL = 'gpt-4o-mini'
const CALLS = runsAllTests ? 120 : 40
const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function place(shared: boolean): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-workers-'))
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return { WEIR_DATA: folder, LOG_LEVEL: 'warn', ...(shared ? { DATABASE_URL: await freshDatabase() } : {}) }
}

const serveTwo = ['serve', '--json', '--port', '0', '--workers', '2']

describe('two workers', () => {
  it('are refused on sqlite, and before Weir is set up, with one sentence', async () => {
    const alone = await runHere(serveTwo, { env: await place(false) })
    expect(alone.code).toBe(2)
    expect(JSON.parse(alone.stderr).message).toMatch(/^Several workers need PostgreSQL .*\.$/)
    const empty = await runHere(serveTwo, { env: await place(true) })
    expect(empty.code).toBe(2)
    expect(JSON.parse(empty.stderr).message).toMatch(/^Set Weir up first .*\.$/)
  })

  it('share the calls, charge each once, replace a dead one, and stop together', async () => {
    const upstream = await startUpstream()
    cleanups.push(() => upstream.close())
    const env = await place(true)
    const { stdout } = await runHere(['init', '--json', '--channel', 'none'], { env })
    const { username, password, token_key } = JSON.parse(stdout)
    const server = startWeir(serveTwo, { env })
    cleanups.push(async () => {
      server.child.kill('SIGKILL')
      await server.ended
    })
    await until(() => server.child.exitCode !== null || server.written.stdout.includes('"url"'))
    const { url } = JSON.parse(server.written.stdout)
    const root = createVisitor(url)
    await root.login(username, password)
    await root.client.channels.create({ name: 'test', type: 1, key: 'k', base_url: upstream.url, models: MODEL })
    const ask = async (): Promise<number> => {
      // A connection of its own each, so that both workers get some.
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token_key}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await answer.arrayBuffer()
      return answer.status
    }
    // The other worker learns of the channel from the database.
    const served = await waitForAnswers(ask)
    // Commands of this host go through the socket that the workers share. (test/cli/binary.test.ts sees that they load no gateway.)
    const listed = await runHere(['channels', 'list', '--json'], { env })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'test' }])

    expect(new Set(await Promise.all(Array.from({ length: CALLS }, ask)))).toEqual(new Set([200]))
    const charged = () =>
      query(env.DATABASE_URL ?? '', "select count(*)::int as n from ledger_entries where kind = 'charge'")
    expect(await charged()).toEqual([{ n: CALLS + served }])
    const verified = await runHere(['ledger', 'verify', '--json'], { env })
    expect(verified.code, verified.stdout + verified.stderr).toBe(0)

    const { pid } = server.child
    const workers = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const before = workers()
    expect(before).toHaveLength(2)
    process.kill(Number(before[0]), 'SIGKILL')
    await until(() => workers().length === 2 && !workers().includes(before[0] ?? ''))
    expect(await ask()).toBe(200)

    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
  }, 180_000)
})

/** Calls until nobody refuses ten calls together any more, and returns how many were answered. */
async function waitForAnswers(call: () => Promise<number>): Promise<number> {
  for (let served = 0; ;) {
    const statuses = await Promise.all(Array.from({ length: 10 }, call))
    const answered = statuses.filter((status) => status === 200).length
    served += answered
    if (answered === statuses.length) return served
  }
}
