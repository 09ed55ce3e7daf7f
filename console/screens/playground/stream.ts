// Streams one answer: a call of the gateway on behalf of the signed-in user.
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { signInPrompt } from '../../data/user-prompt.ts'
import { toServerAddress } from '../../data/base.ts'
import { storedPreferences } from '../../data/preferences.ts'
import { getCurrentLanguage } from '../../data/texts.tsx'
import type { ChatBody } from './conversation.ts'

export type StreamedChunk =
  | { type: 'request'; id: string }
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'picture'; url: string }
  | { type: 'tool'; index: number; name: string; arguments: string }
  | { type: 'usage'; prompt: number; completion: number }

/** A failed call or interrupted answer, with the message of the server that refused it. */
export class AnswerFailure extends Error {
  readonly status: number
  /** Delay before a retry is useful, in ms. */
  readonly wait_ms?: number

  constructor(message: string, status: number, wait_ms?: number) {
    super(message)
    this.name = 'AnswerFailure'
    this.status = status
    this.wait_ms = wait_ms
  }
}

/** Sends the request and yields the streamed chunks. @throws AnswerFailure */
export async function* streamChatAnswer(body: ChatBody, signal: AbortSignal): AsyncGenerator<StreamedChunk> {
  const response = await ask(body, signal)
  yield { type: 'request', id: response.headers.get('x-oneapi-request-id') ?? '' }
  const events = response
    .body!.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    for (;;) {
      const { done, value } = await events.read()
      if (done || value.data.trim() === DONE) return
      yield* parseChunks(value.data)
    }
  } finally {
    void events.cancel().catch(() => undefined)
  }
}

const DONE = '[DONE]'

/** Asks to sign in once if the session has expired. */
async function ask(body: ChatBody, signal: AbortSignal): Promise<Response> {
  const response = await fetch(toServerAddress('/pg/chat/completions'), {
    method: 'POST',
    signal,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      'New-Api-User': String(storedPreferences.user.read()?.id ?? -1),
      'Accept-Language': getCurrentLanguage(),
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  if (response.ok && response.body) return response
  if (response.status === 401 && (await signInPrompt.input())) return ask(body, signal)
  throw parseRefusal(await response.text(), response)
}

interface CompletionChunk {
  choices?: { delta?: Delta; message?: Delta }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null
  error?: { message?: unknown } | string
}

interface Delta {
  content?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  refusal?: string | null
  images?: { image_url?: { url?: string } }[]
  tool_calls?: { index?: number; function?: { name?: string; arguments?: string } }[]
}

function* parseChunks(data: string): Generator<StreamedChunk> {
  const { choices = [], usage, error } = parseChunk(data)
  if (error !== undefined) throw new AnswerFailure(getErrorMessage(error) ?? data, 200)
  const delta = choices[0]?.delta ?? choices[0]?.message ?? {}
  const reasoning = delta.reasoning_content ?? delta.reasoning
  if (reasoning) yield { type: 'reasoning', text: reasoning }
  const text = delta.content || delta.refusal
  if (text) yield { type: 'text', text }
  for (const { image_url } of delta.images ?? []) if (image_url?.url) yield { type: 'picture', url: image_url.url }
  for (const [place, { index = place, function: called }] of (delta.tool_calls ?? []).entries())
    yield { type: 'tool', index, name: called?.name ?? '', arguments: called?.arguments ?? '' }
  if (usage) yield { type: 'usage', prompt: usage.prompt_tokens ?? 0, completion: usage.completion_tokens ?? 0 }
}

/** @throws AnswerFailure with the data itself if it is no JSON */
function parseChunk(data: string): CompletionChunk {
  try {
    return JSON.parse(data) as CompletionChunk
  } catch {
    throw new AnswerFailure(data, 200)
  }
}

const getErrorMessage = (error: CompletionChunk['error']): string | undefined => {
  const message = typeof error === 'object' ? error.message : error
  return typeof message === 'string' && message !== '' ? message : undefined
}

function parseRefusal(text: string, { status, headers }: Response): AnswerFailure {
  const seconds = Number(headers.get('retry-after') ?? '')
  const wait = seconds > 0 ? seconds * 1000 : undefined
  try {
    const { error, message } = JSON.parse(text) as CompletionChunk & { message?: string }
    return new AnswerFailure(getErrorMessage(error) ?? message ?? `HTTP ${status}`, status, wait)
  } catch {
    // The response comes from a proxy between the browser and the gateway.
    return new AnswerFailure(`HTTP ${status}`, status, wait)
  }
}
