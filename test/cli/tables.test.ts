// Every table of every command at every width: the tables are those that the commands print on a real gateway, their cells
// made as long, as wide and as large as they can be.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { buildBillLines } from '../../cli/output/bill.ts'
import { runCommandLine } from '../../cli/main.ts'
import type { BilingualText } from '../../cli/language.ts'
import { logEntryView } from '../../cli/nouns/log.ts'
import { formatTableLines, type CellTone, type ListColumn, type TableColumn } from '../../cli/output/table.ts'
import { listViewColumns, type OutputView, type ViewField } from '../../cli/output/view.ts'
import type { ChargeExplanation } from '../../core/logs/explanation.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { fakeHost, fakeServer, runHere } from '../support/terminal.ts'
import { refuseCharge } from '../support/refused-charge.ts'
import { newTask } from '../storage/samples.ts'
import { apart, leaves, looks } from './commands.data.ts'

const titlesOf = (view: OutputView<never>) =>
  listViewColumns(view, { language: 'en', money: MONEY })
    .map(({ title }) => title)
    .join(' ')

interface Table {
  columns: ListColumn<object>[]
  rows: readonly object[]
}
const MONEY = { quota_per_unit: 500_000, display_in_currency: true }
const printed = vi.hoisted(() => new Map<string, unknown>()) as Map<string, Table>

// Files share what is loaded: this one loads anew what it looks into, and leaves nothing of it.
vi.hoisted(() => vi.resetModules())
vi.mock('../../cli/output/output.ts', async (original) => {
  const output = await original<typeof import('../../cli/output/output.ts')>()
  const remember = <T>(rows: readonly T[], columns: ListColumn<T>[]) => {
    const table = { columns, rows } as unknown as Table
    if (rows.length > 0) printed.set(columns.map(({ title }) => title).join(' '), table)
  }
  return {
    ...output,
    createPrinter: (...args: Parameters<typeof output.createPrinter>) => {
      const print = output.createPrinter(...args)
      return {
        ...print,
        list: <T>(rows: readonly T[], view: OutputView<T>, more?: { empty: BilingualText }) => {
          remember(rows, listViewColumns(view, { language: 'en', money: MONEY }))
          return print.list(rows, view, more)
        },
        pages: <T>(pages: AsyncIterable<readonly T[]>, view: OutputView<T>, more: { empty: BilingualText }) => {
          async function* remembered() {
            for await (const rows of pages) {
              remember(rows, listViewColumns(view, { language: 'en', money: MONEY }))
              yield rows
            }
          }
          return print.pages(remembered(), view, more)
        },
      }
    },
  }
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const env = { WEIR_DATA: server.config.data }
  await runHere(['init', '--yes', '--json'], { env })
  const { stdout } = await runHere(['tokens', 'env', '1', '--json'], { env })
  const { OPENAI_API_KEY: key } = JSON.parse(stdout) as Record<string, string>
  await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  const made = await runHere(['access-tokens', 'add', '--name', 'reports', '--quiet'], { env })
  const folder = await mkdtemp(join(tmpdir(), 'weir-tables-'))
  const elsewhere = { WEIR_CONFIG_DIR: folder }
  await runHere(['login', server.url, '--name', 'there', '--token', '-'], { env: elsewhere, input: made.stdout })
  await runHere(['context', 'ls'], { env: elsewhere })
  await rm(folder, { recursive: true })
  await runHere(['teams', 'add', 'crew'], { env })
  await runHere(['teams', 'member', 'crew', 'grace'], { env })
  await runHere(['teams', 'views', 'add', 'crew', 'Errors', '--list', 'logs'], { env })
  await runHere(['redemptions', 'create', '--name', 'spring'], { env })
  await runHere(['tokens', 'add', '--name', 'of the crew', '--team', 'crew'], { env })
  const service = ['--name', 'Company', '--client-id', 'weir', '--well-known', 'https://id.example.com/found']
  await runHere(['sign-in-services', 'add', 'company', '--client-secret', 's', ...service], { env })
  const { alerts, bodies, identities, passkeys, sessions, tasks, topups } = server.gateway.ports.storage
  await identities.bind({ provider: 'github', subject: 'root', user_id: 1, created_time: 1 })
  const passkey = { id: 'key', user_id: 1, name: 'phone', public_key: 'k', counter: 0, transports: '' }
  await passkeys.insert({ ...passkey, created_time: 1, used_time: 1 })
  const rule = await runHere(['alerts', 'add', '--name', 'disk', '--kind', 'disk', '--threshold', '10', '--quiet'], {
    env,
  })
  const now = Math.floor(Date.now() / 1000)
  const quarter = now - (now % 900) - 900
  await alerts.begin({ rule_id: Number(rule.stdout), subject: '', began_at: quarter, value: 5, worst: 4 })
  await alerts.sample([{ kind: 'disk', subject: '', at: quarter, value: 5, worst: 4, bad: 'below' }])
  await runHere(['alerts', 'preview', '--kind', 'disk', '--threshold', '10'], { env })
  await bodies.setKey(1, { recipient: 'age1', every_token: true, token_ids: [], created_time: now })
  const body = { request_id: 'r1', user_id: 1, token_id: 1, created_at: now, sealed: 'c2VhbGVk' }
  await bodies.add(body, 'age1', { calls: 10, bytes: 1_000_000 })
  const refused = await refuseCharge(server.gateway.ports.storage, { account_id: 1, token_id: null, quota: 5 })
  await runHere(['ledger', 'pending'], { env })
  await runHere(['ledger', 'retry', refused.hold_id], { env })
  await tasks.add(newTask({ task_id: 't1' }))
  const times = { created_time: 1, used_time: 1, proven_time: 1, expires_time: 4_000_000_000 }
  await sessions.insert({ id_hash: 'h', user_id: 1, ip: '127.0.0.1', user_agent: 'curl', ...times })
  const order = { user_id: 1, trade_no: 'o1', provider: 'epay', method: 'wxpay', amount: 1, money: 730 }
  await topups.insert({ ...order, currency: 'CNY', quota: 500_000, create_time: 1 })
  await runHere(['channels', 'add', '--type', 'sandbox', '--name', 'odd', '--models', 'unpriced', '--priority', '-1'], {
    env,
  })
  await runHere(['prices', 'set', 'sandbox-small', '--input', '7'], { env })
  for (const [name, args] of Object.entries(looks)) await runHere([...name.split(' '), ...args], { env })
  await server.gateway.ports.storage.channels.update(2, { status: 3 })
  await runHere(['attention'], { env })
  for (const args of [['call'], ['docs'], ['docs', '--search', 'retry']]) await runHere(args, { env })
  const fault = { kind: 'balance', account_id: 1, token_id: null, hold_id: null, entry_id: null, expected: 1, found: 2 }
  const proof = { ok: false, open_holds: 0, accounts: 1, entries: 1, faults: [fault] }
  const wrong = await fakeServer(() => ({ body: { success: true, message: '', data: proof } }))
  await runHere(['ledger', 'verify', '--server', wrong.url])
  await wrong.close()
})
afterAll(async () => {
  await server.close()
  vi.resetModules()
})

const WIDTHS = [40, 50, 59, 60, 66, 79, 80, 99, 100, 120, 132, 200]
const LARGE = 1_234_567_890
const WIDE = '渠道名称很长很长的一个中文名字渠道名称很长很长的一个中文名字'

/** The same row with the longest texts and the largest numbers; what is coded (a state, a date) stays what it is. */
const stretched = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((one) => stretched(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, stretched(one, key)]))
  const isCode = /^(key|state|other_info|kind|check|reason)$/.test(name)
  if (typeof value === 'string') return isCode ? value : `${value}${WIDE}`
  const coded = /^(status|role|type|share|.*_time|created_at|cooldown_until|time)$/.test(name)
  return typeof value === 'number' && !coded ? LARGE : value
}

const isNumber = (text: string) => /^[-+]?\$?\d[\d.,]*%?$/.test(text)

interface Shown {
  lines: string[]
  /** The titles of the first line; a record has only one there. */
  heading: string[]
  /** What is shown of each cell, by row and column: "0:2". Parts are the pieces in which it was printed. */
  cells: Map<string, string[]>
}

/** Prints a table whose cells are marked, and reads back what is shown of each. */
function show(columns: readonly TableColumn[], texts: readonly string[][], width: number): Shown {
  const cells = new Map<string, string[]>()
  const marked = (text: string, tone: string) => {
    if (tone === 'faint') return `«${text}»`
    if (text !== '') cells.set(tone, [...(cells.get(tone) ?? []), text])
    return text
  }
  const rows = texts.map((row, at) => row.map((text, column) => ({ text, tone: `${at}:${column}` as CellTone })))
  const lines = formatTableLines({ columns, rows, width, paint: marked as (text: string, tone: CellTone) => string })
  const heading = [...(lines[0] ?? '').matchAll(/«([^»]*)»/g)].map(([, title]) => title!)
  return { lines: lines.map((line) => line.replace(/[«»]/g, '')), heading, cells }
}

/** What is wrong with the lines of a table at a width. */
function faultsOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>, width: number): string[] {
  const texts = rows.map((row) => columns.map(({ value }) => String(value(row))))
  const { lines, heading, cells } = show(columns, texts, width)
  const long = lines.filter((line) => stringWidth(line) > width)
  const isTable = heading.length > 1
  const isShown = (at: number) =>
    isTable && !columns[at]!.below
      ? heading.includes(columns[at]!.title)
      : texts.every((row, index) => row[at] === '' || cells.has(`${index}:${at}`))
  // A record leaves out what is empty.
  const places = columns.flatMap((_, at) => (isTable || texts.some((row) => row[at] !== '') ? [at] : []))
  const gone = places.filter((at) => !isShown(at))
  // A column that has a place of its own from a width on is apart from the order of the ranks.
  const ordered = (at: number) => columns[at]!.from === undefined && !columns[at]!.below
  const least = Math.min(...gone.filter(ordered).map((at) => columns[at]!.rank))
  const kept = places.filter((at) => !gone.includes(at))
  const figures = kept.flatMap((at) =>
    texts.flatMap((row, index) =>
      columns[at]!.right || isNumber(row[at]!) ? [[row[at]!, cells.get(`${index}:${at}`)?.join('') ?? '']] : [],
    ),
  )
  const faults = [
    ...long.map((line) => `too long: ${line}`),
    ...(isTable && width < 60 ? ['a table where records are due'] : []),
    ...gone
      .filter((at) => columns[at]!.rank === 1 || columns[at]!.below)
      .map((at) => `${columns[at]!.title} must be there`),
    ...kept
      .filter((at) => ordered(at) && columns[at]!.rank > least)
      .map((at) => `${columns[at]!.title} matters less than what is gone`),
    ...figures.filter(([figure, shown]) => figure !== shown).map(([figure]) => `${figure} is not whole`),
  ]
  return faults.map((fault) => `${columns.map(({ title }) => title).join(' ')} at ${width}: ${fault}`)
}

const bare = (parts: readonly string[] | undefined) => (parts ?? []).join('').replace(/[\s…]/g, '')

/** What a table shows at a width and no longer at the next one, and texts of the first rank that are cut too early. */
function findLosses(columns: readonly TableColumn[], texts: readonly string[][]): string[] {
  const faults: string[] = []
  let narrower: Shown | undefined
  for (let width = 40; width <= 240; width += 1) {
    const shown = show(columns, texts, width)
    for (const [cell, parts] of narrower?.cells ?? [])
      if (!bare(shown.cells.get(cell)).startsWith(bare(parts))) faults.push(`${cell} at ${width}: ${bare(parts)}`)
    const inLine = columns.filter(({ title, below }) => !below && shown.heading.includes(title))
    if (shown.heading.length > 1 && inLine.some(({ rank }) => rank > 1))
      for (const [at, { rank, below }] of columns.entries())
        for (const [row, cells] of texts.entries())
          if (rank === 1 && !below && cells[at] !== '' && shown.cells.get(`${row}:${at}`)?.join('\n') !== cells[at])
            faults.push(`${row}:${at} at ${width} is cut`)
    narrower = shown
  }
  return faults
}

const SENTENCE = [
  'the',
  'provider',
  'answered',
  'HTTP',
  '429:',
  '渠道名称',
  'https://api.example.com/v1/chat?key=abc',
  '12,345.67',
]
const words = (most: number) => fc.array(fc.constantFrom(...SENTENCE), { maxLength: most }).map((all) => all.join(' '))
const name = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => text.trim()),
  words(3),
)

/** Texts of a declared field, as long as they can be. */
function textsOf({ kind, names, flexible, below }: ViewField<never>): fc.Arbitrary<string> {
  if (['count', 'number', 'ms', 'money'].includes(kind)) return fc.nat(10_000_000).map((n) => n.toLocaleString('en-US'))
  if (kind === 'time') return fc.constantFrom('', '2026-01-15 12:00:00')
  if (names && Object.keys(names).length > 0) return fc.constantFrom(...Object.values(names).map(({ en }) => en))
  return below ? words(40) : flexible ? fc.oneof(name, words(12)) : name.map((text) => text.slice(0, 20).trim())
}

describe('every table', () => {
  it('is among those that were printed', () => {
    const run = leaves.filter(([name]) => !apart.includes(name))
    const ofViews = new Set(run.flatMap(([, { output: gives }]) => (gives?.many ? [titlesOf(gives.view)] : [])))
    expect([...ofViews].filter((titles) => !printed.has(titles))).toEqual([])
  })

  it('fits every width with all its numbers', () => {
    const tables = [...printed.values()].flatMap(({ columns, rows }) => [
      { columns, rows },
      { columns, rows: rows.map((row) => stretched(row) as object) },
    ])
    expect(tables.length).toBeGreaterThan(60)
    expect(WIDTHS.flatMap((width) => tables.flatMap((table) => faultsOf(table, width)))).toEqual([])
  })

  it('has dates that are not cut, and all its columns where there is room', () => {
    for (const { columns, rows } of printed.values()) {
      const texts = rows.map((row) => columns.map(({ value }) => String(value(row))))
      for (const [at, { title, flexible }] of columns.entries())
        if (texts.some((row) => /^(\d{4}-)?\d\d-\d\d /.test(row[at] ?? ''))) expect(flexible, title).not.toBe(true)
      const cells = texts.map((row) => row.map((text) => ({ text })))
      const [heading] = formatTableLines({ columns, rows: cells, width: 300, paint: (text) => text })
      for (const { title } of columns) expect(heading).toContain(title)
    }
  })

  it('shows no less on a wider terminal, and cuts no text of the first rank for another column', () => {
    const views = new Set(leaves.flatMap(([, { output: gives }]) => (gives?.many ? [gives.view] : [])))
    expect(views.size).toBeGreaterThan(35)
    for (const view of views) {
      const fields = Object.values(view).filter(({ rank }) => rank > 0)
      const columns = listViewColumns(view, { language: 'en', money: MONEY })
      const row = fc.tuple(...fields.map(textsOf))
      fc.assert(
        fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), (texts) => {
          expect(findLosses(columns, texts)).toEqual([])
        }),
        { numRuns: 1 },
      )
    }
  })

  it('prints reasons whole at 80 columns, and the request id in the log from 120 columns', () => {
    const reason = 'the provider answered 429: too many requests of this organization, try again in 20 seconds'
    for (const [name, { output: gives }] of leaves)
      if (gives?.many) {
        const fields = Object.values(gives.view).filter(({ rank }) => rank > 0)
        const columns = listViewColumns(gives.view, { language: 'en', money: MONEY })
        for (const [at, { below }] of fields.entries()) {
          const texts = [fields.map((_, index) => (index === at ? reason : 'x'))]
          if (below) expect(show(columns, texts, 80).cells.get(`0:${at}`)?.join(' '), name).toBe(reason)
        }
      }
    const columns = listViewColumns(logEntryView, { language: 'en', money: MONEY })
    const texts: string[] = columns.map(({ title }) =>
      title === 'MODEL' ? 'anthropic/claude-3-5-sonnet-20241022-v2:0' : '123456',
    )
    texts[columns.findIndex(({ title }) => title === 'TIME')] = '2026-01-15 12:00:00'
    texts[columns.findIndex(({ title }) => title === 'REQUEST')] = 'r'.repeat(33)
    for (let width = 120; width <= 240; width += 1)
      expect(show(columns, [texts], width).lines.join('\n')).toContain('r'.repeat(33))
  })
})

it('the bill of a call keeps its numbers', () => {
  const line = { what: 'input', label: WIDE, count: LARGE, price: '0.0753', quota: '92962962.117', multiplier: '1.5' }
  const bill = {
    log: null,
    entry: null,
    channels: [],
    lines: [line],
    exact: '92962962.117',
    rounding: '0',
    quota: LARGE,
  }
  const money = { quota_per_unit: 500_000, display_in_currency: true }
  for (const width of WIDTHS) {
    const lines = buildBillLines({ request_id: 'r', ...bill } as unknown as ChargeExplanation, money, {
      width,
      language: 'en',
    }).slice(4, -2)
    expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(width)
    expect(lines.join('\n')).toMatch(/1,234,567,890[\s\S]*× 0.0753[\s\S]*= 92962962.117[\s\S]*1234567890/)
  }
})

it('a real command on a narrow terminal prints records, on a pipe everything', async () => {
  const env = { WEIR_DATA: server.config.data, CI: '1', NO_COLOR: '1' }
  const on = async (columns: number, tty = true) => {
    const { host, written } = fakeHost({ env, tty, columns })
    await runCommandLine(['channels', 'list'], host)
    return written.stdout
  }
  expect(await on(50)).toMatch(/^ID {6}1\nNAME {4}Sandbox/)
  expect((await on(70)).split('\n')[0]).toMatch(/^ID {2}NAME .* STATUS/)
  expect((await on(50, false)).split('\n')[0]).toMatch(/PRIORITY {2}WEIGHT/)
})
