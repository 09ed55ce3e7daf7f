// The caller's API key, wherever a client may have put it (docs/relay.md, 2).
import type { IncomingMessage } from 'node:http'
import {
  GatewayError,
  readPresentedKey,
  splitPin,
  type CallCaller,
  type Gateway,
  type PresentedKey,
} from '../core/index.ts'
import type { Peer } from './peer.ts'

/** What drawing clients send for a key where they have it in a header of their own. */
const NO_KEY = 'midjourney-proxy'
/** Browsers can give a WebSocket no headers: the key comes as one of its protocols. */
const PROTOCOL_KEY = /(?:^|,)\s*openai-insecure-api-key\.([^\s,]+)/

/** Who calls, and the channel asked for beside the key. */
export interface Identified {
  caller: CallCaller
  pin: string | undefined
}

/**
 * A promise only where storage has to be asked.
 * @throws GatewayError key.absent, key.unknown
 */
export function identify(gateway: Gateway, request: IncomingMessage, peer: Peer): Identified | Promise<Identified> {
  const presented = readPresentedKey(presentedIn(request))
  if (presented === '') throw new GatewayError('key.absent')
  const found = gateway.callers.find(presented)
  return found instanceof Promise
    ? found.then((late) => identified(late, peer, presented))
    : identified(found, peer, presented)
}

function identified(
  found: Pick<CallCaller, 'user' | 'token' | 'bodies' | 'debt'> | null,
  peer: Peer,
  presented: PresentedKey,
): Identified {
  if (!found) throw new GatewayError('key.unknown')
  const { user, token, bodies, debt } = found
  const { ip, request_id, language } = peer
  // What is all key has no channel behind it.
  const pin = token?.key === presented ? undefined : splitPin(presented)?.pin
  return { caller: { user, token, bodies, debt, via: 'token', ip, request_id, language }, pin }
}

function presentedIn(request: IncomingMessage): string {
  const { headers } = request
  const { authorization } = headers
  if (authorization && authorization !== NO_KEY) return authorization
  return (
    textOf(headers['x-api-key']) ||
    textOf(headers['x-goog-api-key']) ||
    textOf(headers['mj-api-secret']) ||
    // Gemini's clients may have it in the address.
    (parseQuery(request).get('key') ?? '') ||
    (PROTOCOL_KEY.exec(headers['sec-websocket-protocol'] ?? '')?.[1] ?? '')
  )
}

const textOf = (header: string | string[] | undefined): string => String(header ?? '')

export const parseQuery = ({ url }: IncomingMessage): URLSearchParams =>
  new URLSearchParams((url ?? '').split('?', 2)[1] ?? '')
