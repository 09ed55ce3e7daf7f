// The log of calls and their costs.
import type { Feature } from '../feature.ts'
import { logsContract } from './contract.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import type { CleanUp } from './clean-up.ts'
import type { LogHomeRegistry } from './homes.ts'
import type { LogFilter } from './log.ts'
import {
  getRetentionStart,
  listExpiredRows,
  MAX_COUNTED_TOTAL,
  LOG_KIND_NAMES,
  LOG_ROW_KINDS,
  logListOrder,
  withoutAdminInfo,
} from './log.ts'
import { listTriedChannels, parseCallDetail } from '../calls/detail.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import { type Caller, type ContractHandlers, requireUser } from '../auth/caller.ts'
import type { FileReply } from '../contract/replies.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { asWalkedPage, sliceFromOne, resolveCursor } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { findProvider } from '../providers/index.ts'
import { getCallerId, withoutCost } from '../quota/ledger-entry.ts'
import { admitOwnKey } from '../relay/admission.ts'
import { readPresentedKey } from '../tokens/token.ts'
import type { LogFeed } from './log-feed.ts'
import { explainCharge, type ChargeExplanation } from './explanation.ts'
import type { RefusedCallLog } from './refusals.ts'
import { serializeLogRows, type ExportFormat } from './export.ts'
import type { LogEntry } from '../calls/log-entry.ts'

/** Maximum wait of a request for the end of a clean-up, in ms. */
const PATIENCE_MS = 3000
const EXPORT_ROWS = 500
const FOUND_ROWS = 100
const TOKEN_ROWS = 1000

function createLogHandlers({
  storage,
  clock,
  cleanUp,
  logHomes,
  logFeed,
  refusals,
  settings,
}: LogPorts): ContractHandlers<typeof logsContract> {
  const homeReport = async () => ({
    ...logHomes.state(),
    ...((await storage.databaseLogs.months?.state()) ?? { months: 0, divided: 0 }),
    move: logHomes.progress(),
  })
  const patience = () => clock.sleep(PATIENCE_MS).then(() => undefined)

  /** Writes the rows of calls that were refused just now, and resolves a request id to the row that its call shares. */
  async function findable(filter: LogFilter): Promise<LogFilter> {
    await refusals.flush()
    const { request_id } = filter
    return request_id ? { ...filter, request_id: await findRowIds(storage, [request_id].flat()) } : filter
  }

  async function logPage(query: PageAsked, given: LogFilter, shown: (entry: LogEntry) => LogEntry) {
    const filter = await findable(given)
    const way = resolveCursor(logListOrder, query, sliceFromOne(query), given)
    const page = await storage.logs.list(filter, way.slice)
    const items = page.items.map(shown)
    return { ...asWalkedPage(query, way, { ...page, items }), total_capped: page.total >= MAX_COUNTED_TOTAL }
  }

  return {
    list: ({ p, page_size, sort, cursor, totals, ...filter }) =>
      logPage({ p, page_size, sort, cursor, totals }, activeFilter(filter), (entry) => entry),
    listSelf: ({ p, page_size, sort, cursor, totals, ...filter }, { caller }) =>
      logPage({ p, page_size, sort, cursor, totals }, ofCaller(caller, filter), withoutAdminInfo),
    async search({ keyword }) {
      await refusals.flush()
      return storage.logs.search(keyword.trim(), FOUND_ROWS)
    },
    async searchSelf({ keyword }, { caller }) {
      if (!/^[1-9]$/.test(keyword.trim())) return []
      const filter = await findable(ofCaller(caller, { type: Number(keyword) }))
      const found = await storage.logs.newest(filter, FOUND_ROWS)
      return found.map(withoutAdminInfo)
    },
    async ofToken({ key }, { caller: { ip } }) {
      const token =
        (await storage.tokens.findPresented(readPresentedKey(key) || fail('key.absent'))) ?? fail('key.unknown')
      const { id: token_id, user_id } = token
      admitOwnKey({ user: (await storage.users.find(user_id)) ?? fail('key.unknown'), token, ip })
      return (await storage.logs.newest(await findable({ user_id, token_id }), TOKEN_ROWS)).map(withoutAdminInfo)
    },
    stat: (filter) => storage.logs.statistics(activeFilter(filter), seconds(clock)),
    statSelf: (filter, { caller }) => storage.logs.statistics(ofCaller(caller, filter), seconds(clock)),
    async export({ format, ...given }) {
      const filter = await findable(activeFilter(given))
      return file(
        format,
        readPages(storage, filter, (entry) => entry),
      )
    },
    async exportSelf({ format, ...given }, { caller }) {
      const filter = await findable(ofCaller(caller, given))
      return file(format, readPages(storage, filter, withoutAdminInfo))
    },
    async stream({ last_event_id: after, tail, username = '', ...filter }, { caller }) {
      const known = username === '' ? undefined : await storage.users.findByLogin(username)
      // No user has this name, so no row matches.
      const ownerFilter = username === '' ? {} : { user_id: known?.user.username === username ? known.user.id : -1 }
      return logFeed.follow({
        user_id: caller.user?.id ?? 0,
        after,
        tail,
        filter: { ...activeFilter(filter), ...ownerFilter },
        shown: (row) => row,
      })
    },
    streamSelf({ last_event_id: after, tail, ...filter }, { caller }) {
      const { user_id = 0, ...own } = ofCaller(caller, filter)
      return logFeed.follow({ user_id, after, tail, filter: { ...own, user_id }, shown: withoutAdminInfo })
    },
    async cleanUp({ target_timestamp: target }, { caller }) {
      if (target <= 0) fail('log.target')
      const row = { ...toAuditAuthor(caller), created_at: seconds(clock), action: 'log.clean', target: 'logs' }
      // It takes as long as it takes: what is recorded is that it was begun.
      const { run } = await storage.transaction(async ({ audit }) => {
        await audit.insert([{ ...row, before: '', after: `older than ${target}` }])
        return { run: cleanUp.start([{ before: target }]) ?? fail('log.cleaning') }
      })
      const removed = await Promise.race([run, patience()])
      return { data: removed ?? cleanUp.progress().removed, running: removed === undefined }
    },
    async cleanUpProgress({ target_timestamp: target, by_settings }) {
      const retentionStarts = getRetentionStart(settings(), seconds(clock))
      const activeFilter = target > 0 || by_settings ? LOG_KIND_NAMES : []
      const kinds = activeFilter.map(async (kind) => {
        const before = target > 0 ? target : retentionStarts[kind]
        return { kind, before, ...(await storage.logs.extent({ before, types: LOG_ROW_KINDS[kind] })) }
      })
      const older = target > 0 ? (await storage.logs.extent({ before: target })).rows : 0
      return { ...cleanUp.progress(), older, kinds: await Promise.all(kinds) }
    },
    home: homeReport,
    async move({ to }, { caller }) {
      await logHomes.move(to)
      const after = `moved to ${logHomes.progress().to}`
      const row = { ...toAuditAuthor(caller), created_at: seconds(clock), action: 'log.move', target: 'logs' }
      await storage.transaction(({ audit }) => audit.insert([{ ...row, before: logHomes.state().home, after }]))
      return homeReport()
    },
    async explain({ request_id, receipt_id }) {
      await refusals.flush()
      const found = await explained(storage, { request_id, receipt_id }, () => true)
      return { ...found, ...(found.log ? await findAttempts(storage, found.log) : UNTOLD) }
    },
    async explainSelf({ request_id, receipt_id }, { caller }) {
      const { id } = requireUser(caller)
      await refusals.flush()
      const found = await explained(storage, { request_id, receipt_id }, ({ user_id }) => user_id === id)
      const { log, entry } = found
      return {
        ...found,
        log: log && withoutAdminInfo(log),
        entry: entry && withoutCost(entry),
        followed: found.followed.map(withoutCost),
        ...UNTOLD,
      }
    },
  }
}

type PageAsked = Pick<HandlerInput<typeof logsContract.list>, 'p' | 'page_size' | 'sort' | 'cursor' | 'totals'>

interface LogPorts {
  storage: Storage
  clock: Clock
  cleanUp: CleanUp
  logHomes: LogHomeRegistry
  logFeed: LogFeed
  refusals: Pick<RefusedCallLog, 'flush'>
  settings(): Settings
}

async function* readPages(storage: Storage, filter: LogFilter, shown: (entry: LogEntry) => LogEntry) {
  let last: LogEntry | undefined
  for (;;) {
    const rows: LogEntry[] = await storage.logs.newest(filter, EXPORT_ROWS, last)
    if (rows.length > 0) yield rows.map(shown)
    if (rows.length < EXPORT_ROWS) return
    last = rows.at(-1)
  }
}

const file = (format: ExportFormat, pages: AsyncIterable<LogEntry[]>): FileReply => ({
  content_type: format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8',
  filename: `weir-log.${format}`,
  pieces: serializeLogRows(pages, format),
})

/** @throws GatewayError log.missing where nothing that the caller may see names the call */
async function explained(
  storage: Storage,
  { request_id, receipt_id }: { request_id: string; receipt_id: string },
  isOwnRow: (row: { user_id: number }) => boolean,
) {
  const [rows, entries] = await Promise.all([
    findRowIds(storage, [request_id]).then((ids) => storage.logs.ofRequests(ids)),
    storage.entries.listByRequest(request_id),
  ])
  const own = entries.filter((entry) => isOwnRow({ user_id: getCallerId(entry) }))
  return explainCharge(request_id, rows.filter(isOwnRow), own, receipt_id) ?? fail('log.missing', { request_id })
}

/** Returns these request ids and those of the rows that their refused calls share. */
const findRowIds = async (
  { refusals }: Pick<Storage, 'refusals'>,
  requestIds: readonly string[],
): Promise<string[]> => [...new Set([...requestIds, ...(await refusals.findSharedRows(requestIds))])]

const UNTOLD = { channels: [], attempts: [] }

/** Returns the channels of a call. Deleted channels have no name. */
async function findAttempts(
  storage: Storage,
  log: LogEntry,
): Promise<Pick<ChargeExplanation, 'channels' | 'attempts'>> {
  const detail = parseCallDetail(log.other)
  const ids = listTriedChannels(detail, log.channel)
  const found = await Promise.all([...new Set(ids)].map((id) => storage.channels.find(id)))
  const known = new Map(found.flatMap((channel) => (channel ? [[channel.id, channel]] : [])))
  return {
    channels: ids.map((id) => ({ id, name: known.get(id)?.name ?? '' })),
    attempts: (detail.admin_info?.attempts ?? []).map((attempt) => {
      const { name = '', type = 0 } = known.get(attempt.channel) ?? {}
      return { ...attempt, name, type, type_name: findProvider(type)?.name ?? '' }
    }),
  }
}

/** Returns the active filters: 0 and the empty text filter nothing. */
const activeFilter = (filter: LogFilter): LogFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== 0 && value !== '')) as LogFilter

const ofCaller = (caller: Caller, filter: LogFilter): LogFilter => ({
  ...activeFilter(filter),
  user_id: requireUser(caller).id,
})

// The job that removes log rows whose retention has ended.

interface LogJobPorts {
  storage: Pick<Storage, 'databaseLogs' | 'logs' | 'refusals'>
  clock: Clock
  cleanUp: CleanUp
  logHomes: LogHomeRegistry
  settings(): Settings
}

const MINUTE_MS = 60_000
const EVERY_MS = 10 * MINUTE_MS
const FOLLOW_MS = 1000
/** Rows of refused calls may still be written for this time. Unit: seconds. */
const GROWTH_S = 600
const DAY_MS = 24 * 60 * MINUTE_MS

function createLogJobs({ storage, clock, cleanUp, logHomes, settings }: LogJobPorts) {
  // A command of the terminal opens Weir for a moment: that is no time for it.
  const from = clock.now() + MINUTE_MS
  /**
   * Until when rows of these types are gone: those of others that stayed there are not walked past every ten minutes. Once a
   * day all are, for what an import brought has its own times.
   */
  const reached = new Map<string, { from: number }>()
  let forgotten = from

  async function removeOld(): Promise<void> {
    const all = listExpiredRows(getRetentionStart(settings(), seconds(clock)))
    if (all.length === 0 || clock.now() < from) return
    if (clock.now() - forgotten >= DAY_MS) {
      reached.clear()
      forgotten = clock.now()
    }
    const outdated = all.map((some) => ({ ...some, ...reached.get(String(some.types)) }))
    if ((await cleanUp.start(outdated)) === null) return
    for (const { types, before } of outdated) if (types) reached.set(String(types), { from: before })
  }
  /** Removes the request ids of refused calls whose rows are gone. */
  async function removeOldIds(): Promise<void> {
    if (clock.now() < from) return
    const oldest = await storage.logs.oldest()
    await storage.refusals.removeBefore((oldest ?? seconds(clock)) - GROWTH_S)
  }

  const { months } = storage.databaseLogs
  return [
    ...(months ? [{ name: 'keep the log by month', every_ms: EVERY_MS, run: months.keep }] : []),
    { name: 'remove old rows of the log', every_ms: EVERY_MS, run: removeOld },
    { name: 'remove request ids of old refused calls', every_ms: EVERY_MS, run: removeOldIds },
    { name: 'move rows of the log on', every_ms: FOLLOW_MS, run: logHomes.follow },
    { name: 'take rows that moved on out of the database', every_ms: MINUTE_MS, run: logHomes.tidy },
  ]
}

export const logsFeature: Feature<LogPorts, typeof logsContract> = {
  contract: logsContract,
  handlers: createLogHandlers,
  jobs: createLogJobs,
}
