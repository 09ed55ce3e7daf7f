// Backups as people and scripts make them: from a running Weir and a resting one, here and from elsewhere, encrypted or not.
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Environment } from '../support/built-server.ts'
import { answerOf, install, INSTALLED, whileServing, within } from '../support/installation.ts'
import type { Json } from '../support/json.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runHere, weir } from '../support/terminal.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { runsAllTests } from '../support/suite.ts'

const PHRASE = 'a phrase for these tests'

/** The least that scrypt takes: a passphrase costs seconds by design, three times here. `npm run test:all` has age's own cost. */
const CHEAP_LOG_N = 4
beforeAll(() => {
  if (runsAllTests) return
  const { setPassphrase } = Encrypter.prototype
  vi.spyOn(Encrypter.prototype, 'setPassphrase').mockImplementation(function (this: Encrypter, phrase) {
    setPassphrase.call(this, phrase)
    this.setScryptWorkFactor(CHEAP_LOG_N)
  })
})
afterAll(() => void vi.restoreAllMocks())

let room = ''
beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'weir-backup-'))
})
afterEach(() => rm(room, { recursive: true, force: true }))

const inRoom = (name: string) => join(room, name)
const json = (text: string) => JSON.parse(text) as Json
const messageOf = (stderr: string) => String(json(stderr.trim().split('\n').at(-1)!).message)

/** What is known of an installation: its rows, its receipt, the proof of its books. */
const state = (env: Environment) =>
  within(env, async ({ client }) => {
    const entries = (await client.quota.entriesSelf({ page_size: 2 })).items
    const users = (await client.users.list({})).items
    return { entries, users, ok: (await client.quota.verify({})).ok }
  })

/** The receipt of a charge, as it is signed now. */
const receipt = (env: Environment, { entries }: Awaited<ReturnType<typeof state>>) =>
  within(env, ({ client }) =>
    client.quota.receipt({ receipt_id: entries.find(({ kind }) => kind === 'charge')?.hold_id ?? '' }),
  )

describe.each(listDatabaseKinds())('a backup of a Weir on %s', { timeout: 180_000 }, (kind) => {
  async function installed() {
    const env: Environment = {
      WEIR_DATA: inRoom('data'),
      ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
    }
    const key = await install(env)
    expect((await answerOf(env, key)).status).toBe(200)
    return { env, key }
  }

  it('is made while calls go on, is read back, and gives the same Weir elsewhere', async () => {
    const { env, key } = await installed()
    const before = await state(env)
    const signed = await receipt(env, before)
    let calls = 0
    const made = await whileServing(env, async (url) => {
      const stop = new AbortController()
      const call = async () => {
        while (!stop.signal.aborted) {
          const body = JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] })
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
          const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
          await answer.text()
          if (answer.ok) calls += 1
          // Calls go on, and leave the processor to the backup.
          await sleep(10)
        }
      }
      const callers = Array.from({ length: 4 }, call)
      await expect.poll(() => calls, { timeout: 120_000 }).toBeGreaterThan(20)
      const ended = await weir(['backup', inRoom('b.weir'), '--json'], { env })
      stop.abort()
      await Promise.all(callers)
      return ended
    })
    expect(made.code, made.stderr).toBe(0)
    const told = json(made.stdout)
    expect(told).toMatchObject({
      source: kind,
      encrypted: false,
      has_key: false,
      ledger_ok: true,
      tables: { users: 1 },
    })
    expect(told.ledger.entries).toBeGreaterThanOrEqual(20)
    expect((await stat(inRoom('b.weir'))).mode & 0o777).toBe(0o600)
    // Nothing is left of the work.
    expect((await readdir(room)).sort()).toEqual(['b.weir', 'data'])
    expect((await readdir(inRoom('data'))).filter((name) => name.startsWith('backup'))).toEqual([])
    // What any system can open.
    const names = execFileSync('tar', ['tzf', inRoom('b.weir')]).toString()
    expect(names).toBe('manifest.json\nweir.db\n')

    const elsewhere: Environment = { WEIR_DATA: inRoom('elsewhere') }
    const without = await runHere(['restore', inRoom('b.weir'), '--json'], { env: elsewhere })
    expect([without.code, messageOf(without.stderr)]).toEqual([1, expect.stringMatching(/put its key file/)])
    expect(await readdir(inRoom('elsewhere'))).not.toContain('weir.db')
    await writeFile(join(inRoom('elsewhere'), 'weir.key'), await readFile(join(inRoom('data'), 'weir.key')), {
      mode: 0o600,
    })
    const restored = await runHere(['restore', inRoom('b.weir'), '--json'], { env: elsewhere })
    expect(restored.code, restored.stderr).toBe(0)
    expect(json(restored.stdout)).toMatchObject({ kind: 'sqlite', ledger_ok: true, tables: told.tables })
    expect((await state(elsewhere)).ok).toBe(true)
    expect(await receipt(elsewhere, before)).toEqual(signed)
    expect((await answerOf(elsewhere, key)).status).toBe(200)
    const again = await runHere(['restore', inRoom('b.weir'), '--json'], { env: elsewhere })
    expect([again.code, messageOf(again.stderr)]).toEqual([1, expect.stringMatching(/contains a database/)])
  })

  it('goes with its key into a PostgreSQL database and a folder, opened by a passphrase or a key of age', async () => {
    const { env, key } = await installed()
    const before = await state(env)
    await writeFile(inRoom('phrase'), `${PHRASE}\n`)
    const identity = await generateX25519Identity()
    await writeFile(inRoom('identity'), `# a comment\n${identity}\n`)
    const recipient = await identityToRecipient(identity)
    for (const [name, ...how] of [
      ['by-phrase', '--passphrase-file', inRoom('phrase')],
      ['by-key', '--recipient', recipient],
    ] as const) {
      const made = await runHere(['backup', inRoom(name), '--with-key', ...how, '--json'], { env })
      expect(made.code, made.stderr).toBe(0)
      expect(json(made.stdout)).toMatchObject({ encrypted: true, has_key: true, ledger_ok: true })
      expect((await readFile(inRoom(name))).subarray(0, 21).toString()).toBe('age-encryption.org/v1')
    }
    const target: Environment = { WEIR_DATA: inRoom('there'), DATABASE_URL: await freshDatabase() }
    const wrong = await runHere(['restore', inRoom('by-key'), '--passphrase-file', inRoom('phrase'), '--json'], {
      env: target,
    })
    expect([wrong.code, messageOf(wrong.stderr)]).toEqual([1, expect.stringMatching(/does not open with that/)])
    const unsaid = await runHere(['restore', inRoom('by-phrase'), '--json'], { env: target })
    expect([unsaid.code, messageOf(unsaid.stderr)]).toEqual([1, expect.stringMatching(/is encrypted/)])
    const there = await runHere(['restore', inRoom('by-phrase'), '--passphrase-file', inRoom('phrase'), '--json'], {
      env: target,
    })
    expect(there.code, there.stderr).toBe(0)
    expect(json(there.stdout)).toMatchObject({ kind: 'postgres', ledger_ok: true })
    expect(await state(target)).toEqual(before)
    const folder: Environment = { WEIR_DATA: inRoom('here') }
    const here = await runHere(['restore', inRoom('by-key'), '--identity-file', inRoom('identity')], { env: folder })
    expect([here.code, here.stdout]).toEqual([0, expect.stringMatching(/Restored to .*here, as of 20/)])
    expect(await state(folder)).toEqual(before)
    expect((await answerOf(folder, key)).status).toBe(200)
  })

  it('comes from elsewhere, proven there, without a key', async () => {
    const { env } = await installed()
    const token = await within(env, ({ client }) => client.users.createAccessToken({ name: 'backups', scope: 'all' }))
    await whileServing(env, async (url) => {
      const far = { WEIR_ACCESS_TOKEN: token.token, WEIR_DATA: inRoom('nowhere') }
      const made = await runHere(['backup', inRoom('far'), '--server', url, '--json'], { env: far })
      expect(made.code, made.stderr).toBe(0)
      expect(json(made.stdout)).toMatchObject({ has_key: false, ledger_ok: true })
      const keyed = await runHere(['backup', inRoom('k'), '--with-key', '--server', url, '--json'], { env: far })
      expect([keyed.code, messageOf(keyed.stderr)]).toEqual([2, expect.stringMatching(/never leaves its machine/)])
    })
    const [row] = (await within(env, ({ client }) => client.audit.list({ action: 'backup.make' }))).items
    expect(row).toMatchObject({ username: INSTALLED.username, via: 'access_token' })
  })
})

describe('a backup', { timeout: 300_000 }, () => {
  it('is refused where it says less than it should, or takes the place of a file; what is damaged is told', async () => {
    const env: Environment = { WEIR_DATA: inRoom('data') }
    await install(env)
    await writeFile(inRoom('phrase'), 'short\n')
    for (const [args, code, said] of [
      [[], 0, /^$/],
      [[], 1, /is there already/],
      [['--force'], 0, /^$/],
      [['--force', '--with-key'], 2, /must be encrypted/],
      [['--force', '--with-key', '--unencrypted-key'], 0, /^$/],
      [['--force', '--recipient', 'age1nonsense'], 2, /no public key of age/],
      [['--force', '--passphrase-file', inRoom('phrase')], 2, /at least 12 characters/],
      [['--force', '--passphrase'], 2, /--passphrase-file is required/],
    ] as const) {
      const { code: ended, stderr } = await runHere(['backup', inRoom('b'), ...args, '--json'], { env })
      expect([ended, ended === 0 ? '' : messageOf(stderr)], args.join(' ')).toEqual([code, expect.stringMatching(said)])
    }
    expect(execFileSync('tar', ['tzf', inRoom('b')]).toString()).toBe('weir.key\nmanifest.json\nweir.db\n')
    const { size } = await stat(inRoom('b'))
    const whole = await readFile(inRoom('b'))
    const restore = (name: string) =>
      runHere(['restore', inRoom(name), '--json'], { env: { WEIR_DATA: inRoom(`of-${name}`) } })
    await writeFile(inRoom('cut'), whole.subarray(0, size - 100))
    await writeFile(inRoom('other'), 'nothing of the kind')
    // All bits of a byte: up to seven may be filling between two parts of a compressed stream, and say nothing.
    const bent = { first: 0, early: 40, middle: Math.floor(size / 2) }
    for (const [name, at] of Object.entries(bent))
      await writeFile(
        inRoom(name),
        Buffer.concat([whole.subarray(0, at), Buffer.of(whole[at]! ^ 0xff), whole.subarray(at + 1)]),
      )
    for (const name of ['cut', 'other', ...Object.keys(bent)]) {
      const { code, stderr } = await restore(name)
      expect([code, messageOf(stderr)], name).toEqual([1, expect.stringMatching(/no backup of Weir, or it is damaged/)])
      expect((await readdir(inRoom(`of-${name}`))).filter((each) => /weir\.(db|key)$|restoring/.test(each))).toEqual([])
    }
    expect((await restore('missing')).code).toBe(1)
  })

  it('of a later version is refused', async () => {
    const env: Environment = { WEIR_DATA: inRoom('data') }
    await install(env)
    await runHere(['backup', inRoom('b'), '--with-key', '--unencrypted-key'], { env })
    execFileSync('tar', ['xzf', inRoom('b'), '-C', room])
    const manifest = json(await readFile(inRoom('manifest.json'), 'utf8'))
    await chmod(inRoom('manifest.json'), 0o600)
    for (const change of [{ steps: [...manifest.steps, '9999-later'] }, { format: 2 }]) {
      await writeFile(inRoom('manifest.json'), JSON.stringify({ ...manifest, ...change, version: '9.9.9' }))
      execFileSync('tar', [
        'czf',
        inRoom('later'),
        '--format=ustar',
        '-C',
        room,
        'weir.key',
        'manifest.json',
        'weir.db',
      ])
      const { code, stderr } = await runHere(['restore', inRoom('later'), '--json'], {
        env: { WEIR_DATA: inRoom('there') },
      })
      expect([code, messageOf(stderr)]).toEqual([1, expect.stringMatching(/newer version of Weir \(9\.9\.9\)/)])
    }
  })
})
