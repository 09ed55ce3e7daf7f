// `weir logs …` on a real gateway: rows and tries of calls, a file of them, the end of old ones.
import net from 'node:net'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import stringWidth from 'fast-string-width'
import type { CommandEnvironment } from '../../cli/command.ts'
import { connectToGateway } from '../../cli/connection/connect.ts'
import { followLogRows } from '../../cli/connection/log-stream.ts'
import { drawAttemptBar, formatWaterfallLines, type ExplainedAttempt } from '../../cli/output/waterfall.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'
import { newDrawing, newLog, newTask } from '../storage/samples.ts'
import { startUpstream } from '../support/upstream.ts'

let server: TestServer
let folder: string
let request: string
const run = (args: string[], columns = 120) => runHere(args, { env: { WEIR_DATA: server.config.data }, columns })
const json = async <T = Record<string, unknown>>(args: string[]): Promise<T> => {
  const { stdout, stderr } = await run([...args, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(path.join(tmpdir(), 'weir-logs-'))
  const { token_key } = await json<{ token_key: string }>(['init', '--yes'])
  await run(['settings', 'set', 'AllowedNetworks', '["127.0.0.0/8"]', '--yes'])
  const broken = await startUpstream()
  broken.reply({ status: 500, body: { error: { message: 'it burns' } } })
  const fields = ['--name', 'broken', '--key', 'k', '--models', 'sandbox-small', '--priority', '9', '--base-url']
  await run(['channels', 'add', '--type', 'openai', ...fields, broken.url])
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(answer.status).toBe(200)
  request = answer.headers.get('x-request-id') ?? ''
  await answer.text()
  await broken.close()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

it('a row is words, money, an ISO time and an object for programs', async () => {
  const [row] = await json<object[]>(['logs', '--type', 'consumption', '--since', '1h', '--channel', '1'])
  expect(row).toMatchObject({
    ...{ type: 'consumption', user: 'root', token: 'first token', channel_id: 1, model: 'sandbox-small' },
    ...{ operation: 'chat', request_id: request, stream: false, time: expect.stringMatching(/Z$/) },
    ...{
      quota: expect.any(Number),
      quota_usd: expect.any(Number),
      detail: expect.objectContaining({ price_version: expect.any(String) }),
    },
  })
})

it('trace tells each try of a call with its own times, as a drawing and for programs', async () => {
  const traced = await json<{ attempts: object[] }>(['logs', 'trace', request])
  expect(traced).toMatchObject({
    ...{ request_id: request, user: 'root', model: 'sandbox-small', ms: expect.any(Number) },
    attempts: [
      { name: 'broken', model: 'sandbox-small', result: 'failed', status: 500, next: 'channel' },
      { name: expect.stringContaining('Sandbox'), result: 'answered' },
    ],
  })
  for (const [language, columns, said] of [
    ['en', 80, /1\. \d+ broken[^]*500[^]*2\. \d+ Sandbox[^]*answered[^]*then another channel/],
    ['zh', 80, /渠道[^]*1\. \d+ broken[^]*500[^]*已应答[^]*随后换用另一个渠道/],
  ] as const) {
    const { code, stdout } = await run(['logs', 'trace', request, '--language', language], columns)
    expect([code, stdout]).toEqual([0, expect.stringMatching(said)])
  }
  expect(await run(['logs', 'trace', 'no-such-request'])).toMatchObject({ code: 1, stdout: '' })
})

const attempt = (at: number, ms: number, first_ms?: number): ExplainedAttempt => ({
  ...{
    channel: 1,
    name: 'Long '.repeat(20),
    type: 1,
    type_name: 'x',
    model: 'm',
    result: 'answered',
    at,
    ms,
    first_ms,
  },
})

it('a waterfall has each try where it stood in time, and fits its terminal', () => {
  expect(drawAttemptBar(attempt(0, 50, 25), 0, 100, 8)).toBe('░░██')
  expect(drawAttemptBar(attempt(50, 50, 0), 0, 100, 8)).toBe('    ░░░░')
  expect(drawAttemptBar(attempt(100, 0), 0, 100, 8)).toBe('       ░')
  for (const width of [40, 60, 80, 120, 200])
    for (const language of ['en', 'zh'] as const) {
      const how = { language, width, paint: (text: string) => text }
      for (const line of formatWaterfallLines([attempt(0, 900), attempt(900, 1100, 200)], how))
        expect(stringWidth(line)).toBeLessThanOrEqual(width)
    }
})

it('explain is a bill in both languages, and its figures for programs', async () => {
  expect((await run(['logs', 'explain', request])).stdout).toMatch(/Request .*\n[^]*charged[^]*Balance/)
  expect((await run(['logs', 'explain', request, '--language', 'zh'])).stdout).toMatch(
    /请求 .*\n[^]*收取[^]*扣费前余额/,
  )
  const bill = await json<{ balance_before: number; balance_after: number; quota: number }>([
    'logs',
    'explain',
    request,
  ])
  expect(bill.balance_before - bill.balance_after).toBe(bill.quota)
})

it('export writes what the filter leaves, to a file or to standard output', async () => {
  const file = path.join(folder, 'rows.jsonl')
  const { code, stdout } = await run(['logs', 'export', '--request', request, '--format', 'jsonl', '--out', file])
  expect([code, stdout]).toEqual([0, `Written to ${file}.\n`])
  const rows = (await readFile(file, 'utf8')).trim().split('\n')
  expect(rows.map((row) => (JSON.parse(row) as { request_id: string }).request_id)).toEqual(rows.map(() => request))
  expect((await run(['logs', 'export', '--model', 'nobody'])).stdout).toMatch(/^id,created_at,type,[^\n]*\r\n$/)
})

it('tail tells each row once and in order, also of the time when the way was cut', async () => {
  // Between them, so that it can be cut.
  const ways = new Set<net.Socket>()
  const way = net.createServer((socket) => {
    const on = net.connect(Number(new URL(server.url).port), '127.0.0.1')
    for (const one of [socket, on]) ways.add(one.on('error', () => undefined))
    socket.pipe(on).pipe(socket)
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(way.address() as net.AddressInfo).port}`
  const accessToken = await json<string>(['call', 'users.accessToken'])
  const insert = (token_name: string, ...names: string[]) => {
    const now = { token_name, created_at: Math.floor(Date.now() / 1000) }
    return server.gateway.ports.storage.logs.insert(names.map((content) => newLog({ content, ...now })))
  }
  const write = (...names: string[]) => insert('followed', ...names)
  await write('one', 'two')
  const [heard, warned, ended]: [string[], string[], AbortController] = [[], [], new AbortController()]
  const next = async (rows: readonly { content: string }[]) => void heard.push(...rows.map(({ content }) => content))
  const context = {
    print: { form: 'json', next, warn: (text: { en: string }) => warned.push(text.en) },
    ...{ language: 'en', interrupted: () => ended.signal, config: {} },
    reconnect: () =>
      connectToGateway({ server: url, accessToken, language: 'en' } as Parameters<typeof connectToGateway>[0]),
  } as unknown as CommandEnvironment
  const following = followLogRows(context, { filter: { token_name: 'followed' }, last: 1 })
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['two'])
  await write('three')
  await insert('other', 'of another')
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['two', 'three'])
  for (const socket of ways) socket.destroy()
  await write('four', 'five')
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['two', 'three', 'four', 'five'])
  expect(warned).toEqual([expect.stringContaining('Retrying until Ctrl+C.')])
  await write('six')
  await expect.poll(() => heard, { timeout: 5000 }).toEqual(['two', 'three', 'four', 'five', 'six'])
  ended.abort()
  await following
  for (const socket of ways) socket.destroy()
  way.close()
})

it('prune removes what is older, and asks', async () => {
  expect(await run(['logs', 'prune', '--before', '1d'])).toMatchObject({ code: 2, stdout: '' })
  expect(await json(['logs', 'prune', '--before', '1d', '--yes'])).toMatchObject({ removed: 0 })
  expect((await json<object[]>(['logs'])).length).toBeGreaterThan(0)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const { removed } = await json<{ removed: number }>(['logs', 'prune', '--before', tomorrow, '--yes'])
  expect(removed).toBeGreaterThan(0)
})

it('tasks are one list of drawings and others, by filters, with one shown whole', async () => {
  const { tasks } = server.gateway.ports.storage
  for (let n = 0; n < 12; n += 1) await tasks.add(newTask({ task_id: `t${n}`, created_at: 1_700_000_000 + n }))
  await tasks.add(newDrawing({ mj_id: 'd1', created_at: 1_700_000_100, channel_id: 1 }))
  await tasks.add(newTask({ task_id: 'bad', status: 'FAILURE', fail_reason: 'too loud', user_id: 2 }))
  const ids = async (...args: string[]) => (await json<{ id: string }[]>(['tasks', ...args])).map(({ id }) => id)
  expect(await ids()).toHaveLength(14)
  const newest = await run(['tasks', '--limit', '2', '--jq', '.[].id'])
  expect(newest).toMatchObject({ stdout: 'd1\nt11\n', stderr: 'The newest 2 are shown; --limit shows more.\n' })
  expect(await ids('--platform', 'Midjourney')).toEqual(['d1'])
  expect(await ids('--status', 'failure')).toEqual(['bad'])
  expect(await ids('--action', 'imagine', '--channel', '1')).toEqual(['d1'])
  expect(await ids('--mine', '--status', 'FAILURE')).toEqual([])
  expect(await ids('--since', '1d')).toEqual([])
  expect(await json(['tasks', 'show', 'd1'])).toMatchObject({
    ...{ id: 'd1', platform: 'midjourney', prompt: 'a weir', charge: 50, charge_usd: 0.0001 },
    ...{ submitted: '2023-11-14T22:15:00.000Z', finished: expect.stringMatching(/Z$/), failure: null },
  })
  expect((await run(['tasks', 'show', 'bad'])).stdout).toContain('too loud')
  const open = { account_id: 1, status: 'IN_PROGRESS', finish_time: 0 }
  await tasks.add(newTask({ task_id: 'open', model: 'suno_lyrics', ...open }))
  expect(await ids('--model', 'suno_lyrics')).toEqual(['open'])
  expect(await ids('--user', 'root', '--status', 'IN_PROGRESS')).toEqual(['open'])
  expect(await run(['tasks', 'cancel', 'open'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(await json(['tasks', 'cancel', 'open', '--yes'])).toMatchObject({
    id: 'open',
    status: 'FAILURE',
    refunded: 50,
  })
  expect(await run(['tasks', 'cancel', 'open', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is over'),
  })
  expect(await json(['tasks', 'refund', 't1', '--yes'])).toMatchObject({ id: 't1', status: 'SUCCESS', refunded: 50 })
  expect(await run(['tasks', 'retry', 't2', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('too large to store'),
  })
  const missing = await run(['tasks', 'show', 'none', '--language', 'zh'])
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('没有任务 "none"') })
})
