// A typed client over any way of sending: fetch in the browser, a socket or a gateway in the same process for the terminal.
import type { CallerInput, Endpoint, FeatureEndpoints, EndpointReply } from './endpoint.ts'

/** Sends a request of a client: receives the endpoint's name, its declaration and the flat input, and returns the reply. */
export type SendRequest = (name: string, endpoint: Endpoint, input: Record<string, unknown>) => Promise<unknown>

type EndpointCall<E> =
  {} extends CallerInput<E>
    ? (input?: CallerInput<E>) => Promise<EndpointReply<E>>
    : (input: CallerInput<E>) => Promise<EndpointReply<E>>

/** `client.tokens.list({ p: 0 })`: one function per endpoint of the contract. */
export type ContractClient<C extends Record<string, FeatureEndpoints>> = {
  [F in keyof C]: { [N in keyof C[F]]: EndpointCall<C[F][N]> }
}

/** Builds the client of a contract. */
export const createClient = <C extends Record<string, FeatureEndpoints>>(
  contract: C,
  send: SendRequest,
): ContractClient<C> => createOutlineClient<C, Endpoint>(contract, send)

/** The client of a contract of which only that much is known of each endpoint, such as its outline. */
export function createOutlineClient<C extends Record<string, FeatureEndpoints>, E>(
  known: Record<string, Record<string, E>>,
  send: (name: string, endpoint: E, input: Record<string, unknown>) => Promise<unknown>,
): ContractClient<C> {
  const entries = Object.entries(known).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [
        name,
        (input: Record<string, unknown> = {}) => send(`${feature}.${name}`, endpoint, input),
      ]),
    ),
  ])
  return Object.fromEntries(entries) as ContractClient<C>
}

/** The parts of an endpoint that an HTTP request needs: names instead of schemas, small enough for a page. */
export interface EndpointOutline {
  method: string
  path: string
  query: readonly string[]
  body: boolean
  replyFields: boolean
}

export const toOutline = ({ method, path, changes, query, body, replyFields }: Endpoint): EndpointOutline => ({
  method: changes ? 'POST' : method,
  path,
  query: Object.keys(query?.shape ?? {}),
  body: body !== undefined,
  replyFields: replyFields !== undefined,
})

/** A request that can be sent over HTTP: path with its parameters and query filled in, and the JSON body if there is one. */
export interface HttpRequest {
  method: string
  path: string
  body?: Record<string, unknown>
}

/** Converts a flat input to an HTTP request: fields of the path, of the query and of the body. */
export function toHttpRequest(outline: EndpointOutline, input: Record<string, unknown>): HttpRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = outline.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value ?? ''))
  })
  const query = new URLSearchParams()
  for (const name of outline.query) {
    const value = rest.get(name)
    rest.delete(name)
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const search = query.size > 0 ? `?${query}` : ''
  return { method: outline.method, path: path + search, ...(outline.body ? { body: Object.fromEntries(rest) } : {}) }
}
