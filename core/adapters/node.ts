// Opens a gateway with real adapters: Node, a database, the network. The only module through which the core reaches the
// adapters.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CallSink } from '../calls/sinks.ts'
import { localAddress, type Config } from '../config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { Clock } from '../ports/clock.ts'
import type { ProcessHost } from '../ports/machine.ts'
import type { Logger } from '../ports/logger.ts'
import type { JoinMetrics, OpenMetricStore } from '../ports/metric-store.ts'
import type { UpstreamClient } from '../ports/upstream.ts'
import type { WebClient } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import { openAccessLines } from './access-lines.ts'
import { hasHadDatabase, rememberDatabase } from './copy-database.ts'
import { openJournalFolder } from './journal-files.ts'
import {
  createSystemClock,
  createEventLoopYield,
  createProcessHost,
  createMachine,
  createSystemRandom,
} from './platform.ts'
import { openKeyFiles, openWithMatchingSecret, toMasterKeys } from './secret-files.ts'
import { createOidcClient, oneTimeCodes, webauthnPasskeys } from './sign-in.ts'
import { createUpstream } from './upstream.ts'
import { readEnvironmentProxies } from './environment-proxies.ts'
import { createSecrets, type PasswordCost } from './crypto.ts'
import { openStorage } from './knex/index.ts'
import { withLogHome } from './log-homes/open.ts'
import { loadOptional } from './optional-package.ts'
import type { TelemetryExporters } from './telemetry/telemetry.ts'
import { createLogger } from './pino.ts'
import { createSigner } from './signer.ts'
import { StartError } from './start-error.ts'
import { createMailer } from './smtp.ts'
import { createTokenizer } from './tokenizer.ts'
import { createChannelGuard } from './channel-guard.ts'
import { createWebClient } from './web.ts'

export { ConfigError } from '../config.ts'
export { nodeSignatures } from './signatures.ts'
export { readConfig } from './read-config.ts'
export { socketPath } from './socket-path.ts'
export { StartError } from './start-error.ts'
export { wrapWebSocket, WEB_SOCKET_LIMITS } from './web-socket.ts'

/** Loaded only if metrics are enabled. */
const openMetricStore: OpenMetricStore = async (metrics) => (await import('./prometheus.ts')).openMetricStore(metrics)
export const joinMeasured: JoinMetrics = async (parts) => (await import('./prometheus.ts')).mergeMetricTexts(parts)

/** Parts that a test or an embedding program can replace. */
export interface GatewayPartOverrides {
  clock?: Clock
  upstream?: UpstreamClient
  /** Wraps the guarded web client. */
  web?(guarded: WebClient): WebClient
  /** Receive finished calls after their answers. */
  sinks?: readonly CallSink[]
  /** The OTLP exporters. The caller closes them after the gateway. */
  telemetry?: TelemetryExporters
  /** The health figures of the process. */
  host?: ProcessHost
  /** The cost of password hashes. Tests choose a low one. */
  passwordCost?: PasswordCost
}

/**
 * Opens the configured OTLP exporters. Returns undefined if there are none, and then loads nothing of OpenTelemetry.
 */
export async function openTelemetry({
  telemetrySignals = [],
  log_level,
  log_format,
}: Config): Promise<TelemetryExporters | undefined> {
  if (telemetrySignals.length === 0) return undefined
  const { startTelemetry } = await loadOptional('telemetry', () => import('./telemetry/index.ts'))
  const logger = createLogger({ level: log_level, format: log_format })
  return startTelemetry({
    signals: telemetrySignals,
    version: packageVersion(),
    env: process.env,
    clock: createSystemClock(),
    logger,
  })
}

/**
 * Opens the database and builds the gateway.
 * @throws StartError with one sentence for the operator if the folder, the database or the secret is unusable
 */
export async function openGateway(config: Config, parts: GatewayPartOverrides = {}): Promise<Gateway> {
  const folder = resolve(config.data)
  const clock = parts.clock ?? createSystemClock()
  const random = createSystemRandom()
  const { telemetry } = parts
  const logger = createLogger({ level: config.log_level, format: config.log_format }, undefined, telemetry?.log)
  const proxies = readEnvironmentProxies(process.env)
  const { database, redis } = config
  if (redis !== undefined && !database)
    throw new StartError('--redis (WEIR_REDIS) is for several instances on one PostgreSQL: leave it out on SQLite.')
  const keys = config.secret ? toMasterKeys(config.secret) : await openKeyFiles(folder, { database, logger })
  const hasKey = keys.file !== null && !keys.made
  const concurrently = config.new_database === 'yes'
  const known = !concurrently && hasHadDatabase(folder, { hasKey, database })
  const place = config.database ? { database: config.database } : { folder }
  const { storage, secrets, master } = await openWithMatchingSecret(keys, async (master) => {
    const secrets = createSecrets(master, parts.passwordCost)
    const storage = await openStorage({ ...place, known, concurrently, scratch: folder, secrets, clock, logger })
    return { storage: await withLogHome(storage, config.logs, { folder, logger }), secrets, master }
  })
  const sharedCounts = redis === undefined ? undefined : await openCounts(redis, random.text(16), logger)
  let gateway: Gateway | undefined
  const upstream =
    parts.upstream ??
    createUpstream(
      createChannelGuard(() => (gateway ? channelNetworks(gateway.settings()) : [])),
      proxies,
    )
  try {
    const guarded = createWebClient({
      allowed: () => gateway?.settings().AllowedNetworks ?? [],
      worker: () => (gateway ? getWorker(gateway.settings()) : null),
      proxies,
    })
    const web = parts.web?.(guarded) ?? guarded
    const identity = { oidc: createOidcClient(web), codes: oneTimeCodes, passkeys: webauthnPasskeys }
    const { access_log = 'off' } = config
    const outside = {
      proxies: proxies.described,
      upstream,
      web,
      mailer: createMailer(),
      machine: createMachine(folder, localAddress(config)),
      identity,
      tokenizer: createTokenizer(),
      openMetricStore,
      host: parts.host ?? createProcessHost(),
      yieldToEventLoop: createEventLoopYield(),
      takeLargeBodyTurn: createEventLoopYield({ atOnce: 1, turnsApart: 3 }),
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
        basePath: (config.base_path ?? '').replace(/\/+$/, '').replace(/^(?=[^/])/, '/'),
      },
    )
    // From here on this process has a lease, which blocks rotations. This checks that none has started since the first
    // check.
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

/** Loads the Redis client only if Redis is configured. */
const openCounts = async (redis: string, instance: string, logger: Logger) =>
  (await import('./redis/shared-counts.ts')).openSharedCounts(redis, { instance, logger })

/** If one process owns the database, its disk is the same one, so the journal need not come first. */
const isJournalFirst = ({ journal, database }: Config) => (journal ?? (database ? 'spool' : 'local')) === 'local'

/** An administrator may point a channel to any network that users may send requests to. */
const channelNetworks = ({ ChannelNetworks, AllowedNetworks }: Settings): readonly string[] => [
  ...ChannelNetworks,
  ...AllowedNetworks,
]

const getWorker = ({ WorkerUrl: url, WorkerValidKey: key, WorkerAllowHttpImageRequestEnabled }: Settings) =>
  url === '' ? null : { url, key, plain_http: WorkerAllowHttpImageRequestEnabled }

/** Returns the version in the package's package.json, from source and from the build alike. */
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
