// A built Weir with a channel to each strict vendor, and a user with a token for every run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { ApiRateSettings } from '../../core/settings/network.ts'
import { addAccount, setUp, startBuiltServer } from '../support/built-server.ts'
import { saying } from '../vendors/script.ts'
import { startVendor, type Vendor } from '../vendors/vendor.ts'
import { kinds, type Kind } from './kinds.data.ts'

const QUOTA = 1_000_000_000
const NO_LIMITS = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))

export interface World {
  url: string
  /** By the names of the kinds. */
  vendors: Readonly<Record<string, Vendor>>
  /** The folder of its data, whose terminal is the administrator's. */
  data: string
  /** What the administrator sees of the token of a run: its log rows (the oldest first), and whether it is gone. */
  lent(name: string): Promise<{ rows: LogEntry[]; gone: boolean }>
  /** A new user's token: its key, its log rows (the oldest first), and what the user has paid. */
  addToken(): Promise<UserToken>
  set(key: string, value: string): Promise<void>
  /** Stops Weir and starts it again, on the same database and at the same address. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface UserToken {
  key: string
  rows(): Promise<LogEntry[]>
  paid(): Promise<number>
  /** Disables the key. */
  revoke(): Promise<void>
  /** Another key of the same user; `rows` has its calls, too. */
  addKey(): Promise<string>
}

export async function openWorld(channels: readonly Kind[] = kinds): Promise<World> {
  const data = await mkdtemp(join(tmpdir(), 'weir-agents-data-'))
  const env = { WEIR_DATA: data }
  let server = await startBuiltServer(env)
  const { url } = server
  const root = await setUp(env, url)
  // One machine signs everybody in here, and models without a price are tried too.
  await root.client.settings.update({ key: 'ApiRateLimits', value: JSON.stringify(NO_LIMITS) })
  await root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'true' })
  const vendors: Record<string, Vendor> = {}
  for (const { name, type, model, vendor, channel } of channels) {
    const started = await startVendor(vendor, saying('Nothing was asked.'))
    const fields = { key: `key-of-${name}`, base_url: started.url, ...(await channel?.(started.url)) }
    await root.client.channels.create({ name, type, models: model, ...fields })
    vendors[name] = started
  }
  let names = 0
  async function stop(): Promise<void> {
    server.child.kill('SIGTERM')
    await server.ended
  }
  return {
    url,
    data,
    vendors,
    async lent(token_name) {
      const { items } = await root.client.logs.list({ token_name, page_size: 100 })
      const { data: found } = await root.client.tokens.search({ keyword: token_name })
      return { rows: items.toReversed(), gone: found.length === 0 }
    },
    async addToken() {
      const name = `user${++names}`
      const { id, visitor } = await addAccount(root, url, name, QUOTA)
      const token = await visitor.client.tokens.create({ name, unlimited_quota: true })
      return {
        key: `sk-${token.key}`,
        rows: async () => (await root.client.logs.list({ username: name, page_size: 100 })).items.toReversed(),
        paid: async () => QUOTA - (await root.client.users.get({ id })).quota,
        revoke: async () => void (await visitor.client.tokens.update({ id: token.id, status: 2, status_only: 'true' })),
        addKey: async () => `sk-${(await visitor.client.tokens.create({ name, unlimited_quota: true })).key}`,
      }
    },
    set: async (key, value) => void (await root.client.settings.update({ key, value })),
    async restart() {
      await stop()
      server = await startBuiltServer(env, { port: Number(new URL(url).port) })
    },
    async close() {
      await stop()
      await Promise.all(Object.values(vendors).map((vendor) => vendor.close()))
      await rm(data, { recursive: true, force: true })
    },
  }
}
