// The usage log's endpoints.
import type { Caller } from '../auth/caller.ts'
import type { Handlers } from '../auth/handler.ts'
import { asPage, sliceFromOne } from '../contract/page.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { logs } from './contract.ts'
import { channelsTried, explain } from './explanation.ts'
import { withoutAdminInfo, type LogEntry, type LogFilter } from './log.ts'

export function createLogHandlers({ storage, clock }: { storage: Storage; clock: Clock }): Handlers<typeof logs> {
  return {
    list: async ({ p, page_size, ...filter }) =>
      asPage({ p, page_size }, await storage.logs.list(asked(filter), sliceFromOne({ p, page_size }))),
    async listSelf({ p, page_size, ...filter }, { caller }) {
      const page = await storage.logs.list(ofCaller(caller, filter), sliceFromOne({ p, page_size }))
      return asPage({ p, page_size }, { ...page, items: page.items.map(withoutAdminInfo) })
    },
    stat: (filter) => storage.logs.statistics(asked(filter), seconds(clock)),
    statSelf: (filter, { caller }) => storage.logs.statistics(ofCaller(caller, filter), seconds(clock)),
    async explain({ request_id }) {
      const found = await explained(storage, request_id, () => true)
      return { ...found, channels: found.log ? await channelsOf(storage, found.log) : [] }
    },
    async explainSelf({ request_id }, { caller }) {
      const { id } = caller.user ?? fail('access.login_required')
      const found = await explained(storage, request_id, ({ user_id }) => user_id === id)
      return { ...found, log: found.log && withoutAdminInfo(found.log), channels: [] }
    },
  }
}

/** @throws GatewayError log.missing where nothing that the caller may see names the call */
async function explained(storage: Storage, request_id: string, mine: (row: { user_id: number }) => boolean) {
  const [rows, entries] = await Promise.all([
    storage.logs.ofRequests([request_id]),
    storage.entries.ofRequest(request_id),
  ])
  return explain(request_id, rows.filter(mine), entries.filter(mine)) ?? fail('log.missing', { request_id })
}

/** Channels that were deleted since have no name. */
const channelsOf = (storage: Storage, log: LogEntry) =>
  Promise.all(channelsTried(log).map(async (id) => ({ id, name: (await storage.channels.find(id))?.name ?? '' })))

/** Only the filters that say something: 0 and the empty text do not. */
const asked = (filter: LogFilter): LogFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== 0 && value !== '')) as LogFilter

const ofCaller = (caller: Caller, filter: LogFilter): LogFilter => ({
  ...asked(filter),
  user_id: caller.user?.id ?? fail('access.login_required'),
})
