// Runs test files in a process of their own until the first test fails, also while a file of the product is changed.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { runPostgres } from '../support/postgres-server.ts'
import { readTreeSeconds } from '../support/process-times.ts'
import { root } from '../support/sources.ts'

export interface Played {
  passed: boolean
  /** The time limit was over before the tests were. */
  late: boolean
  /** The tests that failed, with their file and what they said. */
  failures: string[]
  /** Of the tests' files, those in which a test failed. */
  failedFiles: string[]
  /** How long the tests of each file took. */
  seconds: Record<string, number>
  wall_s: number
  cpu_s: number
}

const NOTHING_PLAYED: Played = {
  passed: true,
  late: false,
  failures: [],
  failedFiles: [],
  seconds: {},
  wall_s: 0,
  cpu_s: 0,
}

export interface PlayOptions {
  limit_s?: number
  /** Each file in a process of its own, all of them to their ends: writes into this folder which parts each reaches. */
  reachFolder?: string
}

export interface Player {
  play(tests: readonly string[], options?: PlayOptions): Promise<Played>
  /** Runs one of npm's scripts; whether it did well. */
  runScript(name: string): Promise<boolean>
  close(): Promise<void>
}

export async function openPlayer(workers: string): Promise<Player> {
  const folder = mkdtempSync(join(tmpdir(), 'weir-mutation-'))
  const server = await runPostgres(['-c', 'fsync=off', '-c', 'max_connections=300', '-c', 'autovacuum=off'])
  let running: ChildProcess | undefined
  const endRunning = () => {
    // It leads a group of its own, with its workers.
    if (running?.pid !== undefined) process.kill(-running.pid, 'SIGKILL')
  }
  const close = () => server.stop()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      endRunning()
      void close().finally(() => process.exit(1))
    })

  /** Runs a program to its end, or to the limit's; its exit code, or null. */
  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv, limit_s?: number) {
    return new Promise<number | null>((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: 'ignore',
        detached: true,
      })
      running = child
      const timer = limit_s === undefined ? undefined : setTimeout(endRunning, limit_s * 1000)
      child.on('error', reject)
      child.on('exit', (code) => {
        clearTimeout(timer)
        running = undefined
        resolve(code)
      })
    })
  }

  return {
    async play(tests, { limit_s, reachFolder } = {}) {
      if (tests.length === 0) return { ...NOTHING_PLAYED }
      const report = join(folder, 'report.json')
      rmSync(report, { force: true })
      const [started, cpu] = [Date.now(), readTreeSeconds()]
      const vitest = join(root, 'node_modules/vitest/vitest.mjs')
      const args = [
        'run',
        '--config',
        'test/mutation/vitest.config.ts',
        '--outputFile',
        report,
        '--maxWorkers',
        workers,
      ]
      const env = {
        WEIR_PLAYED_TESTS: tests.join('\n'),
        WEIR_POSTGRES_URL: server.url,
        ...(reachFolder === undefined ? {} : { WEIR_REACH_FOLDER: reachFolder }),
      }
      const code = await run(
        process.execPath,
        [vitest, ...args, ...(reachFolder === undefined ? ['--bail', '1'] : [])],
        env,
        limit_s,
      )
      const wall_s = (Date.now() - started) / 1000
      const cpu_s = readTreeSeconds() - cpu
      await dropTestDatabases(server.url)
      if (code === null) return { ...NOTHING_PLAYED, passed: false, late: true, wall_s, cpu_s }
      // A run that never began has caught nothing.
      if (!existsSync(report))
        throw new Error('Vitest did not run the tests: see what test/mutation/vitest.config.ts does')
      const read = readReport(report)
      return { passed: code === 0 && read.failures.length === 0, late: false, ...read, wall_s, cpu_s }
    },
    runScript: async (name) => (await run('npm', ['run', '--silent', name], {})) === 0,
    close,
  }
}

/** The part of Vitest's JSON report that is used. */
interface Report {
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

function readReport(path: string): Pick<Played, 'failures' | 'failedFiles' | 'seconds'> {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  const failed = report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, assertionResults }) => ({ file: relative(root, name), assertionResults }))
  const failures = failed.flatMap(({ file, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    if (tests.length === 0) return [`${file} does not load`]
    return tests.map(
      ({ fullName, failureMessages: [message = ''] }) => `${file}: ${fullName}: ${message.split('\n')[0]}`,
    )
  })
  const seconds = Object.fromEntries(
    report.testResults.map(({ name, startTime, endTime }) => [relative(root, name), (endTime - startTime) / 1000]),
  )
  return { failures, failedFiles: failed.map(({ file }) => file), seconds }
}

/** What the tests of one run have made would fill the disk in hundreds of runs. The template of new databases stays. */
async function dropTestDatabases(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'test\\_%'`,
    )
    for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  } finally {
    await client.end()
  }
}

const originals = new Map<string, string>()

process.on('exit', restoreFiles)

function restoreFiles(): void {
  for (const [file, text] of originals) writeFileSync(file, text)
  originals.clear()
}

/** Puts what `change` makes of a file's text into the file until `run` is through. Only a kill -9 leaves it changed. */
export async function withChangedFile<Result>(
  file: string,
  change: (text: string) => string,
  run: () => Promise<Result>,
): Promise<Result> {
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  originals.set(file, text)
  try {
    writeFileSync(file, changed)
    return await run()
  } finally {
    restoreFiles()
  }
}
