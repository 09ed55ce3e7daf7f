// The relay's table: method and path to what is asked for, and the dialect its caller speaks.
import type { IncomingHttpHeaders } from 'node:http'
import { anthropicMessages, openaiChat } from '../core/index.ts'
import type { Dialect } from '../core/dialects/dialect.ts'

export type RelayRoute = { dialect: Dialect } & (
  | { operation: 'chat' }
  | { operation: 'count' }
  | { operation: 'models' }
  | { operation: 'model'; model: string }
  | { operation: 'preflight' }
  /** A known path of the protocol that Weir does not serve. */
  | { operation: 'unserved' }
  | { operation: 'unknown' }
)

/** Where the calls of each dialect come in. */
const CALLS: Readonly<Record<string, Dialect>> = {
  '/v1/chat/completions': openaiChat,
  '/v1/messages': anthropicMessages,
}

const COUNT = '/v1/messages/count_tokens'

const UNSERVED =
  /^\/v1\/(completions|edits|embeddings|moderations|responses|rerank|messages\/.+|realtime|images\/.+|audio\/.+|files.*|fine-tunes.*|fine_tuning.*|engines\/.+)$/

/** What a request to the relay asks for; undefined when the path is not the relay's at all. */
export function relayRoute(method: string, url: string, headers: IncomingHttpHeaders = {}): RelayRoute | undefined {
  const [path = ''] = url.split('?', 1)
  if (!path.startsWith('/v1/') && path !== '/v1') return undefined
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  const dialect = isAnthropic(plain, headers) ? anthropicMessages : openaiChat
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  const called = method === 'POST' && Object.hasOwn(CALLS, plain) ? CALLS[plain] : undefined
  if (called) return { dialect: called, operation: 'chat' }
  if (method === 'POST' && plain === COUNT) return { dialect, operation: 'count' }
  if (method === 'GET' && plain === '/v1/models') return { dialect, operation: 'models' }
  if (method === 'GET' && plain.startsWith('/v1/models/')) {
    return { dialect, operation: 'model', model: decoded(plain.slice('/v1/models/'.length)) }
  }
  return { dialect, operation: UNSERVED.test(plain) ? 'unserved' : 'unknown' }
}

/** A path of Anthropic's own, or one that it shares with OpenAI when its client asks. */
const isAnthropic = (path: string, headers: IncomingHttpHeaders): boolean =>
  /^\/v1\/messages(\/|$)/.test(path) || (/^\/v1\/models(\/|$)/.test(path) && 'anthropic-version' in headers)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
