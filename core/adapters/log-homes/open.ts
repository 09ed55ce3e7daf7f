// Opens the log store that an address names. Each kind is loaded only if it is used.
import { errors, GatewayError, getThrownText } from '../../errors.ts'
import type { LogHome } from '../../logs/home.ts'
import { DATABASE_HOME } from '../../logs/homes.ts'
import { createLogsInTwoPlaces } from '../../logs/two-places.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Storage } from '../../ports/storage.ts'
import { loadOptional } from '../optional-package.ts'
import { classifyNetworkFailure, StartError, toDiskFullError } from '../start-error.ts'

// Wraps a log store so that its errors become one clear message: about its network, its disk, or with the engine's own
// text.

/** Maximum length of the engine's text. Engines explain themselves on further lines. */
const LONGEST = 300

/**
 * Wraps a store so that each error is a GatewayError or StartError with the original one as its cause. Queries of log
 * readers already fail as `log.away`, because not every reader may learn the location of the log.
 */
export const wrapLogHomeErrors = (home: LogHome): LogHome =>
  new Proxy(home, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        const answer: unknown = member.apply(target, given)
        if (!(answer instanceof Promise)) return answer
        return answer.catch((error: unknown) => {
          throw toLogHomeError(error, home.name)
        })
      }
    },
  })

function toLogHomeError(error: unknown, home: string): unknown {
  if (error instanceof GatewayError || error instanceof StartError) return error
  const full = toDiskFullError(error, home)
  if (full !== error) return full
  const network = classifyNetworkFailure(error)
  if (network) return new GatewayError('log.home_away', { home, why: errors[network] }, { cause: error })
  const [text = ''] = getThrownText(error).trim().split('\n')
  return new GatewayError('log.home_said', { home, message: text.slice(0, LONGEST) }, { cause: error })
}

/** The context of relative paths: the data folder. */
interface HomeContext {
  folder: string
  logger: Logger
}

/** By default, SQLite stores the log in a file next to its database, which stays small. */
export const LOG_FILE_NAME = 'logs.db'
const OWN_FILE = `sqlite:${LOG_FILE_NAME}`

/**
 * Returns the storage with a log store, if an address names one; `database` for none.
 * @throws StartError for an invalid address, or an engine that is not installed; the storage is closed then
 */
export async function withLogHome(
  storage: Storage,
  address: string | undefined,
  { folder, logger }: HomeContext,
): Promise<Storage> {
  const openable: Storage = { ...storage, openLogHome: (to) => openLogHome(to, { folder, logger }) }
  try {
    const inUse = await storage.logPlaces.inUse()
    const isFree = storage.kind === 'sqlite' && inUse.every(({ home }) => home === OWN_FILE)
    const chosen = address ?? (isFree ? OWN_FILE : DATABASE_HOME)
    if (chosen === DATABASE_HOME) {
      for (const { home, place } of inUse)
        logger.warn('rows of the log are in a home that is not named: start with --logs', { home, up_to: place })
      return openable
    }
    const logHome = await openLogHome(chosen, { folder, logger })
    for (const { home, place } of await storage.logPlaces.begin(logHome.name))
      logger.warn('older rows of the log are in another home: weir logs move brings them', { home, up_to: place })
    return { ...openable, logHome, logs: createLogsInTwoPlaces(storage, logHome) }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** @throws StartError for an invalid address, or an engine that is not installed */
export const openLogHome = async (address: string, context: HomeContext): Promise<LogHome> =>
  wrapLogHomeErrors(await openByScheme(address, context))

async function openByScheme(address: string, { folder, logger }: HomeContext): Promise<LogHome> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  switch (url?.protocol) {
    case 'clickhouse:':
    case 'clickhouses:':
      return (await loadOptional('clickhouse', () => import('./clickhouse.ts'))).openClickhouse(url)
    case 'sqlite:':
      return (await import('./sqlite-file.ts')).openSqliteFile(url, folder, logger)
    case 'parquet:':
      return (await loadOptional('parquet', () => import('./parquet.ts'))).openParquet(url, folder)
    default:
      throw new StartError(
        'The home of the log cannot be read: write clickhouse://user:password@host:8123/database, sqlite:file or parquet:folder.',
      )
  }
}
