// The request of a call, with the facts that its log row has. The log does not store bodies, so a placeholder replaces the
// content.
import type { Operation } from '../../../core/models/operation.ts'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { parseDetail } from './detail.ts'
import { parseOperation } from './operation.tsx'

/** The environment variable that a command reads the key from, so that no key is copied. */
const KEY_VARIABLE = '$WEIR_TOKEN'
const PLACEHOLDER = 'Hello'

export interface CallRequest {
  path: string
  body: Record<string, unknown>
  /** The body is a form with a file. */
  isForm?: boolean
}

const BODIES: Partial<Record<Operation, (entry: LogEntry) => Omit<CallRequest, 'body'> & { body: object }>> = {
  chat: ({ is_stream }) => ({
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: PLACEHOLDER }], ...(is_stream ? { stream: true } : {}) },
  }),
  embeddings: () => ({ path: '/v1/embeddings', body: { input: PLACEHOLDER } }),
  moderation: () => ({ path: '/v1/moderations', body: { input: PLACEHOLDER } }),
  rerank: () => ({ path: '/v1/rerank', body: { query: PLACEHOLDER, documents: [PLACEHOLDER] } }),
  images: () => ({ path: '/v1/images/generations', body: { prompt: PLACEHOLDER } }),
  speech: () => ({ path: '/v1/audio/speech', body: { input: PLACEHOLDER, voice: 'alloy' } }),
  transcription: () => ({ path: '/v1/audio/transcriptions', body: { file: '@audio.mp3' }, isForm: true }),
}

/** Returns null for a row of no call, and for a call that is no single request, such as a session. */
export function buildCallRequest(entry: LogEntry): CallRequest | null {
  const build = BODIES[parseOperation(entry.operation) || 'chat']
  const model = parseDetail(entry.other).asked_model ?? entry.model_name
  if (!build || !model) return null
  const { body, ...request } = build(entry)
  return { ...request, body: { model, ...body } }
}

/** Returns whether the call can be sent from the browser: the playground sends chats. */
export const isChatRequest = ({ path }: CallRequest): boolean => path === '/v1/chat/completions'

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @param server address of the server, without a slash at its end */
export function buildCurl({ path, body, isForm }: CallRequest, server: string): string {
  const lines = [
    `curl ${quote(server + path)}`,
    `-H "Authorization: Bearer ${KEY_VARIABLE}"`,
    ...(isForm
      ? Object.entries(body).map(([name, value]) => `-F ${quote(`${name}=${String(value)}`)}`)
      : [`-H 'Content-Type: application/json'`, `-d ${quote(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}
