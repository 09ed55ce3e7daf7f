// The files of a data folder are readable by their owner only, in any folder and with any umask; an empty folder is set
// up only on request.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findExposedFiles } from '../../cli/doctor/host.ts'
import { openGateway } from '../../core/adapters/node.ts'
import { rotateMasterSecret } from '../../core/adapters/maintenance.ts'
import { connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import type { Config } from '../../core/config.ts'
import { startServer } from '../../http/start.ts'
import { silent } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'

let folder = ''
let mask = 0
beforeEach(async () => {
  mask = process.umask(0)
  folder = join(await mkdtemp(join(tmpdir(), 'weir-open-')), 'data')
  await mkdir(folder, { mode: 0o777 })
})
afterEach(async () => {
  process.umask(mask)
  await rm(join(folder, '..'), { recursive: true, force: true })
})

const config = (more: Partial<Config> = {}): Config => ({
  ...{ host: '127.0.0.1', port: 0, data: folder, log_level: 'silent', log_format: 'json' },
  ...more,
})
const open = (more?: Partial<Config>) => openGateway(config(more))
const once = async (more?: Partial<Config>) => (await open(more)).close()
const modes = async () =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(folder)).map(async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)]),
    ),
  )

describe.skipIf(process.platform === 'win32')('the files of a data folder', () => {
  const running = [
    'weir.db',
    'weir.db-shm',
    'weir.db-wal',
    'weir.key',
    'weir.known',
    'weir.lock',
    'weir.lock-journal',
    'weir.sock',
  ]

  it('are 0600 though folder and umask are open, also when sqlite makes its own anew', async () => {
    for (let round = 0; round < 2; round += 1) {
      const server = await startServer(await open(), config())
      const seen = await modes()
      // The log's own file is opened when its first rows are looked for.
      expect(Object.keys(seen).filter((name) => !name.startsWith('logs.db'))).toEqual(running)
      expect([...new Set(Object.values(seen))]).toEqual(['600'])
      expect(await findExposedFiles(folder)).toMatchObject([{ state: 'ok' }])
      await server.close()
    }
    await rotateMasterSecret(config())
    expect([...new Set(Object.values(await modes()))]).toEqual(['600'])
  })

  it('become so where an earlier version left them open; doctor says what to do', async () => {
    await once()
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644)
    const found = await findExposedFiles(folder)
    expect(found).toMatchObject([
      { check: 'private files', state: 'fail', found: { en: expect.stringMatching(/weir.key/) } },
    ])
    expect(found[0]?.fix?.en).toMatch(/^chmod 600 .*weir\.db .*then weir secret rotate/)
    await found[0]?.repair?.run()
    expect(await findExposedFiles(folder)).toMatchObject([{ state: 'ok' }])
    for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644)
    await chmod(folder, 0o700)
    expect(await findExposedFiles(folder)).toMatchObject([{ state: 'warn' }])
    const gateway = await open()
    expect([...new Set(Object.values(await modes()))]).toEqual(['600'])
    await gateway.close()
    expect(await findExposedFiles(join(folder, 'nowhere'))).toEqual([])
  })
})

describe('a database that there was', () => {
  const anew = { new_database: 'yes' } as const

  it('of sqlite is not made again beside its key, unless that is meant', async () => {
    await once()
    for (const how of ['gone', 'empty', 'without a Weir']) {
      for (const name of await readdir(folder)) if (name.startsWith('weir.db')) await rm(join(folder, name))
      if (how === 'empty') await writeFile(join(folder, 'weir.db'), '')
      if (how === 'without a Weir') await (await connectSqlite(folder, silent)).close()
      const before = await readdir(folder)
      await expect(open(), how).rejects.toThrow(/(gone|empty).*backup.*--new-database yes \(WEIR_NEW_DATABASE=yes\)/)
      expect(await readdir(folder)).toEqual(before)
      await rm(join(folder, 'weir.known'), { force: true })
      await expect(open(), `${how}, with its key alone`).rejects.toMatchObject({ code: 'empty' })
      expect(await readdir(folder)).toContain('weir.key')
      await once(anew)
      await once()
    }
  })

  it('of sqlite is not made again where the environment gives the secret', async () => {
    const secret = { secret: 'a secret of the environment' }
    await once(secret)
    await rm(join(folder, 'weir.db'))
    await expect(open(secret)).rejects.toMatchObject({ code: 'empty' })
    await once({ ...secret, ...anew })
  })

  it('of PostgreSQL is not set up anew elsewhere', async () => {
    await once({ database: await freshDatabase() })
    const other = { database: await freshDatabase() }
    await expect(open(other)).rejects.toThrow(/is empty.*correct the database URL.*--new-database yes/)
    await expect(open(other)).rejects.toMatchObject({ code: 'empty' })
    await once({ ...other, ...anew })
    await once(other)
  })
})
