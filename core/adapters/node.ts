// A gateway on the real world: Node, a database, the network. The only door from the core to the adapters.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { Upstream } from '../ports/upstream.ts'
import type { Web } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import { createSecrets } from './crypto.ts'
import { prepareFolder } from './knex/connect.ts'
import { openStorage } from './knex/index.ts'
import { createLogger } from './pino.ts'
import { createSigner } from './signer.ts'
import { createMailer } from './smtp.ts'
import { StartError } from './start-error.ts'
import { createClock } from './system-clock.ts'
import { createRandom } from './system-random.ts'
import { createTokenizer } from './tokenizer.ts'
import { createUpstream } from './undici.ts'
import { createOidc } from './oidc.ts'
import { oneTimeCodes } from './one-time-codes.ts'
import { passkeys } from './passkeys.ts'
import { createWeb } from './web.ts'

export { ConfigError } from '../config.ts'
export { signatures } from './signatures.ts'
export { StartError } from './start-error.ts'
export { conversationOver, MAX_MESSAGE_BYTES } from './web-socket.ts'

const KEY_FILE = 'weir.key'
const KEY_BYTES = 32

/** Parts that a test or an embedding program may bring itself. */
export interface GatewayParts {
  upstream?: Upstream
  /** Stands in front of the guarded way out. */
  web?(guarded: Web): Web
}

/**
 * Opens the database and builds the gateway.
 * @throws StartError with one sentence for the operator when the folder, the database or the secret will not do
 */
export async function openGateway(config: Config, parts: GatewayParts = {}): Promise<Gateway> {
  const folder = resolve(config.data)
  const clock = createClock()
  const random = createRandom()
  const logger = createLogger({ level: config.log_level, format: config.log_format })
  const key = config.secret ? { secret: config.secret, made: null } : await keyFile(folder, config)
  const secrets = createSecrets(key.secret)
  const place = config.database ? { database: config.database } : { folder }
  const storage = await openStorage({ ...place, secrets, clock, logger }).catch(async (error: unknown) => {
    // A key that opened nothing must not lie about: the next start would take it for the right one. A folder that is
    // owned has been opened with it.
    const owned = error instanceof StartError && error.code === 'owned'
    if (key.made && !owned) await unlink(key.made).catch(() => {})
    throw error
  })
  const upstream = parts.upstream ?? createUpstream()
  try {
    let gateway: Gateway | undefined
    const guarded = createWeb({
      allowed: () => gateway?.settings().AllowedNetworks ?? [],
      worker: () => (gateway ? workerOf(gateway.settings()) : null),
    })
    const web = parts.web?.(guarded) ?? guarded
    const identity = { oidc: createOidc(web), codes: oneTimeCodes, passkeys }
    const outside = { upstream, web, mailer: createMailer(), identity, tokenizer: createTokenizer() }
    gateway = await createGateway(
      { storage, clock, random, secrets, logger, signer: createSigner({ upstream, clock }), ...outside },
      { version: packageVersion() },
    )
    return gateway
  } catch (error) {
    await storage.close()
    throw error
  }
}

const workerOf = ({ WorkerUrl: url, WorkerValidKey: key, WorkerAllowHttpImageRequestEnabled }: Settings) =>
  url === '' ? null : { url, key, plain_http: WorkerAllowHttpImageRequestEnabled }

/** The master secret in the data folder; made once, readable by its owner alone. `made` names the file if it is new. */
async function keyFile(folder: string, config: Config): Promise<{ secret: string; made: string | null }> {
  await prepareFolder(folder)
  const file = join(folder, KEY_FILE)
  let made: string | null = null
  if (!existsSync(file)) {
    if (!config.database && existsSync(join(folder, 'weir.db'))) {
      throw new StartError(
        `The database in ${folder} has lost its key file ${KEY_FILE}: put the file back, or start with the secret in WEIR_SECRET.`,
        undefined,
        'secret',
      )
    }
    const secret = randomBytes(KEY_BYTES).toString('base64url')
    // Another process may be making it at the same moment: the first one's stays.
    try {
      await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
      made = file
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new StartError(
          `The key file ${file} cannot be written: make the folder writable for this user.`,
          error,
          'secret',
        )
      }
    }
  }
  const secret = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (secret.length < 16)
    throw new StartError(`The key file ${file} is empty or unreadable: put the right one back.`, undefined, 'secret')
  return { secret, made }
}

/** Socket paths longer than this do not fit the system's address structure. */
const MAX_SOCKET_PATH = 100

/** Where the process that owns a data folder listens for the terminal. */
export function socketPath(dataFolder: string): string {
  const folder = resolve(dataFolder)
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 24)
  if (process.platform === 'win32') return `\\\\.\\pipe\\weir-${digest}`
  const path = join(folder, 'weir.sock')
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `weir-${digest}.sock`)
}

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
