// An unusable home of the log reports the reason to operators; readers of rows do not see its address.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wrapLogHomeErrors } from '../../core/adapters/log-homes/open.ts'
import { StartError } from '../../core/adapters/start-error.ts'
import { GatewayError, type ErrorCode } from '../../core/errors.ts'
import type { LogHome } from '../../core/logs/home.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { freePort } from '../support/free-port.ts'
import { eventually } from '../support/gateway.ts'
import { install, whileServing, within } from '../support/installation.ts'
import { runHere } from '../support/terminal.ts'

const coded = (message: string, code: string) => Object.assign(new Error(message), { code })

const THROWN: [string, Error, ErrorCode, string][] = [
  ['a refused connection', coded('connect ECONNREFUSED', 'ECONNREFUSED'), 'log.home_away', '连接被拒绝'],
  ['an unknown host', coded('getaddrinfo ENOTFOUND there', 'ENOTFOUND'), 'log.home_away', '无法解析主机名'],
  ['a full disk', coded('write failed', 'ENOSPC'), 'disk.full', 'home:1'],
  ['a refusal of its own', new Error('Authentication failed\nmore of it'), 'log.home_said', 'Authentication failed'],
  ['one of ours', new GatewayError('log.foreign_rows', { home: 'home:1' }), 'log.foreign_rows', 'home:1'],
]

/** Fails at whatever it is asked. */
function failing(error: Error): LogHome {
  const fails = async () => {
    throw error
  }
  const told = { prepare: fails, append: fails, count: fails, remove: fails, deleteOutdated: fails, close: fails }
  return { name: 'home:1', age: 0, batch: 1, ...told, upTo: fail }
}

const fail = () => expect.fail('is not asked')

describe('what a home throws', () => {
  it.each(THROWN)('%s is told in both languages, whatever was asked', async (_, error, code, said) => {
    const home = wrapLogHomeErrors(failing(error))
    const asked = [
      () => home.prepare(),
      () => home.append([], { from: 0, to: 1 }),
      () => home.count({ from: 0, to: 1 }),
      () => home.deleteOutdated({ before: 1 }),
    ]
    for (const ask of asked) {
      const thrown = await ask().catch((caught: unknown) => caught)
      expect(thrown).toMatchObject({ code })
      const { words } = thrown as GatewayError
      expect(words.zh).toContain(said)
      expect(words.en + words.zh).not.toContain('more of it')
      expect(translateStoredFailure(words.en, 'zh')).toBe(words.zh)
    }
  })

  it('says what stops a start as it is', async () => {
    await expect(wrapLogHomeErrors(failing(new StartError('no such engine'))).prepare()).rejects.toBeInstanceOf(
      StartError,
    )
  })
})

describe('a gateway whose ClickHouse', () => {
  let room = ''
  let engine: http.Server
  let port = 0
  beforeAll(async () => {
    room = await mkdtemp(join(tmpdir(), 'weir-home-failures-'))
    engine = http.createServer((_, reply) => reply.writeHead(403).end('Code: 497. Not enough privileges'))
    engine.listen(0, '127.0.0.1')
    await once(engine, 'listening')
    port = (engine.address() as AddressInfo).port
  })
  afterAll(async () => {
    engine.close()
    await rm(room, { recursive: true, force: true })
  })

  it.each([
    ['is away', () => freePort(), 'the connection was refused', '连接被拒绝'],
    ['refuses', async () => port, 'Not enough privileges', 'Not enough privileges'],
  ])('%s says so where its rows are looked for, and goes on', async (name, portOf, en, zh) => {
    const env = {
      WEIR_DATA: join(room, name),
      WEIR_LOGS: `clickhouse://weir:hidden@127.0.0.1:${await portOf()}/default`,
    }
    if (!existsSync(env.WEIR_DATA)) await install({ WEIR_DATA: env.WEIR_DATA })
    await within(env, async ({ client, ports }) => {
      const { logPlaces, logHome } = ports.storage
      const home = logHome!.name
      const { failure } = await eventually(client.logs.home, (report) => report.failure !== '', 20_000)
      expect(failure).toContain(en)
      expect(failure).not.toContain('hidden')
      // Rows are there already.
      const was = await eventually(() => logPlaces.claim(home, 'test', 60_000), Boolean, 20_000)
      expect(await logPlaces.move(home, 'test', was!, { place: 1, pending: 1 })).toBe(true)
      for (const ask of [() => client.logs.list({}), () => client.logs.stat({})])
        await expect(ask()).rejects.toMatchObject({ code: 'log.away' })
    })
    await whileServing(env, async () => {
      for (const [language, said] of Object.entries({ en, zh })) {
        const shown = () => runHere(['attention', '--language', language, '--columns', 'kind,reason'], { env })
        const { stdout } = await eventually(shown, (each) => each.stdout.includes(said), 20_000)
        expect(stdout).not.toContain('hidden')
        const told = await runHere(['logs', 'home', '--language', language], { env })
        expect(told.stdout).toContain(said)
      }
    })
  })
})
