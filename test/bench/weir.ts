// Weir for benchmarks: built, set up through the library in a separate folder, run as `bin/weir.js serve`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { openGateway, readConfig, type Gateway } from '../../core/index.ts'
import { createLedger, type Ledger } from '../../core/quota/ledger.ts'
import { freePort } from '../support/free-port.ts'
import { listening, ROOT, start, temporaryFolder, type Child } from './processes.ts'
import { MESSAGES_MODEL, MODEL, type Address } from './world.ts'

export const ROOT_USER = { username: 'root', password: 'a root password' }
/** No run can spend it. Quota units. */
const PLENTY = 1_000_000_000_000_000

/** `npm run build`, so that what is measured is what would be installed. */
export function build(): void {
  process.stderr.write('Building…\n')
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('Weir cannot be built, so there is nothing to measure.')
}

export interface Installation {
  data: string
  /** Absent for SQLite. */
  database?: string
  key: string
}

/** Opens the gateway of an installation in this process, to fill or check it while no server runs. */
export const openInstallation = ({ data, database }: Pick<Installation, 'data' | 'database'>): Promise<Gateway> =>
  openGateway(readConfig({ data, log_level: 'error', ...(database ? { database } : {}) }, {}, false))

/** Lets `work` move quota as the ledger books it, while nobody else uses the database. */
export async function withLedger({ ports }: Gateway, work: (ledger: Ledger) => Promise<unknown>): Promise<void> {
  const { storage, clock, random, logger } = ports
  const ledger = await createLedger({ store: storage.ledger, chain: storage.chain, clock, random, logger })
  await work(ledger)
  await ledger.close()
}

/** A set-up Weir: the administrator, rich, with a token, and `channels` channels at the provider. */
export async function install(
  name: string,
  providerUrl: string,
  { database, channels = 1 }: { database?: string; channels?: number } = {},
): Promise<Installation> {
  const data = await temporaryFolder(name)
  const gateway = await openInstallation({ data, ...(database ? { database } : {}) })
  try {
    const { client } = gateway
    await client.site.setup({ ...ROOT_USER, confirmPassword: ROOT_USER.password })
    for (let number = 1; number <= channels; number++) {
      const form = { name: `channel ${number}`, type: 1, key: `mock-key-${number}`, models: MODEL }
      await client.channels.create({ ...form, base_url: providerUrl })
    }
    const messages = { name: 'messages', type: 14, key: 'mock-key-messages', models: MESSAGES_MODEL }
    await client.channels.create({ ...messages, base_url: providerUrl })
    const { key } = await client.tokens.create({ name: 'bench', unlimited_quota: true })
    const root = await gateway.ports.storage.users.findRoot()
    await gateway.close()
    // The gateway's own ledger keeps balances in memory, so it has to be gone by now.
    const again = await openInstallation({ data, ...(database ? { database } : {}) })
    await withLedger(again, (ledger) =>
      ledger.credit({ account_id: root?.id ?? 0, kind: 'adjustment', amount: PLENTY }),
    )
    await again.close()
    return { data, ...(database ? { database } : {}), key: `sk-${key}` }
  } catch (error) {
    await gateway.close().catch(() => undefined)
    throw error
  }
}

export interface Served extends Child {
  address: Address
}

/** `weir serve` on an installation, of this checkout or another `root`; resolves once it listens. */
export async function serve(
  { data, database, key }: Installation,
  cores: string,
  {
    node = [],
    more = [],
    env,
    root = ROOT,
  }: { node?: string[]; more?: string[]; env?: Record<string, string>; root?: string } = {},
): Promise<Served> {
  const port = await freePort()
  const weir = join(root, 'bin', 'weir.js')
  const place = ['--data', data, ...(database ? ['--database', database] : [])]
  const command = [
    ...[process.execPath, ...node, weir, 'serve'],
    ...['--host', '127.0.0.1', '--port', String(port), ...place, ...more],
  ]
  const child = start(cores, command, env ? { env } : {})
  await listening(port, child)
  return { ...child, address: { port, key } }
}
