// Measures the minimum cost of Weir's guarantees: the pass-through, plus the parts that no charged call can omit. The
// request is read, the key is known by its digest, the answer's usage is charged, and the answer waits until the charge
// is on the disk; the ledger and the log follow, many calls in one transaction. Of a stream, the events before its usage
// pass at once. There is one account, one channel, one
// price, no limit and no failure, so no organisation could use it. Usage: floor PORT PROVIDER_URL DATA
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { openJournalFolder } from '../../core/adapters/journal-files.ts'
import { createOneStatementCommit } from '../../core/adapters/knex/ledger/ledger.ts'
import { createSystemRandom } from '../../core/adapters/platform.ts'
import { createJournal, type PendingCharge } from '../../core/journal/journal.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { changeTopMembers, readTopMembers, toJsonBytes } from '../../core/dialects/json/json-bytes.ts'
import { LOG_ROW_TYPE, type NewLogEntry } from '../../core/calls/log-entry.ts'
import type { Logger } from '../../core/ports/logger.ts'
import { CHAIN_START, hashEntry } from '../../core/quota/chain.ts'
import type { NewLedgerEntry } from '../../core/quota/ledger-entry.ts'
import type { LedgerWrite } from '../../core/quota/store.ts'

const [port, url = '', data = ''] = process.argv.slice(2)
/** The administrator's. */
const account_id = 1
const RATES = { input: 0.075, output: 0.3 }
/** So many are booked at once. */
const TOGETHER = 128

const complain = (message: string) => void process.stderr.write(`${message}\n`)
const logger: Logger = { info() {}, warn: complain, error: complain }
const random = createSystemRandom()
const journal = createJournal(openJournalFolder(data, random.text(16), logger), logger)
const commit = createOneStatementCommit(await openDatabase({ folder: data, logger }))
const pool = new Pool(url, { connections: null })
const known = new Map<string, number>()
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const chained = (text: string) => createHmac('sha256', 'a key').update(text).digest('hex')

interface Kept {
  owed: PendingCharge & { kind: 'settle' }
  done(): void
}

let fresh: Kept[] = []
let kept: Kept[] = []
let writing = false
let booking = false
let hash = CHAIN_START
let balance = 1e15
let place = 0

/** Into the journal, with what came meanwhile. */
async function keep(): Promise<void> {
  if (writing) return
  writing = true
  while (fresh.length > 0) {
    const batch = fresh
    fresh = []
    await journal.append(batch.map(({ owed }) => owed))
    for (const each of batch) each.done()
    kept.push(...batch)
    if (kept.length >= TOGETHER) void book()
  }
  writing = false
}

async function book(): Promise<void> {
  if (booking) return
  booking = true
  const batch = kept
  kept = []
  await commit(writeOf(batch.map(({ owed }) => owed)))
  journal.markBooked(place)
  booking = false
}

const NONE = { tokens: [], budgets: [], holds: [], freed: [], shrunk: [], letters: [], counters: [] }

function writeOf(owed: (PendingCharge & { kind: 'settle' })[]): LedgerWrite {
  const used_quota = owed.reduce((sum, { settlement }) => sum + settlement.quota, 0)
  const entries = owed.map(entryOf)
  const changed = {
    id: account_id,
    quota: -used_quota,
    held: 0,
    used_quota,
    request_count: owed.length,
    aff_quota: 0,
    aff_history: 0,
    aff_count: 0,
    entries_hash: hash,
  }
  place += owed.length
  return {
    ...NONE,
    accounts: [changed],
    channels: [{ id: 1, used_quota }],
    entries,
    logs: owed.flatMap(({ log }) => log ?? []),
    places: [{ journal: journal.name, place }],
  }
}

function entryOf({ hold, settlement }: PendingCharge & { kind: 'settle' }): NewLedgerEntry {
  balance -= settlement.quota
  const entry: NewLedgerEntry = {
    account_id,
    token_id: null,
    kind: 'charge',
    amount: -settlement.quota,
    balance_after: balance,
    hold_id: hold.id,
    reference: null,
    request_id: settlement.request_id ?? null,
    by_user_id: null,
    detail: settlement.detail ?? null,
    cost: null,
    created_at: Math.floor(Date.now() / 1000),
    hash: '',
  }
  hash = hashEntry(chained, hash, entry)
  entry.hash = hash
  return entry
}

const ASKING_USAGE = new Map([['stream_options', toJsonBytes({ include_usage: true })]])

interface Answer {
  usage: { prompt_tokens: number; completion_tokens: number }
}

function charged(model: string, { usage }: Answer, ms: number): PendingCharge & { kind: 'settle' } {
  const { prompt_tokens, completion_tokens } = usage
  const line = (what: 'input' | 'output', count: number) => {
    const quota = count * RATES[what]
    return { what, count, price: String(RATES[what]), quota: String(quota) }
  }
  const lines = [line('input', prompt_tokens), line('output', completion_tokens)]
  const quota = Math.round(prompt_tokens * RATES.input + completion_tokens * RATES.output)
  const id = random.text(20)
  const request_id = `${Date.now()}${random.text(12)}`
  const used = { prompt_tokens, completion_tokens }
  const hold = { id, account_id, by_user_id: null, token_id: null, amount: quota }
  const detail = JSON.stringify({ model, operation: 'chat', price_version: '269na3nurdno6', usage: used, lines })
  const log: NewLogEntry = {
    created_at: Math.floor(Date.now() / 1000),
    type: LOG_ROW_TYPE.consumption,
    user_id: account_id,
    username: 'root',
    token_id: 1,
    token_name: 'bench',
    group: 'default',
    channel: 1,
    model_name: model,
    operation: 'chat',
    is_stream: false,
    prompt_tokens,
    completion_tokens,
    quota,
    use_time: Math.round(ms / 1000),
    content: 'model ratio 0.075, completion ratio 4, group ratio 1',
    request_id,
    hold_id: id,
    other: JSON.stringify({
      model_ratio: 0.075,
      completion_ratio: 4,
      group_ratio: 1,
      quota_per_unit: 500_000,
      cache_tokens: 0,
      frt: ms,
      admin_info: { use_channel: ['1'], attempts: [{ channel: 1, model, ms, result: 'answered' }] },
      lines,
    }),
  }
  const settlement = {
    quota,
    billable: true,
    tokens: prompt_tokens + completion_tokens,
    channel_id: 1,
    request_id,
    detail,
  }
  return { kind: 'settle', hold, settlement, log }
}

class Passing implements Dispatcher.DispatchHandler {
  private readonly response: ServerResponse
  private readonly model: string
  private readonly runs: Buffer[] = []
  private readonly began = Date.now()
  private isStream = false

  constructor(response: ServerResponse, model: string) {
    this.response = response
    this.model = model
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.response.on('close', () => {
      if (!this.response.writableFinished) controller.abort(new Error('the caller hung up'))
    })
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.isStream = headers['content-type'] === 'text/event-stream'
    if (this.isStream) this.response.writeHead(status, { 'content-type': 'text/event-stream' })
  }

  /** Passes a run of events on. From the usage on, they wait for the charge. */
  private pass(run: Buffer): void {
    const usage = this.runs.length > 0 ? 0 : run.indexOf('"usage":{')
    if (usage < 0) this.response.write(run)
    else {
      const before = usage === 0 ? -1 : run.lastIndexOf('\n\n', usage)
      const start = before < 0 ? 0 : before + 2
      if (start > 0) this.response.write(run.subarray(0, start))
      this.runs.push(run.subarray(start))
    }
  }

  private endStream(): void {
    const end = Buffer.concat(this.runs)
    const event = String(end).split('\n')[0] ?? ''
    const answer = JSON.parse(event.slice('data: '.length)) as Answer
    const done = () => this.response.end(end)
    fresh.push({ owed: charged(this.model, answer, Date.now() - this.began), done })
    void keep()
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isStream) this.pass(chunk)
    else this.runs.push(chunk)
  }

  onResponseEnd(): void {
    if (this.isStream) return this.endStream()
    const body = this.runs.length === 1 ? this.runs[0] : Buffer.concat(this.runs)
    const answer = JSON.parse(String(body)) as Answer
    const done = () => {
      this.response.writeHead(200, { 'content-type': 'application/json', 'content-length': body?.length ?? 0 })
      this.response.end(body)
    }
    fresh.push({ owed: charged(this.model, answer, Date.now() - this.began), done })
    void keep()
  }

  onResponseError(): void {
    this.response.writeHead(502).end()
  }
}

createServer((request, response) => {
  const runs: Buffer[] = []
  request.on('data', (run: Buffer) => runs.push(run))
  request.on('end', () => {
    const given = Buffer.concat(runs)
    const { model, stream } = readTopMembers(given, ['model', 'stream']) as { model: string; stream?: boolean }
    const body = stream ? changeTopMembers(given, ASKING_USAGE) : given
    const key = digest(request.headers.authorization ?? '')
    known.set(key, (known.get(key) ?? 0) + 1)
    const headers = { 'content-type': 'application/json', authorization: 'Bearer the-channels-key' }
    pool.dispatch({ path: request.url ?? '/', method: 'POST', headers, body }, new Passing(response, model))
  })
}).listen(Number(port), '127.0.0.1')
