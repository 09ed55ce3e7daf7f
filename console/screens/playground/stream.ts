// Streams one answer: a call of the gateway on behalf of the signed-in user, whose chunks make up the answer.
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { signInPrompt } from '../../data/user-prompt.ts'
import { toServerAddress } from '../../data/base.ts'
import { storedPreferences } from '../../data/preferences.ts'
import { getCurrentLanguage } from '../../data/texts.tsx'
import {
  buildChatBody,
  type ChatBody,
  createLoadingAnswer,
  type PlaygroundAnswer,
  type PlaygroundConversation,
} from './conversation.ts'

type StreamedChunk =
  | { type: 'request'; id: string }
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'picture'; url: string }
  | { type: 'tool'; index: number; name: string; arguments: string }
  | { type: 'usage'; prompt: number; completion: number }

/** A failed call or interrupted answer, with the message of the server that refused it. */
class AnswerFailure extends Error {
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

/** Minimum interval between two renderings of streamed answers, in ms. */
const DRAW_EVERY = 50

interface LaneRequest {
  turnId: string
  lane: number
  model: string
}

/** Asks one model, and writes its answer as it arrives. The options are those at the time of the request. */
export async function streamLane(
  conversation: PlaygroundConversation,
  { turnId, lane, model }: LaneRequest,
  signal: AbortSignal,
  write: (answer: PlaygroundAnswer) => void,
): Promise<PlaygroundAnswer> {
  const began = performance.now()
  const getElapsed = () => Math.round(performance.now() - began)
  let answer = createLoadingAnswer(model)
  let drawing: ReturnType<typeof setTimeout> | undefined
  const draw = () => {
    drawing ??= setTimeout(() => {
      drawing = undefined
      write(answer)
    }, DRAW_EVERY)
  }
  try {
    for await (const chunk of streamChatAnswer(buildChatBody(conversation, turnId, lane, model), signal)) {
      answer = applyChunk(answer, chunk, getElapsed())
      draw()
    }
    answer = { ...answer, state: 'complete' }
  } catch (error) {
    answer = signal.aborted ? { ...answer, state: 'complete', stopped: true } : withFailure(answer, error)
  }
  clearTimeout(drawing)
  answer = { ...answer, ms: getElapsed() }
  write(answer)
  return answer
}

function applyChunk(answer: PlaygroundAnswer, chunk: StreamedChunk, ms: number): PlaygroundAnswer {
  if (chunk.type === 'request') return { ...answer, request_id: chunk.id }
  if (chunk.type === 'usage') return { ...answer, usage: { prompt: chunk.prompt, completion: chunk.completion } }
  const started: PlaygroundAnswer = { ...answer, state: 'incomplete', first_ms: answer.first_ms ?? ms }
  switch (chunk.type) {
    case 'text':
      return { ...started, text: answer.text + chunk.text }
    case 'reasoning':
      return { ...started, reasoning: answer.reasoning + chunk.text }
    case 'picture':
      return { ...started, pictures: [...answer.pictures, chunk.url] }
    case 'tool': {
      const known = answer.tools[chunk.index] ?? { name: '', arguments: '' }
      const tool = { name: known.name + chunk.name, arguments: known.arguments + chunk.arguments }
      return { ...started, tools: Object.assign([...answer.tools], { [chunk.index]: tool }) }
    }
  }
}

function withFailure(answer: PlaygroundAnswer, error: unknown): PlaygroundAnswer {
  const message = error instanceof Error ? error.message : String(error)
  const wait = error instanceof AnswerFailure ? error.wait_ms : undefined
  return { ...answer, state: 'error', failure: { message, ...(wait ? { until: Date.now() + wait } : {}) } }
}

/** Sends the request and yields the streamed chunks. @throws AnswerFailure */
async function* streamChatAnswer(body: ChatBody, signal: AbortSignal): AsyncGenerator<StreamedChunk> {
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
