// `weir secret rotate` as people and scripts meet it, and killed at every step.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { answerOf, install, whileServing } from '../support/installation.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runHere, weir } from '../support/terminal.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

type Env = Record<string, string>
const ROTATION = new URL('../../dist/core/adapters/rotate-secret.js', import.meta.url).href

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

const keyFiles = async () => (await readdir(folder)).filter((name) => name.startsWith('weir.key'))
const keyOf = async () => (await readFile(join(folder, 'weir.key'), 'utf8')).trim()

/** The owner's API key goes on working, and the channel's key is still readable. */
async function works(env: Env, apiKey: string): Promise<void> {
  expect(await answerOf(env, apiKey)).toEqual({ status: 200, text: expect.stringContaining('[sandbox]') })
}

/** A rotation by the built program that is gone, as by kill -9, at this step. */
async function rotateAndDie(env: Env, step: string): Promise<void> {
  const config = { host: '127.0.0.1', port: 0, data: folder, log_level: 'silent', log_format: 'json' }
  const database = env.DATABASE_URL ? { database: env.DATABASE_URL } : {}
  const program = `import { rotateSecret } from ${JSON.stringify(ROTATION)}
    const die = (step) => { if (step === '${step}') process.kill(process.pid, 'SIGKILL') }
    await rotateSecret(${JSON.stringify({ ...config, ...database })}, undefined, die)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
}

describe.each(listDatabaseKinds())('E3: weir secret rotate on %s', { timeout: 120_000 }, (kind) => {
  async function place(): Promise<Env> {
    folder = await mkdtemp(join(tmpdir(), 'weir-secret-'))
    return { WEIR_DATA: folder, ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}) }
  }

  it('changes the key file; API tokens go on, nothing secret is printed, the old secret is refused', async () => {
    const env = await place()
    const apiKey = await install(env)
    const old = await keyOf()
    const { code, stdout, stderr } = await weir(['secret', 'rotate', '--yes', '--json'], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      key_file: join(folder, 'weir.key'),
      rewritten: { 'tokens.key_sealed': 1, 'channels.key_sealed': 1 },
    })
    const fresh = await keyOf()
    expect(fresh).not.toBe(old)
    expect(stdout.includes(fresh) || stdout.includes(old)).toBe(false)
    await works(env, apiKey)
    const refused = await runHere(['users', 'list'], { env: { ...env, WEIR_SECRET: old } })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/master secret does not fit/)])
  })

  it('takes the new secret from the named variable, where the environment gives the present one', async () => {
    const env = { ...(await place()), WEIR_SECRET: 'the first secret of all' }
    const apiKey = await install(env)
    const rotate = (...args: string[]) =>
      runHere(['secret', 'rotate', '--yes', ...args], { env: { ...env, NEXT: 'the second secret', SHORT: 'short' } })
    for (const [args, reason] of [
      [[], /name the variable of the new one with --new-secret-env/],
      [['--new-secret-env', 'NOWHERE'], /NOWHERE must hold the new secret/],
      [['--new-secret-env', 'SHORT'], /at least 16 characters/],
      [['--new-secret-env', 'WEIR_SECRET'], /holds the present secret/],
    ] as const) {
      const { code, stderr } = await rotate(...args)
      expect([code, stderr]).toEqual([2, expect.stringMatching(reason)])
    }
    const { code, stdout, stderr } = await rotate('--new-secret-env', 'NEXT')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/start Weir with WEIR_SECRET set to what NEXT holds/)
    expect(stdout).not.toContain('the second secret')
    expect(await keyFiles()).toEqual([])
    expect((await runHere(['users', 'list'], { env })).stderr).toMatch(/master secret does not fit/)
    await works({ ...env, WEIR_SECRET: 'the second secret' }, apiKey)
  })

  it('is refused while a server runs, without a word of consent, and for a server elsewhere', async () => {
    const env = await place()
    await install(env)
    const key = await keyOf()
    const unasked = await runHere(['secret', 'rotate', '--json'], { env })
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringMatching(/--yes must be given/)])
    const remote = await runHere(['secret', 'rotate', '--yes', '--server', 'http://127.0.0.1:1'], { env })
    expect([remote.code, remote.stderr]).toEqual([2, expect.stringMatching(/takes no --server/)])
    const busy = await whileServing(env, () => weir(['secret', 'rotate', '--yes'], { env }))
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/Weir is running on this data(base| folder)/)])
    expect([await keyFiles(), await keyOf()]).toEqual([['weir.key'], key])
  })

  it.each([
    ['rewritten', false],
    ['proposed', false],
    ['committed', true],
    ['settled', true],
  ] as const)('killed when %s leaves a key file that fits', async (step, changed) => {
    const env = await place()
    const apiKey = await install(env)
    const old = await keyOf()
    await rotateAndDie(env, step)
    const two = step === 'proposed' || step === 'committed'
    expect(await keyFiles()).toEqual(two ? ['weir.key', 'weir.key.new'] : ['weir.key'])
    await works(env, apiKey)
    expect(await keyFiles()).toEqual(['weir.key'])
    expect((await keyOf()) !== old).toBe(changed)
  })

  it('goes on after one that was killed, though nobody started in between', async () => {
    const env = await place()
    const apiKey = await install(env)
    await rotateAndDie(env, 'committed')
    const { code, stderr } = await runHere(['secret', 'rotate', '--yes'], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(await keyFiles()).toEqual(['weir.key'])
    await works(env, apiKey)
  })
})
