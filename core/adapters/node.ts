// A gateway on the real world: Node, a database, the network. The only door from the core to the adapters.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CallSink } from '../calls/sinks.ts'
import type { Config } from '../config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { Clock } from '../ports/clock.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Web } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import { createSecrets } from './crypto.ts'
import { fitting, givenKey, openKeyFiles } from './key-files.ts'
import { knowsDatabase, rememberDatabase } from './known-database.ts'
import { openStorage } from './knex/index.ts'
import { createLogger } from './pino.ts'
import { createSigner } from './signer.ts'
import { createLater } from './later.ts'
import { createMailer } from './smtp.ts'
import { createClock } from './system-clock.ts'
import { createRandom } from './system-random.ts'
import { createTokenizer } from './tokenizer.ts'
import { createUpstream } from './undici.ts'
import { createOidc } from './oidc.ts'
import { oneTimeCodes } from './one-time-codes.ts'
import { passkeys } from './passkeys.ts'
import { createWeb } from './web.ts'

export { ConfigError } from '../config.ts'
export { rotateSecret, type Rotation } from './rotate-secret.ts'
export { signatures } from './signatures.ts'
export { socketPath } from './socket-path.ts'
export { StartError } from './start-error.ts'
export { conversationOver, MAX_MESSAGE_BYTES } from './web-socket.ts'

/** Parts that a test or an embedding program may bring itself. */
export interface GatewayParts {
  clock?: Clock
  upstream?: Upstream
  /** Stands in front of the guarded way out. */
  web?(guarded: Web): Web
  /** Are told of finished calls, behind their answers. */
  sinks?: readonly CallSink[]
}

/**
 * Opens the database and builds the gateway.
 * @throws StartError with one sentence for the operator when the folder, the database or the secret will not do
 */
export async function openGateway(config: Config, parts: GatewayParts = {}): Promise<Gateway> {
  const folder = resolve(config.data)
  const clock = parts.clock ?? createClock()
  const random = createRandom()
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const { database } = config
  const keys = config.secret ? givenKey(config.secret) : await openKeyFiles(folder, { database, logger })
  const hasKey = keys.file !== null && !keys.made
  const known = config.new_database !== 'yes' && knowsDatabase(folder, { hasKey, database })
  const place = config.database ? { database: config.database } : { folder }
  const { storage, secrets, master } = await fitting(keys, async (master) => {
    const secrets = createSecrets(master)
    return { storage: await openStorage({ ...place, known, secrets, clock, logger }), secrets, master }
  })
  const upstream = parts.upstream ?? createUpstream()
  let gateway: Gateway | undefined
  try {
    const guarded = createWeb({
      allowed: () => gateway?.settings().AllowedNetworks ?? [],
      worker: () => (gateway ? workerOf(gateway.settings()) : null),
    })
    const web = parts.web?.(guarded) ?? guarded
    const identity = { oidc: createOidc(web), codes: oneTimeCodes, passkeys }
    const outside = {
      upstream,
      web,
      mailer: createMailer(),
      identity,
      tokenizer: createTokenizer(),
      later: createLater(),
    }
    gateway = await createGateway(
      { storage, clock, random, secrets, logger, signer: createSigner({ upstream, clock }), ...outside },
      { version: packageVersion(), sinks: parts.sinks },
    )
    // From here on this process is known to be alive, and no rotation begins: was there one since the first look?
    await storage.confirmSecret()
    await keys.settle(master)
    await rememberDatabase(folder, logger)
    return gateway
  } catch (error) {
    await (gateway ?? storage).close()
    throw error
  }
}

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
