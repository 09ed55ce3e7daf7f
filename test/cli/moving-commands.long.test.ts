// The commands that move a whole Weir: their output for people in both languages and for programs, on both databases,
// locally and remotely where that makes sense.
import { copyFileSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../support/built-server.ts'
import { newApiSource } from '../imports/new-api-source.ts'
import { install, whileServing, within } from '../support/installation.ts'
import { freshDatabase } from '../support/postgres.ts'
import { runsAllTests } from '../support/suite.ts'
import { runHere, type Ended } from '../support/terminal.ts'
import { leaves } from './commands.data.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

/** What it runs on, and an empty place for each run. */
interface Ground {
  file: string
  source: string
  backup: string
  key: string
  fresh(): string
}

interface Moving {
  args(ground: Ground): string[]
  code?: number
  /** It says how far it is. */
  tells?: RegExp
}

const MOVING: Record<string, Moving> = {
  export: { args: () => [] },
  plan: { args: ({ file }) => [file], code: 2 },
  backup: { args: ({ fresh }) => [fresh()], tells: /\p{L}[:：] ?[\d,]+\n$/u },
  restore: {
    args: ({ backup, key, fresh }) => {
      const place = fresh()
      mkdirSync(place)
      copyFileSync(key, join(place, 'weir.key'))
      return [backup, '--data', place]
    },
    tells: /\d/,
  },
  copy: { args: ({ fresh }) => ['--to', fresh()], tells: /logs/ },
  import: { args: ({ source }) => ['new-api', source], tells: /\d/ },
  'logs move': { args: ({ fresh }) => ['--to', `sqlite:${fresh()}?days=0`] },
  'logs prune': { args: () => ['--keep', '90d', '--yes'] },
  migrate: { args: () => ['--check'] },
  apply: { args: ({ file }) => [file, '--yes'] },
}
const command = (name: string) => leaves.find(([leaf]) => leaf === name)![1]
/** These are asked of a server elsewhere as well; of the others it is said that they are not. */
const FROM_ELSEWHERE = Object.keys(MOVING).filter((name) => name === 'backup' || !command(name).here)
const HAN = /\p{Script=Han}/u
const FORMS = { people: [], 'people who read Chinese': ['--language', 'zh'], programs: ['--json'] } as const

function isTold(name: string, form: keyof typeof FORMS, { code, stdout, stderr }: Ended, source: string): void {
  const { code: wanted = 0, tells } = MOVING[name]!
  expect(code, stderr).toBe(wanted)
  // The state's own comments are in the language of the reader, and its names are anybody's.
  const said = stdout.replaceAll(source, '')
  if (form === 'people') expect(said).not.toMatch(HAN)
  if (form === 'people who read Chinese') expect(said).toMatch(HAN)
  if (form === 'programs') {
    const told = JSON.parse(stdout) as object
    const { output: gives } = command(name)
    if (gives && !gives.many) expect(Object.keys(told).sort()).toEqual(Object.keys(gives.view).sort())
    expect(Object.keys(told).length).toBeGreaterThan(0)
  }
  if (tells) expect(stderr).toMatch(tells)
}

describe.each(listDatabaseKinds())('on %s', { timeout: 180_000 }, (kind) => {
  let room = ''
  let env: Environment = {}
  let ground: Ground
  let gone = async () => {}
  beforeAll(async () => {
    room = await mkdtemp(join(tmpdir(), 'weir-moves-'))
    env = { WEIR_DATA: join(room, 'data'), ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}) }
    await install(env)
    const made = await newApiSource({ users: [{ id: 7, username: 'ada', quota: 5 }], logs: [{ id: 1, user_id: 7 }] })
    gone = made.gone
    let places = 0
    const file = join(room, 'weir.yaml')
    const backup = join(room, 'first.backup')
    ground = {
      file,
      backup,
      key: join(room, 'data', 'weir.key'),
      source: made.file,
      fresh: () => join(room, `place-${(places += 1)}`),
    }
    const { stdout } = await runHere(['export'], { env })
    await writeFile(file, stdout.replace('prices: {}', 'prices:\n  gpt-4o: { usd: { input: 5, output: 20 } }'))
    expect((await runHere(['backup', backup], { env })).code).toBe(0)
  }, 120_000)
  afterAll(async () => {
    await gone()
    await rm(room, { recursive: true, force: true })
  })

  it.each(Object.keys(MOVING))('%s speaks to people and to programs', async (name) => {
    // `npm test` has every other command speak Chinese, and the others English.
    const language = Object.keys(MOVING).indexOf(name) % 2 === 0 ? 'people' : 'people who read Chinese'
    for (const [form, more] of Object.entries(FORMS)) {
      if (!runsAllTests && form !== language && form !== 'programs') continue
      const target = name === 'restore' ? { WEIR_DATA: '' } : env
      const ended = await runHere([...name.split(' '), ...MOVING[name]!.args(ground), ...more], { env: target })
      isTold(name, form as keyof typeof FORMS, ended, ground.source)
    }
  })

  it('is asked from elsewhere, or says that it is for where Weir is', async () => {
    const { token } = await within(env, ({ client }) => client.users.createAccessToken({ name: 'far', scope: 'all' }))
    await whileServing(env, async (url) => {
      const far = { WEIR_ACCESS_TOKEN: token, WEIR_DATA: join(room, 'nowhere') }
      for (const name of Object.keys(MOVING)) {
        const args = [...name.split(' '), ...MOVING[name]!.args(ground), '--server', url, '--json']
        const ended = await runHere(args, { env: far })
        if (!FROM_ELSEWHERE.includes(name)) {
          expect([name, ended.code, ended.stderr]).toEqual([name, 2, expect.stringContaining('--server')])
          continue
        }
        // The file has been applied by now.
        expect([name, ended.code, ended.stderr]).toEqual([name, 0, expect.any(String)])
        expect(Object.keys(JSON.parse(ended.stdout) as object).length).toBeGreaterThan(0)
      }
    })
  })
})
