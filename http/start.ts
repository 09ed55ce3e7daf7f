// Listens on the network and on the data folder's socket; stops gracefully.
import { createServer, type RequestListener, type Server } from 'node:http'
import { chmod, unlink } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { localAddress, socketPath, StartError, type Config, type Gateway } from '../core/index.ts'
import { getPathPrefix, type MountOptions } from './base-path.ts'
import type { ReadAllMetrics } from './metrics.ts'
import type { ServerReadiness } from './probes.ts'
import { createRealtimeHandler, listenForUpgrades, type RealtimeDoor } from './realtime.ts'
import { createListener } from './server.ts'
import { createStop, type ServerStop } from './stop.ts'

export { startOperations } from './operations.ts'
export * as workers from './workers.ts'

export interface RunningServer {
  url: string
  /**
   * Shuts down gracefully: lets open answers finish for a while, settles the remaining calls, closes the gateway. With
   * `linger_ms`, calls on accepted connections are not refused: a proxy may have sent them before it learned of the shutdown.
   */
  close(linger_ms?: number): Promise<void>
}

/** Maximum time to receive a whole request, in ms. Slower requests get status 408, so that they hold no connection. */
const REQUEST_TIMEOUT_MS = 300_000
/** Interval at which that timeout is checked, in ms. */
const CHECK_MS = 30_000

/** Maximum number of connections that wait to be accepted. The system drops further ones, and their clients retry a second later. */
const BACKLOG = 4096

interface StartOptions {
  /** The state that /readyz reports. The server changes it to ready and to stopping. */
  readiness?: ServerReadiness
  /** Returns the text of /metrics. Default: the metrics of this process. */
  metrics?: ReadAllMetrics
  /** Default: REQUEST_TIMEOUT_MS. */
  request_timeout_ms?: number
}

/** Starts the server. @throws StartError if the port or the socket is not available; then nothing listens */
export async function startServer(
  gateway: Gateway,
  config: Config,
  { request_timeout_ms = REQUEST_TIMEOUT_MS, readiness = { stage: 'ready' }, metrics }: StartOptions = {},
): Promise<RunningServer> {
  const mounted = { basePath: config.base_path, readiness, ...(metrics ? { metrics } : {}) }
  const { server, stop, realtime } = createServing(gateway, mounted, request_timeout_ms)
  await listen(server, { host: config.host, port: config.port }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(describeListenError(config, error), error)
  })
  const { port } = server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const url = `http://${host}:${port}${getPathPrefix(mounted)}`
  gateway.ports.machine.address = localAddress({ ...config, port })
  const local = await listenLocally(gateway, config, url).catch(async (error: unknown) => {
    // With PostgreSQL, commands need no socket: they open the database themselves.
    if (config.database) return gateway.ports.logger.info('the terminal has no socket', { error: String(error) })
    await stop(0)
    throw error
  })
  const { proxies = [], logger } = gateway.ports
  if (proxies.length > 0)
    logger.info('requests to providers and services use the proxies of the environment', { proxies })
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
  stop: ServerStop
}

function createServing(
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
 * Listens on the socket of the terminal: requests have the rights of the super administrator, and only the file's owner may
 * connect. Responses carry the public address of the server. If several servers share a folder and a database, the first one has
 * the socket. Its paths have no prefix.
 * @throws StartError
 */
async function listenLocally(gateway: Gateway, config: Config, url: string): Promise<ServerStop> {
  const path = socketPath(config)
  // Made with the first command that comes: a start does not wait for a second table of routes and pages.
  let listener: RequestListener | undefined
  const { server, realtime, stop } = createServing(gateway, {}, REQUEST_TIMEOUT_MS, (request, response) => {
    response.setHeader('x-weir-address', url)
    listener ??= createListener(gateway)
    listener(request, response)
  })
  server.on('connection', (socket: { weirLocal?: boolean }) => (socket.weirLocal = true))
  // A socket file without a listener is a remnant of a process that died.
  if (process.platform !== 'win32' && !(await canConnect(path))) await unlink(path).catch(() => {})
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

const canConnect = (path: string) =>
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

function describeListenError({ host, port }: Config, error: NodeJS.ErrnoException): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use: stop what uses it, or choose another with --port.`
  if (error.code === 'EACCES') return `Port ${port} may not be used by this user: choose one above 1023 with --port.`
  return `Weir cannot listen on ${host}:${port} (${error.code ?? error.message}): choose another address with --host and --port.`
}
