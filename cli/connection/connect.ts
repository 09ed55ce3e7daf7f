// Connections of commands: to a server by its address, to the server running on this machine, or to a gateway opened in
// this process.
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import net from 'node:net'
import path from 'node:path'
import type { WeirClient } from '../../core/contracts.ts'
import type { Config } from '../../core/config.ts'
import { fillTemplate, type Language } from '../../core/errors.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { createEndpointClient, findEndpoint, type CallEndpoint } from './endpoint-client.ts'
import { createHttpSend } from './http-send.ts'
import { asUntranslatedText, type BilingualText } from '../language.ts'
import { createPermittedSend } from './own-endpoints.ts'
import { words } from '../texts.ts'

/** A connection to the gateway and its type. */
export interface GatewayConnection {
  client: WeirClient
  send: CallEndpoint
  /**
   * `remote`: by address; `socket`: the server on this machine; `process`: a gateway opened in this process for one
   * command.
   */
  via: 'remote' | 'socket' | 'process'
  /** Name in messages. */
  label: BilingualText
  /** Returns the address of the server if known: from --server, or the one on which the local server listens. */
  address(): Promise<string | undefined>
  close(): Promise<void>
}

/** The parts of a gateway opened in this process that the terminal needs. */
export interface LocalGateway {
  client: WeirClient
  close(): Promise<void>
}

/** The access to the gateway on this machine; tests replace it. */
export interface LocalGatewayAccess {
  socketPath(config: Config): string
  openGateway(config: Config): Promise<LocalGateway>
}

export interface ConnectOptions {
  server?: string
  accessToken?: string
  language: Language
  config(): Config
  localAccess: LocalGatewayAccess
  /** true if a missing data folder may be created. */
  create?: boolean
}

const OWNED_RETRY_MS = 150
const OWNED_PATIENCE_MS = 6000

/** Connects in the most direct way available. */
export async function connectToGateway(options: ConnectOptions): Promise<GatewayConnection> {
  if (options.server !== undefined) return connectRemote(options.server, options)
  const config = options.config()
  const { localAccess: localDoor } = options
  const socket = localDoor.socketPath(config)
  return retryWhileOwned(async () => {
    if (await listens(socket)) return connectOverSocket(socket, options.language)
    return connectInProcess(config, localDoor, options.create ?? false)
  })
}

/**
 * Opens the gateway to serve it. Waits briefly for a command in another terminal that owns the folder, but not for a
 * running server.
 */
export async function openToServe<G>(
  localDoor: { socketPath(config: Config): string; openGateway(config: Config): Promise<G> },
  config: Config,
): Promise<G> {
  return retryWhileOwned(
    () => localDoor.openGateway(config),
    async () => !(await listens(localDoor.socketPath(config))),
  )
}

/** Retries while another process owns the folder, as long as that can be a short-lived command. */
async function retryWhileOwned<T>(attempt: () => Promise<T>, worthWaiting = async () => true): Promise<T> {
  // Counted from the first refusal, because the time before went into loading this process.
  let deadline: number | undefined
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      deadline ??= Date.now() + OWNED_PATIENCE_MS
      if (!isOwned(error) || Date.now() > deadline || !(await worthWaiting())) throw error
      await new Promise((resolve) => setTimeout(resolve, OWNED_RETRY_MS))
    }
  }
}

/** Returns the connection to the running server of a data folder, or null. */
export async function connectToRunning(socket: string, language: Language): Promise<GatewayConnection | null> {
  return (await listens(socket)) ? connectOverSocket(socket, language) : null
}

function connectRemote(server: string, { accessToken, language }: ConnectOptions): GatewayConnection {
  const address = /^https?:\/\//.test(server) ? server : `http://${server}`
  if (!URL.canParse(address))
    throw new UsageError(
      fillTemplate(words('--server {server} is not an address like https://weir.example.com'), { server }),
    )
  const send = createPermittedSend(
    createHttpSend({ server: address, accessToken, language, label: asUntranslatedText(address) }),
  )
  return { ...createConnection('remote', send, asUntranslatedText(address)), address: async () => address }
}

function connectOverSocket(socketPath: string, language: Language): GatewayConnection {
  const label = words('The server on this machine')
  const send = createHttpSend({ server: 'http://localhost', socketPath, language, label })
  return { ...createConnection('socket', send, label), address: () => readServerAddress(socketPath) }
}

/** Returns the server's address, which every answer over the socket contains. */
const readServerAddress = (socketPath: string): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const probe = request({ socketPath, path: '/api/status', method: 'HEAD' }, (answer) => {
      answer.resume()
      resolve(answer.headers['x-weir-address']?.toString())
    })
    probe.once('error', reject).end()
  })

const createConnection = (
  via: GatewayConnection['via'],
  send: CallEndpoint,
  label: BilingualText,
): GatewayConnection => ({
  client: createEndpointClient(send),
  send,
  via,
  label,
  address: async () => undefined,
  close: async () => {},
})

async function connectInProcess(
  config: Config,
  localDoor: LocalGatewayAccess,
  create: boolean,
): Promise<GatewayConnection> {
  if (!create && config.database === undefined && !existsSync(config.data)) {
    const folder = path.resolve(config.data)
    throw new GatewayRefusal(
      fillTemplate(
        words('No Weir in {folder}: run `weir init` or `weir serve` first, or name its folder with --data.'),
        { folder },
      ),
      'no_weir',
    )
  }
  const gateway = await localDoor.openGateway(config)
  return {
    client: gateway.client,
    send: sendInto(gateway.client),
    via: 'process',
    label: words('This process'),
    address: async () => undefined,
    close: () => gateway.close(),
  }
}

/** Builds a Send that calls endpoints by name on a client in this process. */
function sendInto(client: WeirClient): CallEndpoint {
  return async (name, input) => {
    if (!findEndpoint(name)) throw new UsageError(fillTemplate(words('Unknown endpoint {name}.'), { name }))
    const [feature = '', operation = ''] = name.split('.')
    const features = client as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>
    return features[feature]?.[operation]?.(input)
  }
}

function listens(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath)
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    // A socket without permission for this user still means a running server; the request reports the reason.
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'EACCES' && existsSync(socketPath)))
  })
}

const isOwned = (error: unknown) => error instanceof Error && (error as Error & { code?: unknown }).code === 'owned'
