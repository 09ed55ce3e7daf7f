// `weir secret rotate` as people and scripts meet it, and stopped at every step.
import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../core/adapters/read-config.ts'
import { rotateMasterSecret } from '../../core/adapters/maintenance.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { install, whileServing } from '../support/installation.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runHere } from '../support/terminal.ts'
import { ENDS, expectToWork, listKeyFiles, readKey } from './rotated-place.ts'

let room = ''
afterEach(() => rm(room, { recursive: true, force: true }))

/** An empty data folder. */
async function makePlace(): Promise<string> {
  room = await mkdtemp(join(tmpdir(), 'weir-secret-'))
  const folder = join(room, 'data')
  await mkdir(folder)
  return folder
}

describe.each(listDatabaseKinds())('E3: weir secret rotate on %s', { timeout: 120_000 }, (kind) => {
  async function place() {
    const folder = await makePlace()
    return { WEIR_DATA: folder, ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}) }
  }

  it('changes the key file; API tokens go on, nothing secret is printed, the old secret is refused', async () => {
    const env = await place()
    const apiKey = await install(env)
    const old = await readKey(env.WEIR_DATA)
    const { code, stdout, stderr } = await runHere(['secret', 'rotate', '--yes', '--json'], { env })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      key_file: join(env.WEIR_DATA, 'weir.key'),
      rewritten: { 'tokens.key_sealed': 1, 'channels.key_sealed': 1 },
    })
    const fresh = await readKey(env.WEIR_DATA)
    expect(fresh).not.toBe(old)
    expect(stdout.includes(fresh) || stdout.includes(old)).toBe(false)
    await expectToWork(env, apiKey)
    const refused = await runHere(['users', 'list'], { env: { ...env, WEIR_SECRET: old } })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/master secret does not fit/)])
  })

  it('leaves what a file manages as it is, drifted or not', async () => {
    const env = await place()
    await install(env)
    const file = join(room, 'weir.yaml')
    await writeFile(
      file,
      'weir: 1\nchannels:\n  kept: { type: openai, key: sk-of-the-file, models: [m] }\n  moved: { type: openai, key: sk-other, models: [m] }\nsettings:\n  RetryTimes: 4\n',
    )
    const run = async (...args: string[]) => (await runHere(args, { env })).stdout
    await run('apply', file, '--yes')
    await run('channels', 'edit', 'moved', '--models', 'n')
    const managed = async () =>
      (JSON.parse(await run('call', 'state.managed', '--json')) as { key: string; drifted: string[] }[]).map(
        ({ key, drifted }) => [key, drifted],
      )
    const before = await managed()
    expect(before).toEqual(
      expect.arrayContaining([
        ['kept', []],
        ['moved', ['models']],
        ['RetryTimes', []],
      ]),
    )
    expect((await runHere(['secret', 'rotate', '--yes'], { env })).code).toBe(0)
    expect(await managed()).toEqual(before)
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
    expect(await listKeyFiles(env.WEIR_DATA)).toEqual([])
    expect((await runHere(['users', 'list'], { env })).stderr).toMatch(/master secret does not fit/)
    await expectToWork({ ...env, WEIR_SECRET: 'the second secret' }, apiKey)
  })

  it('is refused while a server runs, without a word of consent, and for a server elsewhere', async () => {
    const env = await place()
    await install(env)
    const key = await readKey(env.WEIR_DATA)
    const unasked = await runHere(['secret', 'rotate', '--json'], { env })
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringMatching(/--yes is required/)])
    const remote = await runHere(['secret', 'rotate', '--yes', '--server', 'http://127.0.0.1:1'], { env })
    expect([remote.code, remote.stderr]).toEqual([2, expect.stringMatching(/does not accept --server/)])
    const busy = await whileServing(env, () => runHere(['secret', 'rotate', '--yes'], { env }))
    expect([busy.code, busy.stderr]).toEqual([1, expect.stringMatching(/Weir is running on this data(base| folder)/)])
    expect([await listKeyFiles(env.WEIR_DATA), await readKey(env.WEIR_DATA)]).toEqual([['weir.key'], key])
  })
})

describe('E3: a rotation that ends before its time', { timeout: 120_000 }, () => {
  // What a process that is killed leaves is what its folder holds at that moment; `secret-killed.long.test.ts` kills real ones.
  it('leaves a key file that fits at every step, and another rotation goes on from there', async () => {
    const env = { WEIR_DATA: await makePlace() }
    const apiKey = await install(env)
    const old = await readKey(env.WEIR_DATA)
    const leftAt = (step: string) => ({ WEIR_DATA: join(room, step) })
    const seen: string[] = []
    await rotateMasterSecret(readConfig({ log_level: 'silent' }, env, false), undefined, (step) => {
      seen.push(step)
      cpSync(env.WEIR_DATA, leftAt(step).WEIR_DATA, { recursive: true })
    })
    expect(seen).toEqual(ENDS.map(({ step }) => step))
    cpSync(leftAt('committed').WEIR_DATA, leftAt('again').WEIR_DATA, { recursive: true })
    for (const { step, files, changed } of ENDS) {
      const left = leftAt(step)
      expect([step, await listKeyFiles(left.WEIR_DATA)]).toEqual([step, files])
      await expectToWork(left, apiKey)
      expect([step, await listKeyFiles(left.WEIR_DATA)]).toEqual([step, ['weir.key']])
      expect([step, (await readKey(left.WEIR_DATA)) !== old]).toEqual([step, changed])
    }
    const again = await runHere(['secret', 'rotate', '--yes'], { env: leftAt('again') })
    expect([again.code, again.stderr]).toEqual([0, ''])
    expect(await listKeyFiles(leftAt('again').WEIR_DATA)).toEqual(['weir.key'])
    await expectToWork(leftAt('again'), apiKey)
  })
})
