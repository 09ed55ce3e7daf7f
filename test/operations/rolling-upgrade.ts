// From the release before to this one and back, under load: npx tsx test/operations/rolling-upgrade.ts (what `npm run build`
// has made; --previous FOLDER where the release before is built already). On PostgreSQL the old version serves beside the new
// one and no call fails; on SQLite an upgrade is a restart. Fails where a call failed, or where the books do not hold it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { asRoot, setUp, startBuiltServer, type BuiltServer, type Environment } from '../support/built-server.ts'
import { databaseOfScript } from '../support/postgres-server.ts'
import { binary } from '../support/terminal.ts'
import { startUpstream } from '../support/upstream.ts'
import { answerCalls, failedOf, preparePlace, startCallers, wrongBooks, type Called } from './callers.ts'
import { previousRelease } from './previous-release.ts'

const { values } = parseArgs({
  options: { previous: { type: 'string' }, seconds: { type: 'string', default: '10' } },
})
const SPAN_MS = Number(values.seconds) * 1000
const AT_ONCE = 12
/** As long as an orchestrator waits between taking a process out and ending it. */
const TAKEN_OUT_MS = 1000

const say = (line: string) => process.stdout.write(`${line}\n`)
const problems: string[] = []
const room = await mkdtemp(join(tmpdir(), 'weir-upgrade-'))
const former = previousRelease(values.previous)
say(`from ${former.commit} to this version, and back`)
try {
  await onPostgres()
  await onSqlite()
} finally {
  former.remove()
  await rm(room, { recursive: true, force: true })
}
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1

type Version = 'old' | 'new'

async function onPostgres() {
  const { database, stop } = await databaseOfScript('postgres')
  const upstream = await startUpstream()
  upstream.reply(answerCalls)
  const live: BuiltServer[] = []
  const versionAt = new Map<string, Version>()
  const start = async (name: string, version: Version) => {
    const env = envOf(name, { DATABASE_URL: database ?? '' })
    const program = version === 'old' ? former.program : binary
    const server = await startBuiltServer(env, { program })
    versionAt.set(server.url, version)
    live.push(server)
    return env
  }
  /** The new one serves before the old one is taken out. */
  const replace = async (name: string, version: Version) => {
    await start(name, version)
    const server = live.shift()!
    await pause(TAKEN_OUT_MS)
    server.child.kill('SIGTERM')
    const { code } = await server.ended
    if (code !== 0) problems.push(`${name}: the one before it ended with ${code}`)
  }
  try {
    const env = await start('a', 'old')
    const root = await setUp(env, live[0]!.url, former.program)
    const key = await preparePlace(root, live[0]!.url, upstream.url)
    await start('b', 'old')
    let turn = 0
    const callers = startCallers(() => live[turn++ % live.length]!.url, { key, atOnce: AT_ONCE, retries: 0 })
    let told = 0
    const span = async (name: string) => {
      await pause(SPAN_MS)
      const made = callers.made.slice(told)
      told = callers.made.length
      const by = (version: Version) => made.filter(({ tries }) => versionAt.get(tries.at(-1) ?? '') === version).length
      const failed = failedOf(made)
      say(`postgres, ${name}: ${made.length} calls (old ${by('old')}, new ${by('new')}), ${failed.length} failed`)
      problems.push(...failed)
      return [by('old'), by('new')]
    }
    const beside = (served: number[]) => {
      if (served.includes(0)) problems.push('one of the two versions answered nobody beside the other')
    }
    await span('two of the old')
    await replace('c', 'new')
    beside(await span('the new beside the old'))
    await replace('d', 'new')
    await span('two of the new')
    await replace('e', 'old')
    beside(await span('the old beside the new'))
    await replace('f', 'old')
    await span('back to the old')
    const made = await callers.stop()
    problems.push(...failedOf(made.slice(told)))
    await hold('postgres, as the old version tells', live[0]!.url, made)
    await replace('g', 'new')
    await hold('postgres, as the new version tells', live.at(-1)!.url, made)
  } finally {
    for (const server of live) await end(server)
    await upstream.close()
    await stop()
  }
}

async function onSqlite() {
  const upstream = await startUpstream()
  upstream.reply(answerCalls)
  const env = envOf('sqlite', {})
  const made: Called[] = []
  let key: string | undefined
  try {
    for (const version of ['old', 'new', 'old', 'new'] as const) {
      const program = version === 'old' ? former.program : binary
      const server = await startBuiltServer(env, { program })
      try {
        key ??= await preparePlace(await setUp(env, server.url, program), server.url, upstream.url)
        const callers = startCallers(() => server.url, { key, atOnce: 4, retries: 0, from: made.length })
        await pause(SPAN_MS / 2)
        made.push(...(await callers.stop()))
        await hold(`sqlite, ${version}: ${made.length} calls so far`, server.url, made)
      } finally {
        await end(server)
      }
    }
    problems.push(...failedOf(made))
  } finally {
    await upstream.close()
  }
}

function envOf(name: string, more: Environment): Environment {
  return { WEIR_DATA: join(room, name), WEIR_SECRET: 'one secret for all of them', LOG_LEVEL: 'error', ...more }
}

async function hold(name: string, url: string, made: readonly Called[]) {
  const wrong = await wrongBooks(url, made)
  const { client } = await asRoot(url)
  const { version } = await client.site.status()
  say(`${name} (${version}): ${made.length} calls, ${wrong.length === 0 ? 'the books hold' : 'the books are wrong'}`)
  problems.push(...wrong)
}

async function end(server: BuiltServer) {
  server.child.kill('SIGTERM')
  await server.ended
}
