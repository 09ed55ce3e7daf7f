// The relay's table: method and path to what is asked for, and the dialect its caller speaks.
import type { IncomingHttpHeaders } from 'node:http'
import {
  anthropicMessages,
  openaiChat,
  openaiCompletions,
  openaiEmbeddings,
  openaiImageEdits,
  openaiImages,
  openaiImageVariations,
  openaiModerations,
  openaiResponses,
  openaiSpeech,
  openaiTranscriptions,
  openaiTranslations,
  rerank,
} from '../core/index.ts'
import type { Place } from '../core/dialects/dialect.ts'
import type { AnyDialect } from '../core/dialects/format.ts'
import { decoded, geminiRoute } from './gemini-paths.ts'

/** A request with a body. Gemini names model and streaming in the address, and streams an `array` to who asks so. */
type Asking = { operation: 'call' | 'count'; place?: Place; array?: boolean }

export type RelayRoute = { dialect: AnyDialect } & (
  | Asking
  /** A chat of a signed-in user, without a token. */
  | { operation: 'playground' }
  | { operation: 'billing'; wanted: 'subscription' | 'usage' }
  | { operation: 'models' }
  | { operation: 'model'; model: string }
  | { operation: 'preflight' }
  /** Only for WebSockets: what asks so comes in by another door. */
  | { operation: 'websocket' }
  /** A known path of the protocol that Weir does not serve. */
  | { operation: 'unserved' }
  | { operation: 'unknown' }
)

/** Where the calls of each dialect come in. */
const CALLS: Readonly<Record<string, AnyDialect>> = {
  '/v1/chat/completions': openaiChat,
  '/v1/completions': openaiCompletions,
  '/v1/responses': openaiResponses,
  '/v1/messages': anthropicMessages,
  '/v1/embeddings': openaiEmbeddings,
  '/v1/moderations': openaiModerations,
  '/v1/rerank': rerank,
  '/v1/images/generations': openaiImages,
  '/v1/images/edits': openaiImageEdits,
  '/v1/images/variations': openaiImageVariations,
  '/v1/audio/speech': openaiSpeech,
  '/v1/audio/transcriptions': openaiTranscriptions,
  '/v1/audio/translations': openaiTranslations,
}

/** What old dashboards ask, at either address. */
const BILLING = /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/
const PLAYGROUND = '/pg/chat/completions'
const COUNT = '/v1/messages/count_tokens'

/** The oldest address of embeddings names the model. */
const ENGINE = /^\/v1\/engines\/([^/]+)\/embeddings$/

const UNSERVED =
  /^\/v1\/(edits|responses\/.+|messages\/.+|realtime\/.+|images\/.+|audio\/.+|files.*|fine-tunes.*|fine_tuning.*|engines\/.+)$/

/** Google's own address of what is also OpenAI's. */
const COMPATIBLE = '/v1beta/openai/'

/** Nearly every call comes in at one of these addresses, letter for letter. */
const PLAIN = new Map(Object.entries(CALLS).map(([path, dialect]) => [path, { dialect, operation: 'call' } as const]))

/** What a request to the relay asks for; undefined when the path is not the relay's at all. */
export function relayRoute(method: string, url: string, headers: IncomingHttpHeaders = {}): RelayRoute | undefined {
  return (method === 'POST' ? PLAIN.get(url) : undefined) ?? searchedRoute(method, url, headers)
}

function searchedRoute(method: string, url: string, headers: IncomingHttpHeaders): RelayRoute | undefined {
  const [whole = '', search = ''] = url.split('?', 2)
  const path = whole.startsWith(COMPATIBLE) ? `/v1/${whole.slice(COMPATIBLE.length)}` : whole
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  if (isGemini(method, plain, search, headers)) return geminiRoute(method, plain, search)
  if (method === 'POST' && plain === PLAYGROUND) return { dialect: openaiChat, operation: 'playground' }
  const billing = method === 'GET' && BILLING.exec(plain)?.[1]
  if (billing) return { dialect: openaiChat, operation: 'billing', wanted: billing as 'subscription' | 'usage' }
  if (!path.startsWith('/v1/') && path !== '/v1') return undefined
  const dialect = isAnthropic(plain, headers) ? anthropicMessages : openaiChat
  if (method === 'OPTIONS') return { dialect, operation: 'preflight' }
  const called = method === 'POST' && Object.hasOwn(CALLS, plain) ? CALLS[plain] : undefined
  if (called) return { dialect: called, operation: 'call' }
  const engine = method === 'POST' ? ENGINE.exec(plain)?.[1] : undefined
  if (engine) return { dialect: openaiEmbeddings, operation: 'call', place: { model: decoded(engine) } }
  if (method === 'POST' && plain === COUNT) return { dialect, operation: 'count' }
  if (method === 'GET' && plain === '/v1/realtime') return { dialect, operation: 'websocket' }
  if (method === 'GET' && plain === '/v1/models') return { dialect, operation: 'models' }
  if (method === 'GET' && plain.startsWith('/v1/models/')) {
    return { dialect, operation: 'model', model: decoded(plain.slice('/v1/models/'.length)) }
  }
  return { dialect, operation: UNSERVED.test(plain) ? 'unserved' : 'unknown' }
}

/** A path of Anthropic's own, or one that it shares with OpenAI when its client asks. */
const isAnthropic = (path: string, headers: IncomingHttpHeaders): boolean =>
  /^\/v1\/messages(\/|$)/.test(path) || (/^\/v1\/models(\/|$)/.test(path) && 'anthropic-version' in headers)

/** A path of Gemini's own, or one that it shares with OpenAI when its client asks. */
function isGemini(method: string, path: string, search: string, headers: IncomingHttpHeaders): boolean {
  if (/^\/v1(alpha|beta)(\/|$)/.test(path)) return true
  if (!/^\/v1\/models(\/|$)/.test(path)) return false
  if (method === 'POST') return path.includes(':')
  return headers['x-goog-api-key'] !== undefined || /(^|&)key=/.test(search)
}
