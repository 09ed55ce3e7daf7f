// `weir ui` in a real terminal, every page and act at three sizes, beside a load:
// npx tsx test/e2e/ui.ts --database sqlite|postgres --channels 300 --rate 50 --seconds 60 [--remote]
// With --remote the screen goes to the server by its address and an access token.
// It needs tmux (Debian: apt-get install tmux) and a build.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import stringWidth from 'fast-string-width'
import { setUp, startBuiltServer } from '../support/built-server.ts'
import { databaseOfScript } from '../support/postgres-server.ts'
import { hasTmux, openPane, type Pane } from '../support/tmux.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    channels: { type: 'string', default: '300' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    remote: { type: 'boolean', default: false },
  },
})
const SIZES = [
  [80, 24],
  [120, 40],
  [60, 20],
] as const
const ONE_ROW = / 1\/1$/m
/** Of a core, while it watches. */
const ALLOWED = 0.1

const say = (line: string) => process.stdout.write(`${line}\n`)
const problems: string[] = []
if (!hasTmux()) {
  say('tmux is not to be had here: apt-get install tmux')
  process.exit(2)
}

const { database, stop } = await databaseOfScript(values.database)
const data = await mkdtemp(join(tmpdir(), 'weir-ui-'))
const env = { WEIR_DATA: join(data, 'weir'), ...(database ? { DATABASE_URL: database } : {}) }
const server = await startBuiltServer(env)
const { client } = await setUp(env, server.url)
for (let at = 0; at < Number(values.channels); at++) {
  const models = `sandbox-small,model-${at}`
  await client.channels.create({ type: 1000, name: `channel ${at}`, key: 'k', models, priority: at % 3 })
}
await client.users.create({ username: 'alice', password: 'a long password' })
const { key } = await client.tokens.create({ name: 'load', unlimited_quota: true })

const { token } = await client.users.createAccessToken({ name: 'screen', scope: 'all' })
const there = values.remote ? { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token } : env

let sent = 0
const body = JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] })
const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
const load = setInterval(
  () => {
    fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
      .then((answer) => answer.arrayBuffer())
      .then(() => (sent += 1))
      .catch((error: unknown) => problems.push(String(error)))
  },
  1000 / Number(values.rate),
)

/** Nothing stands beyond the edges, whatever is on the screen. */
function fits(pane: Pane, columns: number, rows: number): void {
  const lines = pane.lines()
  if (lines.length > rows || lines.some((line) => stringWidth(line) > columns))
    problems.push(`too large: ${columns}x${rows}`)
}

async function everything(pane: Pane, columns: number, rows: number): Promise<void> {
  const step = async (keys: string[], text: string | RegExp) => {
    pane.keys(...keys)
    await pane.sees(text)
    fits(pane, columns, rows)
  }
  await step(['2'], 'sandbox-small')
  await step(['?'], '1…9')
  await step(['Escape'], 'q quit')
  await step(['t'], 'logs trace')
  await step(['Escape'], 'q quit')
  await step(['3'], 'LAST 24 HOURS')
  await step(['/', 'channel 299', 'Enter'], 'channel 299')
  await step(['t'], 'Send a test call')
  await step(['y'], / ok /)
  await step(['Escape'], 'q quit')
  await step(['T', 'Enter'], 'for sandbox-small')
  await step(['n'], 'q quit')
  await step(['d'], 'Disable')
  await step(['y'], 'Disabled')
  await step(['d'], 'Enable')
  await step(['y'], 'Enabled')
  await step(['e', 'Enter', 'C-u', 'channel 299 renamed', 'Enter', 'C-s'], 'Save the changes')
  await step(['y'], 'Changed')
  await step(['e', 'Enter', 'C-u', 'channel 299', 'Enter', 'C-s'], 'Save the changes')
  await step(['y'], 'Changed')
  await step(['c', 'C-u', 'channel 299 again', 'Enter'], 'Copy')
  await step(['y'], 'Copied channel')
  await step(['/', 'C-u', '299 again', 'Enter'], ONE_ROW)
  await step(['x'], 'for good')
  await step(['y'], 'Deleted')
  await step(['/', 'C-u', 'channel 299', 'Enter'], ONE_ROW)
  await step(['Enter'], 'Channels:')
  await step(['Escape'], 'q quit')
  await step(['y'], 'Copied')
  await step(['Escape'], 'q quit')
  await step(['4'], 'alice')
  await step(['/', 'alice', 'Enter'], ONE_ROW)
  await step(['a', '$5', 'Enter', 'a gift', 'Enter'], 'Add $5')
  await step(['y'], 'The balance of')
  await step(['d'], 'Disable')
  await step(['y'], 'is disabled')
  await step(['d'], 'Enable')
  await step(['y'], 'is enabled')
  await step(['e', 'C-s'], 'Nothing was changed')
  await step(['Escape'], 'q quit')
  await step(['5'], 'load')
  await step(['e', 'Enter', 'C-u', 'load', 'Enter', 'C-s'], 'Nothing was changed')
  await step(['Escape'], 'q quit')
  await step(['6'], 'model-0')
  await step(['/', 'sandbox-small', 'Enter'], ONE_ROW)
  await step(['Enter'], 'Models:')
  await step(['Escape'], 'q quit')
  await step(['e', 'Enter', 'C-u', '0.5', 'Enter', 'C-s'], 'Set sandbox-small')
  await step(['n'], 'Ctrl+S save')
  await step(['Escape'], 'Unsaved changes')
  await step(['d'], 'q quit')
  await step(['7'], 'charge')
  await step(['v'], 'Verify all')
  await step(['y'], 'The ledger holds')
  await step(['8'], 'No drawings')
  await step(['9'], 'KEY')
  await step(['/', 'RetryTimes', 'Enter'], ONE_ROW)
  await step(['e', 'C-u', '4', 'Enter'], 'Set RetryTimes')
  await step(['y'], 'is now 4')
  await step(['u'], 'its default again')
  await step(['y'], 'is reset to its default.')
  await step([':', 'users ls', 'Enter'], /USERNAME|alice/)
  await step(['Escape'], 'q quit')
  await step([':', 'live', 'Enter'], 'calls')
  pane.resize(columns + 7, rows + 3)
  await pane.sees('q quit')
  fits(pane, columns + 7, rows + 3)
  pane.resize(columns, rows)
}

try {
  for (const [columns, rows] of SIZES) {
    const pane = openPane(['ui', '--language', 'en'], there, columns, rows)
    try {
      await everything(pane, columns, rows)
      for (const page of ['1', '2']) {
        pane.keys(page)
        const before = pane.cpuSeconds()
        const from = sent
        await new Promise((resolve) => setTimeout(resolve, (Number(values.seconds) * 1000) / 2))
        const share = (pane.cpuSeconds() - before) / (Number(values.seconds) / 2)
        const calls = (sent - from) / (Number(values.seconds) / 2)
        say(`${columns}x${rows}, page ${page}: ${(share * 100).toFixed(1)} % of a core at ${calls.toFixed(0)} calls/s`)
        if (share > ALLOWED) problems.push(`${columns}x${rows}: ${(share * 100).toFixed(1)} % of a core`)
      }
      pane.keys('q')
      say(`${columns}x${rows}: every page and act done`)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
      pane.close()
    }
  }
} finally {
  clearInterval(load)
  server.child.kill('SIGTERM')
  await server.ended
  await stop()
  await rm(data, { recursive: true, force: true })
}
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? `all is well: ${sent} calls meanwhile` : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1
