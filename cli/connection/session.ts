// The connection of one command run: opened on first use, shared, closed at the end.
import { socketPath } from '../../core/adapters/socket-path.ts'
import type { Config } from '../../core/config.ts'
import type { Language } from '../../core/errors.ts'
import type { Command, CommandEnvironment } from '../command.ts'
import { connectToGateway, connectToRunning, type GatewayConnection, type LocalGatewayAccess } from './connect.ts'
import { openLocalGateway } from './local-gateway.ts'
import type { MoneyView } from '../output/format.ts'
import { waitOrAbort } from '../signals.ts'

/** The connection functions of a command. */
export type ConnectionFunctions = Pick<
  CommandEnvironment,
  'client' | 'money' | 'connection' | 'reconnect' | 'findServer' | 'awaitServer'
>

interface SessionOptions {
  server: string | undefined
  accessToken: string | undefined
  language: Language
  config(): Config
  /** The socket of the server that answered on this machine when the command was started. */
  socket?: string | undefined
  env: Record<string, string | undefined>
}

const POLL_MS = 500

const localDoor: LocalGatewayAccess = { socketPath, openGateway: openLocalGateway }

/** Creates the connection functions of a command, and `close` for its end. */
export function openSession(options: SessionOptions) {
  let shared: Promise<GatewayConnection> | undefined
  let money: Promise<MoneyView> | undefined

  // A command's own output matters; the gateway's log is printed only on request.
  const getQuietConfig = (): Config => {
    const config = options.config()
    return options.env.LOG_LEVEL || config.log_level !== 'info' ? config : { ...config, log_level: 'silent' }
  }
  // A server that answered just now is asked without reading the configuration.
  const findKnownServer = async () =>
    options.server === undefined && options.socket !== undefined
      ? connectToRunning(options.socket, options.language)
      : null
  const open = async (create: boolean) =>
    (await findKnownServer()) ??
    connectToGateway({ ...options, config: getQuietConfig, localAccess: localDoor, create })

  const findServer = async () => connectToRunning(socketPath(options.config()), options.language)

  return {
    getConnections(command: Pick<Command, 'name'>): ConnectionFunctions {
      const connection = () => (shared ??= open(command.name === 'init'))
      return {
        connection,
        client: async () => (await connection()).client,
        money: () => (money ??= connection().then(({ client }) => client.site.status())),
        reconnect: () => open(false),
        findServer,
        async awaitServer(signal) {
          while (!signal.aborted) {
            const running = await findServer()
            if (running) return running
            await waitOrAbort(POLL_MS, signal)
          }
          return null
        },
      }
    },
    async close() {
      const opened = await shared?.catch(() => undefined)
      await opened?.close()
    },
  }
}
