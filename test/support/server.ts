// The real server for tests, in this process on a free port, and a visitor who speaks HTTP to it as browsers do.
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { DATABASE_FILE_NAME } from '../../core/adapters/knex/connection/connection.ts'
import { openGateway, type GatewayPartOverrides } from '../../core/adapters/node.ts'
import type { Config } from '../../core/config.ts'
import { createClient, toOutline, toHttpRequest } from '../../core/contract/client.ts'
import { apiContract, type WeirClient } from '../../core/contracts.ts'
import type { Gateway } from '../../core/gateway.ts'
import type { ProcessHost } from '../../core/ports/machine.ts'
import { startServer } from '../../http/start.ts'
import { afterCharges } from './after-charges.ts'
import type { Json } from './json.ts'
import { migratedImage } from './sqlite.ts'

export interface TestServer {
  url: string
  gateway: Gateway
  config: Config
  /** Stops gracefully and removes the data folder. */
  close(): Promise<void>
}

export interface TestServerOptions extends GatewayPartOverrides {
  database?: string
  /** Where the access log goes. */
  access_log?: string
  /** How long a request may take to come. */
  request_timeout_ms?: number
}

/** The process of a test is as busy as its neighbours make it: what a gateway says of its own is not told by them. */
const CALM: ProcessHost = {
  vitals: async () => ({ stalled_ms: 0, descriptors: null, memory: { used: 1, most: 2 } }),
  close: () => undefined,
}

/** The least that Argon2 takes: tests sign in thousands of times. `test/storage/secrets.test.ts` has the real cost. */
const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Starts a new Weir on 127.0.0.1: on sqlite in a folder of its own, or on the PostgreSQL database at `database`. */
export async function startTestServer({
  database,
  access_log,
  request_timeout_ms,
  ...parts
}: TestServerOptions = {}): Promise<TestServer> {
  const data = await mkdtemp(join(tmpdir(), 'weir-server-'))
  const remove = () => rmSync(data, { recursive: true, force: true })
  // A server that its worker keeps to the end is never closed.
  process.once('exit', remove)
  if (!database) await writeFile(join(data, DATABASE_FILE_NAME), await migratedImage())
  const config: Config = {
    host: '127.0.0.1',
    port: 0,
    data,
    log_level: 'silent',
    log_format: 'json',
    secret: 'a secret for tests',
    ...(database ? { database } : {}),
    ...(access_log ? { access_log } : {}),
  }
  const gateway = await openGateway(config, { host: CALM, passwordCost: CHEAP_PASSWORDS, ...parts })
  const server = await startServer(gateway, config, request_timeout_ms === undefined ? {} : { request_timeout_ms })
  // Behind the gateway's own back: what a test looks up is what was answered.
  gateway.ports.storage = afterCharges(gateway, gateway.ports.storage)
  return {
    url: server.url,
    gateway,
    config,
    async close() {
      await server.close()
      process.off('exit', remove)
      remove()
    },
  }
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The body parsed; undefined where it is no JSON. */
  json: Json
}

export interface Asked {
  headers?: Record<string, string>
  /** An object goes as JSON; texts and bytes as they are. */
  body?: object | string | Uint8Array
}

/** Keeps no connection: the next server may listen on the port of one that is gone. */
const connections = new Agent({ pipelining: 0 })

/** One request, exactly as told. Unlike fetch it sends any header, also Host, and never redirects. */
export async function send(method: string, url: string, { headers = {}, body }: Asked = {}): Promise<HttpAnswer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await request(url, {
    dispatcher: connections,
    method: method as 'GET',
    headers: { ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : raw ? body : JSON.stringify(body),
  })
  const text = await (HAS_NO_END.test(url) ? beginningOf(answer.body) : answer.body.text())
  return { status: answer.statusCode, headers: answer.headers, text, json: parsed(text) }
}

/** What goes on until somebody leaves. */
const HAS_NO_END = /\/api\/log\/(self\/)?stream\b/

async function beginningOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  for await (const piece of pieces) return String(piece)
  return ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A refusal of the API, as a typed call throws it. */
export class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor({ status, text, json }: HttpAnswer) {
    super(json?.message ?? text)
    this.status = status
    this.code = json?.code ?? ''
  }
}

/** Somebody with a cookie jar, or an access token. */
export interface Visitor {
  /** Typed calls; a refusal is thrown as Refused. */
  client: WeirClient
  /** Any call of the API with what this visitor is known by. */
  send(method: string, path: string, asked?: Asked): Promise<HttpAnswer>
  /** Signs in by password and keeps the cookie. */
  login(username: string, password: string): Promise<HttpAnswer>
  cookie(): string
}

/** The id of a visitor's session. */
export const sessionId = (visitor: Pick<Visitor, 'cookie'>): string =>
  /weir_session=([^;]+)/.exec(visitor.cookie())?.[1] ?? ''

/** A visitor of the server at `url`: nobody at first, or whoever the access token belongs to. */
export function createVisitor(url: string, { accessToken }: { accessToken?: string } = {}): Visitor {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  let userId = ''

  const known = (): Record<string, string> => ({
    ...(jar.size === 0 ? {} : { cookie: cookie() }),
    ...(userId === '' ? {} : { 'new-api-user': userId }),
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  })
  const visitor: Visitor = {
    client: createClient(apiContract, async (_, endpoint, input) => {
      const { method, path, body } = toHttpRequest(toOutline(endpoint), input)
      const answer = await visitor.send(method, path, body ? { body } : {})
      if (answer.json?.success !== true) throw new Refused(answer)
      const { success: _success, message: _message, ...rest } = answer.json
      return endpoint.replyFields ? rest : rest.data
    }),
    async send(method, path, { headers, body } = {}) {
      const answer = await send(method, url + path, { headers: { ...known(), ...headers }, body })
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return answer
    },
    async login(username, password) {
      const answer = await visitor.send('POST', '/api/user/login', { body: { username, password } })
      if (answer.json?.success) userId = String(answer.json.data.id)
      return answer
    },
    cookie,
  }
  return visitor
}
