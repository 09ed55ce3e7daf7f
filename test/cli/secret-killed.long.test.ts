// `weir secret rotate` is killed at every step: the built program in a separate process, on both databases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Environment } from '../support/built-server.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { install } from '../support/installation.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runHere } from '../support/terminal.ts'
import { ENDS, expectToWork, listKeyFiles, readKey } from './rotated-place.ts'

const ROTATION = new URL('../../dist/core/adapters/maintenance.js', import.meta.url).href

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A rotation by the built program that is gone, as by kill -9, at this step. */
async function rotateAndDie(env: Environment, step: string): Promise<void> {
  const config = { host: '127.0.0.1', port: 0, data: folder, log_level: 'silent', log_format: 'json' }
  const database = env.DATABASE_URL ? { database: env.DATABASE_URL } : {}
  const program = `import { rotateMasterSecret } from ${JSON.stringify(ROTATION)}
    const die = (step) => { if (step === '${step}') process.kill(process.pid, 'SIGKILL') }
    await rotateMasterSecret(${JSON.stringify({ ...config, ...database })}, undefined, die)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}

describe.each(listDatabaseKinds())('E3: weir secret rotate on %s', { timeout: 120_000 }, (kind) => {
  async function place(): Promise<Environment> {
    folder = await mkdtemp(join(tmpdir(), 'weir-secret-'))
    return { WEIR_DATA: folder, ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}) }
  }

  it.each(ENDS)('killed when $step leaves a key file that fits', async ({ step, files, changed }) => {
    const env = await place()
    const apiKey = await install(env)
    const old = await readKey(folder)
    await rotateAndDie(env, step)
    expect(await listKeyFiles(folder)).toEqual(files)
    await expectToWork(env, apiKey)
    expect(await listKeyFiles(folder)).toEqual(['weir.key'])
    expect((await readKey(folder)) !== old).toBe(changed)
  })

  it('goes on after one that was killed, though nobody started in between', async () => {
    const env = await place()
    const apiKey = await install(env)
    await rotateAndDie(env, 'committed')
    const { code, stderr } = await runHere(['secret', 'rotate', '--yes'], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(await listKeyFiles(folder)).toEqual(['weir.key'])
    await expectToWork(env, apiKey)
  })
})
