// A built Weir with a channel to each strict vendor, and a user with a token for every run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { ApiRates } from '../../core/settings/network.ts'
import { addAccount, setUp, startBuiltServer } from '../support/built-server.ts'
import { saying } from '../vendors/script.ts'
import { startVendor, type Vendor } from '../vendors/vendor.ts'
import { kinds } from './kinds.data.ts'

const QUOTA = 1_000_000_000
const NO_LIMITS = Object.fromEntries(Object.keys(ApiRates.shape).map((name) => [name, [0, 60]]))

export interface World {
  url: string
  /** By the names of the kinds. */
  vendors: Readonly<Record<string, Vendor>>
  /** The folder of its data, whose terminal is the administrator's. */
  data: string
  /** What the administrator sees of the token of a run: its log rows (the oldest first), and whether it is gone. */
  lent(name: string): Promise<{ rows: LogEntry[]; gone: boolean }>
  /** A new user's token: its key, its log rows (the oldest first), and what the user has paid. */
  addToken(): Promise<{ key: string; rows(): Promise<LogEntry[]>; paid(): Promise<number> }>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const data = await mkdtemp(join(tmpdir(), 'weir-agents-data-'))
  const env = { WEIR_DATA: data }
  const server = await startBuiltServer(env)
  const root = await setUp(env, server.url)
  // One machine signs everybody in here, and models without a price are tried too.
  await root.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(NO_LIMITS) })
  await root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'true' })
  const vendors: Record<string, Vendor> = {}
  for (const { name, type, model, vendor, channel } of kinds) {
    const started = await startVendor(vendor, saying('Nothing was asked.'))
    const fields = { key: `key-of-${name}`, base_url: started.url, ...(await channel?.(started.url)) }
    await root.client.channels.create({ name, type, models: model, ...fields })
    vendors[name] = started
  }
  let names = 0
  return {
    url: server.url,
    data,
    vendors,
    async lent(token_name) {
      const { items } = await root.client.logs.list({ token_name, page_size: 100 })
      const { data: found } = await root.client.tokens.search({ keyword: token_name })
      return { rows: items.toReversed(), gone: found.length === 0 }
    },
    async addToken() {
      const name = `user${++names}`
      const { id, visitor } = await addAccount(root, server.url, name, QUOTA)
      const token = await visitor.client.tokens.create({ name, unlimited_quota: true })
      return {
        key: `sk-${token.key}`,
        rows: async () => (await root.client.logs.list({ token_name: name, page_size: 100 })).items.toReversed(),
        paid: async () => QUOTA - (await root.client.users.get({ id })).quota,
      }
    },
    async close() {
      server.child.kill('SIGTERM')
      await server.ended
      await Promise.all(Object.values(vendors).map((vendor) => vendor.close()))
      await rm(data, { recursive: true, force: true })
    },
  }
}
