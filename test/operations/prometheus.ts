// The work of prometheus.sh: a gateway with calls, a Prometheus that scrapes it, and every query asked of that Prometheus.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { freePort } from '../support/free-port.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const examples = 'examples/operations'
const folder = mkdtempSync(join(tmpdir(), 'weir-prometheus-'))
const started: ChildProcess[] = []

function start(program: string, args: string[]): void {
  started.push(
    spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, LOG_LEVEL: 'error' } }),
  )
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const seen = await look().catch(() => undefined)
    if (seen !== undefined) return seen
    await sleep(200)
  }
  throw new Error(`waited in vain: ${what}`)
}

const weir = (args: string[]) =>
  execFileSync(process.execPath, ['bin/weir.js', ...args, '--data', join(folder, 'data'), '--json'], {
    encoding: 'utf8',
  })

async function main(): Promise<void> {
  say(execFileSync('promtool', ['check', 'rules', join(examples, 'alerts.yml')], { encoding: 'utf8' }).trim())

  const [port, metrics, prometheus] = [await freePort(), await freePort(), await freePort()]
  const set = JSON.parse(weir(['init', '--yes'])) as { token?: unknown }
  const token = /sk-[A-Za-z0-9]+/.exec(JSON.stringify(set))?.[0] ?? ''
  const serve = ['serve', '--port', String(port), '--metrics-port', String(metrics), '--data', join(folder, 'data')]
  start(process.execPath, ['bin/weir.js', ...serve])
  await until('ready', async () => ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok ? true : undefined))
  for (const stream of [false, true]) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-small', stream, messages: [{ role: 'user', content: 'hello' }] }),
    })
    await answer.text()
    if (!answer.ok) throw new Error(`the call was answered ${answer.status}`)
  }
  const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
  execFileSync('promtool', ['check', 'metrics'], { input: text, stdio: ['pipe', 'inherit', 'inherit'] })
  say(`promtool check metrics: ${text.split('\n').length} lines, nothing to say`)

  const config = readFileSync(join(examples, 'prometheus.yml'), 'utf8')
    .replace('127.0.0.1:9464', `127.0.0.1:${metrics}`)
    .replace('15s', '1s')
  writeFileSync(join(folder, 'prometheus.yml'), config)
  writeFileSync(join(folder, 'alerts.yml'), readFileSync(join(examples, 'alerts.yml')))
  start('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${prometheus}`,
    '--log.level=error',
  ])
  interface Answer {
    status: string
    error?: string
    data: { result: { value: [number, string] }[] }
  }
  const ask = async (query: string): Promise<Answer> =>
    (
      await fetch(`http://127.0.0.1:${prometheus}/api/v1/query?${new URLSearchParams({ query })}`)
    ).json() as Promise<Answer>
  const calls = await until('a scrape with the calls', async () => {
    const { data } = await ask('sum(weir_calls_total)')
    return data.result[0]?.value[1] === '2' ? data.result : undefined
  })
  say(`Prometheus scraped it: weir_calls_total ${calls[0]?.value[1]}`)
  await sleep(5_000)

  const dashboard = JSON.parse(readFileSync(join(examples, 'dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const { groups } = parse(readFileSync(join(examples, 'alerts.yml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  // As Grafana fills them in.
  const filled = (expr: string) =>
    expr.replaceAll(/\$(model|channel|group)\b/g, '.*').replaceAll('$__rate_interval', '1m')
  const queries = [
    ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, filled(expr)] as const)),
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ]
  let wrong = 0
  let empty = 0
  for (const [title, query] of queries) {
    const { status, error, data } = await ask(query)
    if (status !== 'success') {
      wrong += 1
      say(`WRONG ${title}: ${error}\n  ${query}`)
    } else if (data.result.length === 0) empty += 1
  }
  say(`${queries.length} queries of dashboard and rules: ${wrong} wrong, ${empty} with nothing to show yet`)
  if (wrong > 0) process.exitCode = 1
}

try {
  await main()
} finally {
  for (const child of started) child.kill()
  await sleep(500)
  rmSync(folder, { recursive: true, force: true })
}
