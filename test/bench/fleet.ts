// Simulates the load of many gateways on their databases: npx tsx test/bench/fleet.ts --write writes the figures to
// docs/scale.md. Nothing is measured here: the cost of a call comes from the benchmark (RESULTS.md). The simulation
// counts commits, rows, and processes that wait for the rows of others.
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const PAGE = new URL('../../docs/scale.md', import.meta.url)

/** Measured on one core of the machine of RESULTS.md. */
const COST = {
  /** A commit: its flush, and what it takes of a core of the database whatever is in it, in ms. */
  flush_ms: 0.7,
  commit_ms: 0.2,
  /** What each call adds to it: an entry, a row of the log, its part of a balance, in ms of one core of the database. */
  call_ms: 0.11,
  /** The log's part of that, which is another store's where rows move on to one as they come. */
  log_ms: 0.05,
  /** Of the gateway, in ms of one core. */
  gateway_ms: 0.26,
  /** Bytes written for a call: ledger and log. */
  ledger_bytes: 620,
  log_bytes: 900,
  /** The same rows in a column store, compressed. */
  column_bytes: 90,
} as const

/** What clouds ask, in USD: a core for a month, and a TB kept on a fast disk for a month. Put your own in. */
const PRICE = { core: 30, tera: 90 } as const

interface Fleet {
  instances: number
  calls_s: number
  accounts: number
  /** Databases that accounts are shared out to. */
  shards: number
  /** Cores of each. */
  cores: number
  /** Answers wait for the commit (`spool`), or for the disk of the gateway (`local`), and the commit follows every 100 ms. */
  journal: 'spool' | 'local'
  /** The proxy sends calls of an account to one instance, so that no two commit for it. */
  sticky: boolean
  seconds: number
}

interface Seen {
  /** Of what was asked. */
  booked: number
  commits_s: number
  calls_each: number
  /** From the end of a call until its charge is booked, in ms; with `spool` the answer waits for it. */
  p50_ms: number
  p99_ms: number
  /** Share of that time in which it waited for a row that another process had locked. */
  waiting: number
  cores: number
}

const BOOK_MS = 100
const MOST_AT_ONCE = 256

/** Numbers from 0 to 1, the same ones each time. */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Accounts as people are: the busiest of a million makes 3 % of all calls (Zipf, s = 0.9). */
function picker(accounts: number, chance: () => number): () => number {
  const power = 1 - 0.9
  return () => Math.floor(((accounts ** power - 1) * chance() + 1) ** (1 / power)) - 1
}

function simulate(fleet: Fleet): Seen {
  const chance = chances(7)
  const pick = picker(fleet.accounts, chance)
  const end = fleet.seconds * 1000
  const each_ms = (fleet.instances * 1000) / fleet.calls_s
  /** Per instance and shard: what waits, by when it came. */
  const queues = Array.from({ length: fleet.instances * fleet.shards }, () => [] as { at: number; account: number }[])
  const free = new Map<number, number>()
  const cores = Array.from({ length: fleet.shards }, () => new Float64Array(fleet.cores))
  const late: number[] = []
  let [waited, whole, commits, used] = [0, 0, 0, 0]

  // One moment after the other: arrivals, then each queue whose commit may begin.
  const next = Float64Array.from({ length: fleet.instances }, () => chance() * each_ms)
  const open = new Float64Array(queues.length)
  const slot_ms = 0.25
  for (let now = 0; now < end; now += slot_ms) {
    for (let instance = 0; instance < fleet.instances; instance += 1)
      while ((next[instance] ?? 0) <= now) {
        const account = pick()
        const shard = account % fleet.shards
        const by = fleet.sticky ? account % fleet.instances : instance
        queues[by * fleet.shards + shard]?.push({ at: next[instance] ?? 0, account })
        next[instance] = (next[instance] ?? 0) - Math.log(1 - chance()) * each_ms
      }
    queues.forEach((queue, at) => {
      const first = queue[0]
      if (!first || (open[at] ?? 0) > now) return
      if (fleet.journal === 'local' && now - first.at < BOOK_MS && queue.length < MOST_AT_ONCE) return
      const batch = queue.splice(0, MOST_AT_ONCE)
      const own = cores[at % fleet.shards] ?? new Float64Array(1)
      const core = own.indexOf(Math.min(...own))
      const work = COST.commit_ms + batch.length * COST.call_ms
      const locked = Math.max(...batch.map(({ account }) => free.get(account) ?? 0))
      const begun = Math.max(now, own[core] ?? 0)
      own[core] = begun + work
      const begins = Math.max(begun, locked)
      const done = begins + work + COST.flush_ms
      for (const { account } of batch) free.set(account, done)
      open[at] = done
      commits += 1
      used += work
      for (const { at: came } of batch) {
        late.push(done - came)
        whole += done - came
        waited += begins - begun
      }
    })
  }
  late.sort((a, b) => a - b)
  const part = (share: number) => late[Math.floor(late.length * share)] ?? 0
  const asked = late.length + queues.reduce((sum, queue) => sum + queue.length, 0)
  return {
    booked: late.length / asked,
    commits_s: commits / fleet.seconds,
    calls_each: late.length / commits,
    p50_ms: part(0.5),
    p99_ms: part(0.99),
    waiting: waited / whole,
    cores: used / end,
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
const number = (value: number) => (value < 10 ? value.toFixed(1) : whole(value))

type Size = Pick<Fleet, 'instances' | 'calls_s' | 'shards' | 'cores' | 'journal' | 'sticky'>

const size = (instances: number, calls_s: number, shards: number, cores: number): Omit<Size, 'journal' | 'sticky'> => ({
  ...{ instances, calls_s, shards, cores },
})
const SIZES: Size[] = [
  size(4, 2_000, 1, 4),
  size(16, 8_000, 1, 16),
  size(100, 50_000, 1, 64),
  size(100, 50_000, 4, 16),
  size(100, 50_000, 16, 8),
].flatMap((one) =>
  (['spool', 'local'] as const).flatMap((journal) => [false, true].map((sticky) => ({ ...one, journal, sticky }))),
)

const HEAD = [
  ...['Instances', 'Calls a second', 'Databases × cores', 'Answers wait for', 'Accounts', 'Booked', 'Commits a second'],
  ...['Calls in each', 'Charge booked after, p50 / p99', 'Of that, waiting for rows', 'Cores used'],
]

function table(): string {
  const rows = SIZES.map((given) => {
    const { instances, calls_s, shards, cores, journal, sticky } = given
    const seen = simulate({ ...given, accounts: 1_000_000, seconds: 5 })
    return [
      ...[whole(instances), whole(calls_s), `${shards} × ${cores}`],
      ...[journal === 'spool' ? 'the database' : 'their own disk', sticky ? 'one instance each' : 'anywhere'],
      ...[`${(seen.booked * 100).toFixed(0)} %`, whole(seen.commits_s), number(seen.calls_each)],
      ...[
        `${number(seen.p50_ms)} / ${number(seen.p99_ms)} ms`,
        `${(seen.waiting * 100).toFixed(0)} %`,
        number(seen.cores),
      ],
    ]
  })
  return [HEAD, HEAD.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** What a month of so many calls a second comes to. */
function month(calls_s: number): string {
  const calls = calls_s * 30 * 86_400
  const tera = (bytes: number) => (bytes / 1e12).toFixed(1)
  const gateways = (calls_s * COST.gateway_ms) / 1000 / 0.6
  const databases = (calls_s * COST.call_ms) / 1000 / 0.6
  const kept = (calls * (COST.ledger_bytes + COST.column_bytes)) / 1e12
  const rows = [
    ['Calls', `${(calls / 1e9).toFixed(0)} × 10^9`],
    ['Cores of gateways, at 60 %', whole(gateways)],
    ['Cores of databases, at 60 %', whole(databases)],
    ['The same, with the log in a store of its own', whole((calls_s * (COST.call_ms - COST.log_ms)) / 1000 / 0.6)],
    ['Ledger', `${tera(calls * COST.ledger_bytes)} TB`],
    ['Log, as rows of PostgreSQL', `${tera(calls * COST.log_bytes)} TB`],
    ['Log, in a column store', `${tera(calls * COST.column_bytes)} TB`],
    [
      `Cores, and that month's ledger and columns kept for another (${PRICE.core} USD a core, ${PRICE.tera} USD a TB)`,
      `${whole((gateways + databases) * PRICE.core + kept * PRICE.tera)} USD, ${((((gateways + databases) * PRICE.core + kept * PRICE.tera) / calls) * 1e6).toFixed(2)} USD for a million calls`,
    ],
  ]
  return ['| | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n')
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const parts = { table: table(), month: month(50_000) }
process.stdout.write(`${parts.table}\n\n${parts.month}\n`)
if (values.write) {
  let page = await readFile(PAGE, 'utf8')
  for (const [name, text] of Object.entries(parts))
    page = page.replace(
      new RegExp(`(<!-- ${name} -->\n)[^]*?(\n<!-- /${name} -->)`),
      (_, begin: string, end: string) => `${begin}\n${text}\n${end}`,
    )
  await writeFile(PAGE, page)
}
