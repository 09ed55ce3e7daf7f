// Listens on the network and on the data folder's socket; stops gracefully.
import { createServer, type RequestListener, type Server } from 'node:http'
import { chmod, unlink } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { socketPath, StartError, type Config, type Gateway } from '../core/index.ts'
import { getPathPrefix, type MountOptions } from './base-path.ts'
import type { TellMetrics } from './metrics.ts'
import type { Readiness } from './probes.ts'
import { createRealtimeHandler, type RealtimeDoor } from './realtime.ts'
import { createListener } from './server.ts'
import { createStop, type Stop } from './stop.ts'
import { listenForUpgrades } from './upgrade.ts'

export { warmUp } from './warm-up.ts'
export { startOperations } from './operations.ts'
export * as workers from './workers.ts'

export interface RunningServer {
  url: string
  /**
   * Lets open answers finish for a while, settles what is left, closes the gateway. With `linger_ms` nobody is refused whose
   * connection is taken: a proxy has sent the call before it could hear that nobody listens any more.
   */
  close(linger_ms?: number): Promise<void>
}

/** A request must be there whole within this time, in ms, or is answered 408: slow senders hold no connection for longer. */
const REQUEST_TIMEOUT_MS = 300_000
/** How often that is looked for, in ms. */
const CHECK_MS = 30_000

/** Connections that wait to be accepted. Beyond it the system turns them away, and their callers try again a second later. */
const BACKLOG = 4096

interface StartOptions {
  /** What it says at /readyz; it stops being ready when the server closes. */
  readiness?: Readiness
  /** What /metrics tells; without it, what this process has measured. */
  metrics?: TellMetrics
  /** In place of REQUEST_TIMEOUT_MS. */
  request_timeout_ms?: number
}

/** @throws StartError when the port or the socket cannot be had; then nothing listens */
export async function startServer(
  gateway: Gateway,
  config: Config,
  { request_timeout_ms = REQUEST_TIMEOUT_MS, readiness = { stage: 'ready' }, metrics }: StartOptions = {},
): Promise<RunningServer> {
  const mounted = { basePath: config.base_path, readiness, ...(metrics ? { metrics } : {}) }
  const { server, stop, realtime } = serverOf(gateway, mounted, request_timeout_ms)
  await listen(server, { host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(unusable(config, error), error)
  })
  const { port } = server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const url = `http://${host}:${port}${getPathPrefix(mounted)}`
  const local = await listenLocally(gateway, config, url).catch(async (error: unknown) => {
    // On PostgreSQL commands can do without: they open the database themselves.
    if (config.database) return gateway.ports.logger.info('the terminal has no socket', { error: String(error) })
    await stop(0)
    throw error
  })
  readiness.stage = 'ready'
  return {
    url,
    async close(linger_ms = 0) {
      readiness.stage = 'stopping'
      if (linger_ms === 0) gateway.refuseCalls()
      const grace_ms = gateway.settings()['relay.stop_seconds'] * 1000
      await Promise.all([
        realtime.close(),
        stop(grace_ms, gateway.cutCalls, linger_ms),
        local?.(grace_ms, gateway.cutCalls),
      ])
      await gateway.close()
    },
  }
}

interface Serving {
  server: Server
  realtime: RealtimeDoor
  stop: Stop
}

function serverOf(
  gateway: Gateway,
  mounted: MountOptions,
  requestTimeout: number = REQUEST_TIMEOUT_MS,
  listener: RequestListener = createListener(gateway, mounted),
): Serving {
  const realtime = createRealtimeHandler(gateway, mounted)
  const connectionsCheckingInterval = Math.min(CHECK_MS, requestTimeout)
  const timeouts = { keepAliveTimeout: 65_000, requestTimeout, connectionsCheckingInterval }
  const server = createServer(timeouts, listener)
  listenForUpgrades(server, realtime)
  return { server, realtime, stop: createStop(server) }
}

/**
 * The terminal's way in while this process serves: as the super administrator, for the file's owner only. Its answers tell
 * under which address everybody else comes in. Of several servers of one folder and one database the first has it. Nothing
 * stands before its paths.
 * @throws StartError
 */
async function listenLocally(gateway: Gateway, config: Config, url: string): Promise<Stop> {
  const path = socketPath(config)
  const listener = createListener(gateway)
  const { server, realtime, stop } = serverOf(gateway, {}, REQUEST_TIMEOUT_MS, (request, response) => {
    response.setHeader('x-weir-address', url)
    listener(request, response)
  })
  server.on('connection', (socket: { weirLocal?: boolean }) => (socket.weirLocal = true))
  // A socket file at which nobody answers was left by a process that died.
  if (process.platform !== 'win32' && !(await answers(path))) await unlink(path).catch(() => {})
  const mask = process.umask(0o177)
  try {
    await listen(server, { path })
  } catch (error) {
    throw new StartError(`The socket ${path} cannot be made: choose another data folder.`, error)
  } finally {
    process.umask(mask)
  }
  if (process.platform !== 'win32') await chmod(path, 0o600)
  return async (...graces) => {
    await Promise.all([realtime.close(), stop(...graces)])
  }
}

const answers = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path, () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })

const listen = (server: Server, where: { host: string; port: number } | { path: string }) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...where, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })

function unusable({ host, port }: Config, error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use: stop what uses it, or choose another with --port.`
  if (error.code === 'EACCES') return `Port ${port} may not be used by this user: choose one above 1023 with --port.`
  return `Weir cannot listen on ${host}:${port} (${error.code ?? error.message}): choose another address with --host and --port.`
}
