// Twelve usual tasks at the terminal, as the table of cli/README.md has them: each line is run on a fresh Weir with a
// server, must do what it says, and is timed (in seconds of CPU, which a busy machine does not change). By hand, after `npm run build`: npx tsx test/bench/twelve-tasks.ts
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWeir, until, weir } from '../support/terminal.ts'

interface Task {
  name: string
  line: string
  /** What the output says if it is done. */
  done: RegExp
  /** A line for the like of another tool, with names as short as here. */
  other: string
}

const tasks: readonly Task[] = [
  {
    name: 'Find out why the last call failed, and what to do',
    line: 'weir why',
    done: /What to do/,
    other: 'kubectl get events; kubectl logs web-7d9f --previous',
  },
  {
    name: 'Give a user $5',
    line: 'weir users topup alice 5usd',
    done: /\$0\.00 → \$5\.00/,
    other: 'stripe post /v1/customers/cus_9s6/balance_transactions -d amount=-500 -d currency=usd',
  },
  {
    name: 'Close a leaked key',
    line: 'weir tokens disable ci',
    done: /is disabled/,
    other: 'gh ssh-key delete 123456 --yes',
  },
  {
    name: 'See what a price would change, with the bills of the last days',
    line: 'weir plan price.yaml',
    done: /sandbox-small/,
    other: 'kubectl diff -f price.yaml',
  },
  {
    name: 'Raise the price',
    line: 'weir prices set sandbox-small --input 3 --output 12',
    done: /Input: \$1 → \$3/,
    other: 'stripe prices create --unit-amount=300 --currency=usd --product=prod_9s6',
  },
  {
    name: 'Add 300 channels',
    line: 'weir apply channels.yaml -y',
    done: /300/,
    other: 'kubectl apply -f channels.yaml',
  },
  {
    name: 'Take a channel out of use',
    line: 'weir channels disable west',
    done: /Disabled channel/,
    other: 'kubectl cordon west',
  },
  {
    name: 'List the errors of the last day',
    line: 'weir logs --type error --since 1d',
    done: /nobody-has-it/,
    other: "kubectl logs deploy/web --since=24h | grep -i 'error'",
  },
  {
    name: 'See who changed what',
    line: 'weir audit --since 1d',
    done: /channel\.update/,
    other: "gh api '/orgs/acme/audit-log?phrase=created:>=2026-01-30'",
  },
  {
    name: 'Usage of each user as a table for a spreadsheet',
    line: 'weir usage --by user --since 7d --csv',
    done: /^user|root/,
    other: 'gh api /orgs/acme/settings/billing/usage',
  },
  {
    name: 'Add a user with a balance',
    line: 'weir users add bob --quota 5usd',
    done: /balance of \$5\.00/,
    other: 'gh api /orgs/acme/invitations -f email=bob@example.com',
  },
  {
    name: 'Back everything up',
    line: 'weir backup day.weir',
    done: /day\.weir/,
    other: 'pg_dump -Fc -d weir -f day.dump',
  },
]

/** Tells at its end what the process took; the value of NODE_OPTIONS. */
const telling = `--import=data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
  process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(2, '\\nCPU ' + (user + system)) })`,
)}`

/** `weir plan` ends with 2 if there is something to change. */
const isDone = (line: string, code: number | null) => code === 0 || (line.startsWith('weir plan') && code === 2)

/** Keys of a line with Enter. */
const countKeys = (line: string) => line.length + 1
const print = (line: string) => void process.stdout.write(`${line}\n`)

const CHANNELS = 300
const channelsFile = `weir: 1\nchannels:\n${Array.from(
  { length: CHANNELS },
  (_, at) => `  c${at}:\n    name: channel ${at}\n    type: sandbox\n    models: [sandbox-small]\n`,
).join('')}`

async function prepare(folder: string, env: Record<string, string>, url: string, key: string): Promise<void> {
  await writeFile(join(folder, 'price.yaml'), 'weir: 1\nprices:\n  sandbox-small: {usd: {input: 4, output: 16}}\n')
  await writeFile(join(folder, 'channels.yaml'), channelsFile)
  await weir(['users', 'add', 'alice', '--quota', '0', '--password', 'a long password'], { env })
  await weir(['tokens', 'add', '--name', 'ci'], { env })
  await weir(['channels', 'add', '--type', 'sandbox', '--name', 'west', '--models', 'sandbox-small'], { env })
  for (const model of ['sandbox-small', 'nobody-has-it'])
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    }).then((reply) => reply.text())
}

const folder = await mkdtemp(join(tmpdir(), 'weir-tasks-'))
const env = { WEIR_DATA: join(folder, 'data'), WEIR_CONFIG_DIR: join(folder, 'contexts') }
try {
  const made = JSON.parse((await weir(['init', '--yes', '--json'], { env })).stdout) as { token_key: string }
  const server = startWeir(['serve', '--port', '0'], { env })
  try {
    await until(() => server.written.stdout.includes('is ready') || server.child.exitCode !== null)
    await prepare(folder, env, /Console\s+(http\S+)/.exec(server.written.stdout)?.[1] ?? '', made.token_key)
    print('| Task | Weir | Keys | CPU, s | Elsewhere | Keys |\n| --- | --- | --: | --: | --- | --: |')
    for (const { name, line, done, other } of tasks) {
      const given = { env: { ...env, NODE_OPTIONS: telling }, cwd: folder }
      const { code, stdout, stderr } = await weir(line.split(' ').slice(1), given)
      const seconds = (Number(/\nCPU (\d+)/.exec(stderr)?.[1]) / 1e6).toFixed(1)
      if (!isDone(line, code) || !done.test(stdout + stderr))
        throw new Error(`${line} ended with ${code}: ${(stdout + stderr).slice(0, 500)}`)
      print(
        `| ${name} | \`${line}\` | ${countKeys(line)} | ${seconds} | \`${other.replaceAll('|', '\\|')}\` | ${countKeys(other)} |`,
      )
    }
  } finally {
    server.child.kill()
    await server.ended
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
