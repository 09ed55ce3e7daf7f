// A day of a Weir on one machine, with Debian's PostgreSQL, Redis and nginx: installed as compose.cluster.yaml does it, called all
// day by OpenAI's own client with its two retries, upgraded from the release before, its database restarted, Redis gone and back,
// its disk full, and at last restored from a backup: npx tsx test/operations/day-in-the-life.ts (root on Linux; --previous FOLDER where the
// release before is built already). Fails where a caller saw a failure (while the disk is full: another one than a refusal in
// words), or where the books do not hold what was answered.
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setUp, startBuiltServer, type BuiltServer } from '../support/built-server.ts'
import { redisProgram, startRedis } from '../support/redis.ts'
import { binary, weir } from '../support/terminal.ts'
import { startUpstream } from '../support/upstream.ts'
import { answerCalls, failedOf, preparePlace, startCallers, wrongBooks, type Called, type Callers } from './callers.ts'
import { freePort } from '../support/free-port.ts'
import { fronts, versionOf } from './front.ts'
import { previousRelease } from './previous-release.ts'

const { values } = parseArgs({
  options: {
    previous: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    full: { type: 'string', default: '3' },
  },
})
const SPAN_MS = Number(values.seconds) * 1000
const AT_ONCE = 12
/** What a client library does by itself. */
const RETRIES = 2
/** Debian keeps each version's programs apart. */
const POSTGRES = readdirSync('/usr/lib/postgresql')
  .sort((a, b) => Number(a) - Number(b))
  .at(-1)!

const say = (line: string) => process.stdout.write(`${line}\n`)
const problems: string[] = []
const room = await mkdtemp(join(tmpdir(), 'weir-day-'))
chmodSync(room, 0o755)
const former = previousRelease(values.previous)
const disk = join(room, 'disk')
const postgres = await startDebiansPostgres()
if (redisProgram === undefined) throw new Error('Neither redis-server nor valkey-server is installed.')
const redis = await startRedis()
const upstream = await startUpstream()
upstream.reply(answerCalls)
const gateways = new Map<string, BuiltServer>()
let made: Called[] = []
try {
  await day()
} finally {
  for (const { child, ended } of gateways.values()) {
    child.kill('SIGTERM')
    await ended
  }
  await upstream.close()
  postgres.end()
  await redis.close()
  former.remove()
  await rm(room, { recursive: true, force: true })
}
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1

async function day() {
  const redisVersion = execFileSync(redisProgram!, ['--version'], { encoding: 'utf8' }).split(' sha')[0]
  say(`${postgres.version}, ${versionOf.nginx!()}, ${redisVersion}; from ${former.commit}`)
  const ports = { a: await freePort(), b: await freePort() }
  const start = async (name: 'a' | 'b', program: string, database = 'weir') =>
    gateways.set(name, await startBuiltServer(envOf(name, database), { port: ports[name], program }))
  const stop = async (name: 'a' | 'b') => {
    const { child, ended } = gateways.get(name)!
    child.kill('SIGTERM')
    const { code } = await ended
    gateways.delete(name)
    if (code !== 0) problems.push(`the gateway ${name} ended with ${code}`)
  }

  await start('a', former.program)
  const a = gateways.get('a')!
  const key = await preparePlace(await setUp(envOf('a', 'weir'), a.url, former.program), a.url, upstream.url)
  await start('b', former.program)
  const front = await fronts.nginx!(
    room,
    Object.values(ports).map((port) => `127.0.0.1:${port}`),
  )
  const call = () => startCallers(() => front.url, { key, atOnce: AT_ONCE, retries: RETRIES, from: made.length })
  let callers: Callers = call()
  let told = 0
  /** Where a caller may be refused, and how; whoever is refused pays nothing. */
  const tell = (what: string, may?: RegExp) => {
    const since = callers.made.slice(told)
    told = callers.made.length
    const failed = failedOf(since)
    const again = since.filter(({ tries }) => tries.length > 1).length
    say(`${what}: ${since.length} calls, ${again} were tried again, ${failed.length} failed`)
    problems.push(...failed.filter((each) => !may?.test(each)))
  }
  const during = async (what: string, act?: () => unknown, may?: RegExp) => {
    await act?.()
    await pause(SPAN_MS)
    tell(what, may)
  }

  await during('morning, the release before')
  await during('a rolling upgrade', async () => {
    for (const name of ['a', 'b'] as const) {
      await stop(name)
      await start(name, binary)
    }
  })
  await during('the database restarts', () => postgres.restart())
  await during('Redis ends', () => redis.stop())
  await during('Redis is back', () => redis.start())
  // Two retries of a client bridge about two seconds: behind them calls are refused in words until there is room.
  await during(
    `the disk of the database is full for ${values.full} s`,
    async () => {
      postgres.fill()
      await pause(Number(values.full) * 1000)
      postgres.empty()
    },
    /503 The database cannot be used just now/,
  )
  made.push(...(await callers.stop()))
  tell('evening')
  await hold('in the evening', made)

  const file = join(room, 'evening.weir')
  await run(['backup', file], 'weir')
  callers = call()
  told = 0
  await during('behind the backup')
  await callers.stop()
  tell('until all is lost')
  await Promise.all([stop('a'), stop('b')])
  postgres.make('restored')
  await run(['restore', file], 'restored')
  await start('a', binary, 'restored')
  await start('b', binary, 'restored')
  await hold('restored', made)
  callers = call()
  told = 0
  await during('the next day, restored')
  made = [...made, ...(await callers.stop())]
  tell('the end')
  await hold('at the end', made)
  await front.end()
}

function envOf(name: string, database: string) {
  return {
    ...{ WEIR_DATA: join(room, name), WEIR_SECRET: 'one secret for both of them', LOG_LEVEL: 'error' },
    ...{ DATABASE_URL: postgres.address(database), WEIR_REDIS: redis.url },
  }
}

async function run(args: string[], database: string) {
  const { code, stderr } = await weir(args, { env: envOf(`${args[0]}-folder`, database) })
  say(`weir ${args[0]}: ${code === 0 ? 'done' : stderr}`)
  if (code !== 0) problems.push(`weir ${args.join(' ')}: ${stderr}`)
}

async function hold(when: string, calls: readonly Called[]) {
  const wrong = await wrongBooks(gateways.get('a')!.url, calls)
  say(
    `${when}: ${calls.length} calls, ${wrong.length === 0 ? 'the books hold' : `${wrong.length} things in the books are wrong`}`,
  )
  problems.push(...wrong)
}

/** On a small file system of its own, as its own user. */
async function startDebiansPostgres() {
  const port = String(await freePort())
  const [bin, data] = [`/usr/lib/postgresql/${POSTGRES}/bin`, join(disk, 'data')]
  const as = (command: string, ...args: string[]) =>
    execFileSync('runuser', ['-u', 'postgres', '--', command, ...args], {
      encoding: 'utf8',
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', disk])
  chownSync(disk, id('-u'), id('-g'))
  as(`${bin}/initdb`, '-D', data, '--auth=trust', '--encoding=UTF8', '--locale=C')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data}`
  const control = (...args: string[]) =>
    as(`${bin}/pg_ctl`, '-D', data, '-l', join(disk, 'log'), '-w', '-o', options, ...args)
  const make = (name: string) => as(`${bin}/createdb`, '-h', '127.0.0.1', '-p', port, name)
  control('start')
  make('weir')
  const ballast = join(disk, 'ballast')
  return {
    version: as(`${bin}/postgres`, '--version').trim(),
    address: (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`,
    make,
    restart: () => control('-m', 'fast', 'restart'),
    fill() {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(1024 * 1024), { flag: 'a' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    empty: () => rmSync(ballast),
    end() {
      if (existsSync(join(data, 'postmaster.pid'))) control('-m', 'immediate', 'stop')
      execFileSync('umount', [disk])
    },
  }
}
