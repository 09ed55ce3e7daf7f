// Finds the API key of a request in all places where clients put it (docs/relay.md, 2).
import type { IncomingMessage } from 'node:http'
import type { CallCaller, Gateway, PresentedKey } from '../core/index.ts'
import { GatewayError, readPresentedKey, splitPin } from '../core/index.ts'
import type { RequestPeer } from './peer.ts'

/** The placeholder in `authorization` of drawing clients, which send the key in another header. */
const NO_KEY = 'midjourney-proxy'
/** The key among the protocols of a WebSocket, since browsers cannot add headers to one. */
const PROTOCOL_KEY = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/

/** The caller, and the channel requested with the key; undefined if none. */
export interface IdentifiedCaller {
  caller: CallCaller
  pin: string | undefined
}

/**
 * Finds the caller of a request by its key. Returns a promise only if the database must be read.
 * @throws GatewayError key.absent, key.unknown
 */
export function identifyCaller(
  gateway: Gateway,
  request: IncomingMessage,
  peer: RequestPeer,
): IdentifiedCaller | Promise<IdentifiedCaller> {
  const presented = readPresentedKey(findKey(request))
  if (presented === '') throw new GatewayError('key.absent')
  const found = gateway.callers.find(presented)
  return found instanceof Promise
    ? found.then((loaded) => toIdentified(loaded, peer, presented))
    : toIdentified(found, peer, presented)
}

function toIdentified(
  found: Pick<CallCaller, 'user' | 'token' | 'bodies' | 'debt'> | null,
  peer: RequestPeer,
  presented: PresentedKey,
): IdentifiedCaller {
  if (!found) throw new GatewayError('key.unknown')
  const { user, token, bodies, debt } = found
  const { ip, request_id, language } = peer
  // A key that matches as a whole has no channel after it.
  const pin = token?.key === presented ? undefined : splitPin(presented)?.pin
  return { caller: { user, token, bodies, debt, via: 'token', ip, request_id, language }, pin }
}

function findKey(request: IncomingMessage): string {
  const { headers } = request
  const { authorization } = headers
  if (authorization && authorization !== NO_KEY) return authorization
  return (
    toText(headers['x-api-key']) ||
    toText(headers['x-goog-api-key']) ||
    toText(headers['mj-api-secret']) ||
    // Gemini's clients may send it in the address.
    (parseQuery(request).get('key') ?? '') ||
    (PROTOCOL_KEY.exec(headers['sec-websocket-protocol'] ?? '')?.[1] ?? '')
  )
}

const toText = (header: string | string[] | undefined): string => String(header ?? '')

export const parseQuery = ({ url }: IncomingMessage): URLSearchParams =>
  new URLSearchParams((url ?? '').split('?', 2)[1] ?? '')
