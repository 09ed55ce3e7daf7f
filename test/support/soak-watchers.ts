// All that watches a gateway through a soak: a scraper of its metrics, a collector of its traces that only counts, access
// lines, and retention with a log of yesterday that expires as fast as new rows come.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rm, stat } from 'node:fs/promises'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { freePort } from './free-port.ts'
import type { Visitor } from './server.ts'

const SCRAPE_MS = 2_000
const DAY = 86_400
/** Expired rows go once in this time. */
const CLEAN_UP_SECONDS = 600
/** Rows of a statement: calls wait no longer than for such a one. */
const BLOCK = 2_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

export async function startWatchers(folder: string) {
  const sums = { scrapes: 0, scraped_bytes: 0, trace_bytes: 0, access_bytes: 0, expired_rows: 0 }
  const collector = createServer((request, reply) => {
    request.on('data', (chunk: Buffer) => (sums.trace_bytes += chunk.length)).on('end', () => reply.end())
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const port = await freePort()
  // Beside the folder: it is not Weir that keeps access lines from growing.
  const access = `${folder}.access.log`
  let timer: NodeJS.Timeout | undefined
  let log: Awaited<ReturnType<typeof oldLog>> | undefined

  async function scrape() {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    sums.scraped_bytes += (await answer.text()).length
    if (answer.ok) sums.scrapes++
    const left = (await log?.left()) ?? 0
    sums.expired_rows = (log?.filled ?? 0) - left
    sums.access_bytes = (await stat(access)).size
  }

  return {
    env: {
      WEIR_METRICS_PORT: String(port),
      WEIR_ACCESS_LOG: access,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
    /** Fills the log of yesterday and begins to look. */
    async begin(client: Visitor['client'], load: { seconds: number; rate: number }, database?: string) {
      log = await oldLog(folder, load, database)
      await client.settings.update({ key: 'LogRetentionDays', value: '1' })
      timer = setInterval(() => void scrape().catch(() => undefined), SCRAPE_MS)
    },
    sums: (): Record<string, number> => ({ ...sums }),
    /** What came to nothing and should not have, in a load of so many seconds. */
    missed: (seconds: number): string[] =>
      Object.entries(sums)
        .filter(([what, sum]) => sum === 0 && (what !== 'expired_rows' || seconds > 2 * CLEAN_UP_SECONDS))
        .map(([what]) => `no ${what.replace('_', ' ')}`),
    async close() {
      clearInterval(timer)
      await log?.close()
      await rm(access, { force: true })
      collector.closeAllConnections()
      await new Promise((resolve) => collector.close(resolve))
    },
  }
}

/** Rows that are a day old by and by while the load lasts, as many a second as it makes. */
async function oldLog(folder: string, { seconds, rate }: { seconds: number; rate: number }, database?: string) {
  const { kind, write, close } = database
    ? await connectPostgres(database, silent)
    : await connectSqlite(folder, silent)
  const filled = Math.round(seconds * rate)
  const began = Math.floor(Date.now() / 1000) - DAY
  for (let from = 0; from < filled; from += BLOCK) {
    const to = Math.min(from + BLOCK, filled) - 1
    const numbers =
      kind === 'sqlite'
        ? `with recursive numbers(n) as (select ${from} union all select n + 1 from numbers where n < ${to})`
        : `with numbers(n) as (select generate_series(${from}::bigint, ${to}::bigint))`
    await write.raw(`${numbers} insert into logs (user_id, username, created_at, type, content, token_name, token_id, model_name,
        quota, prompt_tokens, completion_tokens, use_time, channel_id, "group", other, request_id)
      select 1, 'yesterday', ${began} + n / ${rate}, 2, '', 'soak', 1, 'gpt-4o-mini', 10, 10, 10, 1, 1, 'default',
        '{"model_ratio":2.5,"completion_ratio":4,"group_ratio":1,"cache_tokens":0,"frt":412,"admin_info":{"use_channel":["1"]}}',
        'yesterday' || n
      from numbers`)
  }
  const [first] = await write('logs').where({ username: 'yesterday' }).orderBy('id').limit(1).select('id')
  const last = Number(first?.id ?? 0) + filled
  return {
    filled,
    async left(): Promise<number> {
      // Rows go oldest first, and those of yesterday have the lowest ids.
      const [least] = await write('logs').where({ username: 'yesterday' }).orderBy('id').limit(1).select('id')
      return least ? last - Number(least.id) : 0
    },
    close,
  }
}
