// Measures the start of a command: seconds of CPU, through the socket of a running server and with `--server`. Run it
// manually after `npm run build`: npx tsx test/bench/start.ts
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWeir, until, weir } from '../support/terminal.ts'

const RUNS = 5
const ALLOWED_SECONDS = 0.35

/** Tells at its end what the process took; the value of NODE_OPTIONS. */
const telling = `--import=data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
  process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(2, '\\nCPU ' + (user + system)) })`,
)}`

/** The middle of several runs, in seconds of CPU. */
async function cpuOf(args: string[], env: Record<string, string>): Promise<number> {
  const taken: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const { code, stderr } = await weir(args, { env: { ...env, NODE_OPTIONS: telling } })
    if (code !== 0) throw new Error(`weir ${args.join(' ')} ended with ${code}: ${stderr}`)
    taken.push(Number(/\nCPU (\d+)/.exec(stderr)?.[1]) / 1e6)
  }
  return taken.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const folder = await mkdtemp(join(tmpdir(), 'weir-start-'))
const env = { WEIR_DATA: folder }
const rows: { command: string; through: string; seconds: number }[] = []
const measure = async (through: string, args: string[], more: Record<string, string> = env) => {
  const seconds = await cpuOf(args, more)
  rows.push({ command: `weir ${args.join(' ')}`, through, seconds })
  print(`${seconds.toFixed(3)} s  ${through.padEnd(18)}  weir ${args.join(' ')}`)
}

try {
  await weir(['init', '--yes', '--json'], { env })
  await measure('nothing', ['docs', 'errors'])
  await measure('its own process', ['tokens', 'list'])
  const server = startWeir(['serve', '--port', '0'], { env })
  try {
    await until(() => server.written.stdout.includes('is ready') || server.child.exitCode !== null)
    const url = /Console\s+(http\S+)/.exec(server.written.stdout)?.[1] ?? ''
    const access = JSON.parse((await weir(['call', 'users.accessToken', '--json'], { env })).stdout) as string
    const remote = { WEIR_SERVER: url, WEIR_ACCESS_TOKEN: access }
    for (const args of [
      ['tokens', 'list'],
      ['channels', 'list'],
      ['logs', 'list'],
      ['ledger', 'verify'],
    ]) {
      await measure('--server', args, remote)
      await measure('the socket', args)
    }
  } finally {
    server.child.kill('SIGTERM')
    await server.ended
  }
} finally {
  await rm(folder, { recursive: true })
}
const slow = rows.filter(({ through, seconds }) => through !== 'its own process' && seconds > ALLOWED_SECONDS)
for (const { command, through, seconds } of slow)
  print(`Over ${ALLOWED_SECONDS} s: ${command} (${through}) took ${seconds.toFixed(3)} s`)
process.exitCode = slow.length > 0 ? 1 : 0
