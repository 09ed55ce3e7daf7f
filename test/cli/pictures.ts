// Writes the output of every command at 80 columns to test/cli/pictures: its help, and for read-only commands also the
// table and the CSV, from a real gateway with fixed data. Run `npx tsx test/cli/pictures.ts`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { runCommandLine } from '../../cli/main.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { fakeHost } from '../support/terminal.ts'
import { newLog, newTask } from '../storage/samples.ts'
import { leaves, looks } from './commands.data.ts'

export const FOLDER = fileURLToPath(new URL('pictures/', import.meta.url))
export const COLUMNS = 80

const NOW = Date.UTC(2026, 0, 15, 12)
const LINES = 8
const HELP_LINES = 21
const CSV_LINES = 3
/** What the help of every command has: blank lines, and the line of `--help`, with the heading if that is all. */
const REPEATED_LINES = /^\n|(?:^Options:\n)?^ {2}-h, --help .*\n/gm

/** Commands that show something else on every machine or at every time. */
const VARYING = new Set([
  'status',
  'open',
  'doctor',
  'env',
  'tokens env',
  'receipt get',
  'receipt key',
  'channels test',
  'channels balance',
  'me show',
  'me invitation',
])

/** A call that failed at one channel and was answered by another. */
const EXAMPLE = 'request-1'
const DETAIL = {
  group_ratio: 1,
  frt: 640,
  admin_info: {
    use_channel: ['2', '1'],
    attempts: [
      {
        channel: 2,
        model: 'sandbox-small',
        at: 3,
        ms: 210,
        result: 'failed',
        status: 429,
        why: 'too many requests',
        next: 'channel',
      },
      { channel: 1, model: 'sandbox-small', at: 220, ms: 1780, first_ms: 420, result: 'answered' },
    ],
  },
}

/** Commands that change nothing and print the same each time, with their arguments. */
export const steadyLooks: [name: string, args: string[]][] = Object.entries(looks)
  .filter(([name]) => !VARYING.has(name))
  .map(([name, args]) => [name, args.map((arg) => (arg === 'no-such-request' ? EXAMPLE : arg))])

/** A gateway with a little in it, whose clock stands still. */
export interface ExampleGateway {
  /** Runs a command on a terminal of `columns`, or into a pipe, and returns what it prints. */
  print(args: string[], columns?: number): Promise<string>
  close(): Promise<void>
}

export async function startExampleGateway(): Promise<ExampleGateway> {
  const [realNow, zone] = [Date.now, process.env.TZ]
  Date.now = () => NOW
  process.env.TZ = 'UTC'
  const server = await startTestServer()
  const { data } = server.config
  const close = async () => {
    await server.close()
    Date.now = realNow
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  }
  const print = async (args: string[], columns?: number) => {
    const env = { WEIR_DATA: data, CI: '1', NO_COLOR: '1', WEIR_LANGUAGE: 'en', WEIR_CONFIG_DIR: data }
    const { host, written } = fakeHost({ env, tty: columns !== undefined, columns })
    await runCommandLine(args, host)
    return written.stdout + written.stderr
  }
  try {
    await fill(server, print)
  } catch (error) {
    await close()
    throw error
  }
  return { print, close }
}

/** Replaces what is made anew each time by text of the same width. */
const maskVaryingText = (text: string): string =>
  text
    .replace(/sk-\w{48}/g, `sk-${'x'.repeat(48)}`)
    .replace(/(sk-)?\w{3}\*{3}\w{3}/g, '$1xxx***xxx')
    .replace(/\b\w{4}(?=\*{3})/g, 'xxxx')
    .replace(/\b(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])\w{16}\b/g, (id) => 'x'.repeat(id.length))
    .replace(/\b(?=\w*[A-Z])(?=\w*[a-z])(\w{32}|\w{40})\b/g, (id) => 'x'.repeat(id.length))
    .replace(/(?<=,127\.0\.0\.1,)\w{16}$/gm, 'x'.repeat(16))
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}\b/g, (id) => '0'.repeat(id.length))
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:3000')
    // While the clock stands still, the log is counted once, before or after the first rows.
    .replace(/(?<=^sqlite:logs\.db,\d+,)\d+/gm, '0')
    .replace(/"(signature|hash|chain_hash)": "[^"]*"/g, '"$1": "…"')
    .replace(new RegExp(`${tmpdir()}/weir-server-\\w+`, 'g'), '/var/lib/weir')
    .replace(/[ \t]+$/gm, '')

async function fill({ gateway }: TestServer, print: ExampleGateway['print']): Promise<void> {
  const run = async (args: string[]) => {
    const printed = await print(args)
    if (printed.includes('weir: ')) throw new Error(printed)
  }
  await run(['init', '--yes', '--json', '--password', 'a root password'])
  await run(['users', 'create', 'ada', '--password', 'a long password', '--quota', '$5'])
  await run(['teams', 'add', 'crew'])
  await run(['teams', 'member', 'crew', 'grace'])
  await run(['tokens', 'add', '--name', 'ci', '--budget-month', '$20'])
  await run(['channels', 'add', '--type', 'sandbox', '--name', 'spare', '--models', 'unpriced', '--tag', 'lab'])
  await run(['redemptions', 'create', '--name', 'spring', '--quota', '$5'])
  await run(['alerts', 'add', '--name', 'Certificate', '--kind', 'certificate', '--threshold', '14'])
  await run(['prices', 'set', 'sandbox-small', '--input', '2.5', '--output', '10'])
  await run(['access-tokens', 'add', '--name', 'reports', '--scope', 'read'])
  const { sessions, tasks, topups, logs } = gateway.ports.storage
  await tasks.add(newTask({ task_id: 'no-such-task', channel_id: 1 }))
  const at = NOW / 1000
  const times = { created_time: at - 90_000, used_time: at - 60, proven_time: at - 90_000, expires_time: at + 90_000 }
  await sessions.insert({ id_hash: 'h', user_id: 1, ip: '192.0.2.7', user_agent: 'curl', ...times })
  const order = { user_id: 1, trade_no: 'o1', provider: 'epay', method: 'wxpay', amount: 1, money: 730 }
  await topups.insert({ ...order, currency: 'CNY', quota: 500_000, create_time: at - 4000 })
  const row = { user_id: 1, username: 'root', token_name: 'first token', channel: 1, model_name: 'sandbox-small' }
  await logs.insert([
    newLog({ ...row, created_at: at - 7200, quota: 1250, request_id: EXAMPLE, other: JSON.stringify(DETAIL) }),
    newLog({
      ...row,
      created_at: at - 3600,
      quota: 0,
      type: 5,
      content: 'the provider timed out',
      request_id: 'second',
    }),
  ])
  await gateway.client.usage.rebuild({})
  while ((await gateway.client.usage.rebuildProgress()).running) await new Promise((done) => setTimeout(done, 5))
}

/** The pictures by the name of their file, one for each command or group of commands. */
export async function makePictures({ print }: ExampleGateway): Promise<Record<string, string>> {
  const argsByName = new Map(steadyLooks)
  const files: Record<string, string> = {}
  for (const [name] of leaves) {
    const path = name.split(' ')
    const args = argsByName.get(name)
    const line = [...path, ...(args ?? [])]
    const help = await print([...path, '--help'], COLUMNS)
    const sections = [`=== weir ${name} --help`, cutLines(help.replace(REPEATED_LINES, ''), HELP_LINES)]
    if (args)
      sections.push(
        `=== weir ${line.join(' ')}`,
        cutLines(await print(line, COLUMNS), LINES),
        `=== weir ${line.join(' ')} --csv`,
        cutLines(await print([...line, '--csv'], COLUMNS), CSV_LINES),
      )
    const file = `${path[0]}.txt`
    files[file] = `${files[file] ?? ''}${sections.join('\n')}\n`
  }
  return files
}

function cutLines(text: string, count: number): string {
  const all = text.replace(/\n+$/, '').split('\n')
  return maskVaryingText(all.length <= count ? all.join('\n') : [...all.slice(0, count), '…'].join('\n'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const gateway = await startExampleGateway()
  const pictures = await makePictures(gateway)
  await gateway.close()
  rmSync(FOLDER, { recursive: true })
  mkdirSync(FOLDER)
  for (const [file, text] of Object.entries(pictures)) writeFileSync(FOLDER + file, text)
}
