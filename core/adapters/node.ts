// A gateway on the real world: Node, a database, the network. The only door from the core to the adapters.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CallSink } from '../calls/sinks.ts'
import type { Config } from '../config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { Clock } from '../ports/clock.ts'
import type { Host } from '../ports/host.ts'
import type { Logger } from '../ports/logger.ts'
import type { JoinMetrics, OpenMetricStore } from '../ports/metric-store.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Web } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import { openAccessLines } from './access-lines.ts'
import { copyBooked, type DatabaseCopy } from './copy-database.ts'
import { createSecrets, type PasswordCost } from './crypto.ts'
import { openWithMatchingSecret, givenKey, openKeyFiles } from './key-files.ts'
import { knowsDatabase, rememberDatabase } from './known-database.ts'
import { openStorage } from './knex/index.ts'
import { withLogHome } from './log-homes/open.ts'
import { createHost } from './host.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { createLogger } from './pino.ts'
import { createSigner } from './signer.ts'
import { StartError } from './start-error.ts'
import { hasJournal, openJournalFolder } from './journal-folder.ts'
import { createEventLoopYield } from './later.ts'
import { createMachine } from './machine.ts'
import { createMailer } from './smtp.ts'
import { createClock } from './system-clock.ts'
import { createRandom } from './system-random.ts'
import { createTokenizer } from './tokenizer.ts'
import { createChannelGuard } from './channel-guard.ts'
import { createUpstream } from './undici.ts'
import { createOidc } from './oidc.ts'
import { oneTimeCodes } from './one-time-codes.ts'
import { passkeys } from './passkeys.ts'
import { createWeb } from './web.ts'

export { ConfigError } from '../config.ts'
export { restoreBackup, type RestoredBackup } from './backup/restore.ts'
export { saveBackup, type SavedBackup } from './backup/save.ts'
export { isSealed } from './backup/read.ts'
export { compactDatabase, type CompactedFile } from './compact-database.ts'
export { type DatabaseCopy } from './copy-database.ts'
export { rotateSecret, type Rotation } from './rotate-secret.ts'
export { schemaSteps, takeSteps, type SchemaSteps } from './schema-steps.ts'
export { signatures } from './signatures.ts'
export { readConfig } from './read-config.ts'
export { socketPath } from './socket-path.ts'
export { StartError } from './start-error.ts'
export { wrapWebSocket, WEB_SOCKET_LIMITS } from './web-socket.ts'

/** Loaded by those alone who want metrics. */
const openMetricStore: OpenMetricStore = async (metrics) => (await import('./prometheus.ts')).openMetricStore(metrics)
export const joinMeasured: JoinMetrics = async (parts) => (await import('./prometheus.ts')).joinTexts(parts)

/** Parts that a test or an embedding program may bring itself. */
export interface GatewayParts {
  clock?: Clock
  upstream?: Upstream
  /** Stands in front of the guarded way out. */
  web?(guarded: Web): Web
  /** Are told of finished calls, behind their answers. */
  sinks?: readonly CallSink[]
  /** What is told by OTLP; whoever gives it closes it behind the gateway. */
  telemetry?: Telemetry
  /** How the process is. */
  host?: Host
  /** What a hash of a password costs; tests choose a low cost. */
  passwordCost?: PasswordCost
}

/** What the configuration tells by OTLP; undefined where it tells nothing, and then nothing of OpenTelemetry is loaded. */
export async function openTelemetry({ told = [], log_level, log_format }: Config): Promise<Telemetry | undefined> {
  if (told.length === 0) return undefined
  const { startTelemetry } = await import('./telemetry/index.ts')
  const logger = createLogger({ level: log_level, format: log_format })
  return startTelemetry({ told, version: packageVersion(), env: process.env, clock: createClock(), logger })
}

/**
 * Opens the database and builds the gateway.
 * @throws StartError with one sentence for the operator when the folder, the database or the secret will not do
 */
export async function openGateway(config: Config, parts: GatewayParts = {}): Promise<Gateway> {
  const folder = resolve(config.data)
  const clock = parts.clock ?? createClock()
  const random = createRandom()
  const { telemetry } = parts
  const logger = createLogger({ level: config.log_level, format: config.log_format }, undefined, telemetry?.log)
  const { database, redis } = config
  if (redis !== undefined && !database)
    throw new StartError('--redis (WEIR_REDIS) is for several instances on one PostgreSQL: leave it out on SQLite.')
  const keys = config.secret ? givenKey(config.secret) : await openKeyFiles(folder, { database, logger })
  const hasKey = keys.file !== null && !keys.made
  const known = config.new_database !== 'yes' && knowsDatabase(folder, { hasKey, database })
  const place = config.database ? { database: config.database } : { folder }
  const { storage, secrets, master } = await openWithMatchingSecret(keys, async (master) => {
    const secrets = createSecrets(master, parts.passwordCost)
    const storage = await openStorage({ ...place, known, scratch: folder, secrets, clock, logger })
    return { storage: await withLogHome(storage, config.logs, { folder, logger }), secrets, master }
  })
  const sharedCounts = redis === undefined ? undefined : await openCounts(redis, random.text(16), logger)
  let gateway: Gateway | undefined
  const upstream =
    parts.upstream ?? createUpstream(createChannelGuard(() => (gateway ? channelNetworks(gateway.settings()) : [])))
  try {
    const guarded = createWeb({
      allowed: () => gateway?.settings().AllowedNetworks ?? [],
      worker: () => (gateway ? workerOf(gateway.settings()) : null),
    })
    const web = parts.web?.(guarded) ?? guarded
    const identity = { oidc: createOidc(web), codes: oneTimeCodes, passkeys }
    const { access_log = 'off' } = config
    const outside = {
      upstream,
      web,
      mailer: createMailer(),
      machine: createMachine(folder),
      identity,
      tokenizer: createTokenizer(),
      openMetricStore,
      host: parts.host ?? createHost(),
      later: createEventLoopYield(),
      journal: openJournalFolder(folder, random.text(16), logger),
      sharedCounts,
      tracer: telemetry?.tracer,
      access: access_log === 'off' ? undefined : openAccessLines(access_log, { clock, logger }),
    }
    gateway = await createGateway(
      { storage, clock, random, secrets, logger, signer: createSigner({ upstream, clock }), ...outside },
      {
        version: packageVersion(),
        sinks: [...(parts.sinks ?? []), ...(telemetry?.sinks ?? [])],
        journalFirst: isJournalFirst(config),
      },
    )
    // From here on this process is known to be alive, and no rotation begins: was there one since the first look?
    await storage.confirmSecret()
    await keys.settle(master)
    await rememberDatabase(folder, logger)
    return gateway
  } catch (error) {
    await (gateway ?? storage).close()
    if (!gateway) await sharedCounts?.close()
    throw error
  }
}

/** Nothing of Redis is loaded where none is named. */
const openCounts = async (redis: string, instance: string, logger: Logger) =>
  (await import('./redis/shared-counts.ts')).openSharedCounts(redis, { instance, logger })

/**
 * Copies the database that the configuration names, with all that is owed: what a killed process left in the journal is booked
 * first. Run again after whatever end, it goes on.
 * @throws StartError or GatewayError for the operator: somebody runs it, the target has something, the disk is full
 */
export async function copyDatabase(...given: Parameters<typeof copyBooked>): Promise<DatabaseCopy> {
  const [config] = given
  if (await hasJournal(resolve(config.data))) await (await openGateway(config)).close()
  return copyBooked(...given)
}

/** Where one process owns the database its own disk is as good as that one. */
const isJournalFirst = ({ journal, database }: Config) => (journal ?? (database ? 'spool' : 'local')) === 'local'

/** Where users may point a request, an administrator may point a channel. */
const channelNetworks = ({ ChannelNetworks, AllowedNetworks }: Settings): readonly string[] => [
  ...ChannelNetworks,
  ...AllowedNetworks,
]

const workerOf = ({ WorkerUrl: url, WorkerValidKey: key, WorkerAllowHttpImageRequestEnabled }: Settings) =>
  url === '' ? null : { url, key, plain_http: WorkerAllowHttpImageRequestEnabled }

/** The version in the package's own package.json, from source and from the build alike. */
export function packageVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const file = join(folder, 'package.json')
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    const parent = dirname(folder)
    if (parent === folder) throw new Error('package.json not found')
    folder = parent
  }
}
