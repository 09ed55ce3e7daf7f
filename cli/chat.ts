// One streamed answer of a model, from an ordinary call of the gateway.
import type { WeirClient } from '../core/contracts.ts'
import { createFrameParser, type SseFrame } from '../core/dialects/answers/frames.ts'
import { fillTemplate } from '../core/errors.ts'
import { listModelNames } from './connection/token-key.ts'
import { GatewayRefusal } from './failure.ts'
import { asUntranslatedText } from './language.ts'
import { suggestNames } from './nouns/names.ts'
import { words } from './texts.ts'
import { count, money, ms, text, type OutputView } from './output/view.ts'
import { parseNameList } from '../core/channels/channel.ts'

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** The facts about an answer so far. */
export interface ChatAnswer {
  model: string
  text: string
  /** Quota units; undefined until the log has the call. */
  quota?: number
  prompt_tokens?: number
  completion_tokens?: number
  /** Time from the question to the last piece, in ms. */
  ms: number
  request_id: string
  /** True if the person cancelled it. */
  stopped: boolean
}

export const chatAnswerView: OutputView<ChatAnswer> = {
  answer: text(words('ANSWER'), 1, (answer) => answer.text, { flexible: true }),
  model: text(words('MODEL'), 1, ({ model }) => model),
  quota: money(words('COST', { context: 'charge' }), 1, ({ quota }) => quota),
  prompt_tokens: count(words('IN'), 2, ({ prompt_tokens }) => prompt_tokens),
  completion_tokens: count(words('OUT'), 2, ({ completion_tokens }) => completion_tokens),
  took: ms(words('TOOK'), 1, (answer) => answer.ms),
  request_id: text(words('REQUEST'), 0, ({ request_id }) => request_id),
}

export interface ChatQuestion {
  address: string
  key: string
  model: string
  messages: readonly ChatMessage[]
  signal: AbortSignal
}

/**
 * Sends a question. `pieces` are the chunks as they arrive; `answer` is filled while they do.
 * @throws Refusal if the call fails
 */
export function askChatModel(request: ChatQuestion): { answer: ChatAnswer; pieces: AsyncIterable<string> } {
  const answer: ChatAnswer = { model: request.model, text: '', ms: 0, request_id: '', stopped: false }
  return { answer, pieces: readPieces(request, answer) }
}

async function* readPieces(request: ChatQuestion, answer: ChatAnswer): AsyncGenerator<string> {
  const started = performance.now()
  try {
    for await (const piece of streamAnswer(request, answer)) {
      answer.text += piece
      yield piece
    }
  } catch (error) {
    if (!request.signal.aborted) throw error
    answer.stopped = true
  } finally {
    answer.ms = Math.round(performance.now() - started)
  }
}

async function* streamAnswer(
  { address, key, model, messages, signal }: ChatQuestion,
  answer: ChatAnswer,
): AsyncGenerator<string> {
  const reply = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, stream: true }),
    signal,
  })
  answer.request_id = reply.headers.get('x-oneapi-request-id') ?? ''
  if (!reply.ok || !reply.body) {
    const refusal = parseRefusal(await reply.text(), reply.status)
    if (refusal.code !== UNKNOWN_MODEL) throw refusal
    const known = await listModelNames(address, key).catch(() => [])
    throw new GatewayRefusal(suggestNames(refusal.text, model, known), refusal.code)
  }
  const parser = createFrameParser()
  for await (const run of reply.body) for (const frame of parser.push(run)) yield parseText(frame)
  for (const frame of parser.end()) yield parseText(frame)
}

/** The relay's code for a model that no channel serves. */
const UNKNOWN_MODEL = 'model_not_found'

interface ChatChunk {
  choices?: { delta?: { content?: string | null } }[]
  error?: { message?: string; code?: string }
}

function parseText({ data }: SseFrame): string {
  if (data.trim() === '[DONE]') return ''
  const { choices, error } = JSON.parse(data) as ChatChunk
  if (error) throw parseRefusal(data, 0)
  return choices?.[0]?.delta?.content ?? ''
}

function parseRefusal(body: string, status: number): GatewayRefusal {
  try {
    const { error } = JSON.parse(body) as ChatChunk
    if (error?.message) return new GatewayRefusal(asUntranslatedText(error.message), error.code ?? String(status))
  } catch {
    // The text is not from the gateway but from a proxy in between.
  }
  return new GatewayRefusal(fillTemplate(words('The call failed with status {status}.'), { status }), String(status))
}

const SETTLE_TIMEOUT_MS = 2000
const POLL_MS = 60

/** Adds the cost from the log, which is written a moment later. */
export async function addLoggedCost(weir: WeirClient, answer: ChatAnswer): Promise<ChatAnswer> {
  if (answer.request_id === '') return answer
  const deadline = Date.now() + SETTLE_TIMEOUT_MS
  for (;;) {
    const { items } = await weir.logs.listSelf({ request_id: answer.request_id, p: 1, page_size: 1 })
    const [row] = items
    if (row) {
      const { quota, prompt_tokens, completion_tokens } = row
      return { ...answer, quota, prompt_tokens, completion_tokens }
    }
    if (Date.now() > deadline) return answer
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

// The messages of a conversation by model, and the parser of typed lines.

export interface ChatConversation {
  /** Models that answer, one after the other. */
  models: readonly string[]
  /** Messages by model: with several models, each knows only its own answers. */
  messagesByModel: ReadonlyMap<string, readonly ChatMessage[]>
  system: string | undefined
}

export const createConversation = (models: readonly string[], system: string | undefined): ChatConversation => ({
  models,
  messagesByModel: new Map(),
  system,
})

/** Returns the messages to send to a model. */
export const buildMessagesFor = (
  { messagesByModel: messages, system }: ChatConversation,
  model: string,
  question: string,
): ChatMessage[] => [
  ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
  ...(messages.get(model) ?? []),
  { role: 'user', content: question },
]

/** Appends a question and its answer. An empty answer appends nothing, because some models reject empty messages. */
export function appendChatAnswer(
  conversation: ChatConversation,
  model: string,
  question: string,
  answer: string,
): ChatConversation {
  if (answer === '') return conversation
  const now: ChatMessage[] = [
    ...(conversation.messagesByModel.get(model) ?? []),
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]
  return { ...conversation, messagesByModel: new Map([...conversation.messagesByModel, [model, now]]) }
}

/** Replaces the models. New ones continue with the messages of the first; those already present keep their own. */
export function replaceConversationModels(conversation: ChatConversation, models: readonly string[]): ChatConversation {
  const { messagesByModel: messages } = conversation
  const [before = ''] = conversation.models
  const first = messages.get(before) ?? []
  return {
    ...conversation,
    models,
    messagesByModel: new Map(models.map((model) => [model, messages.get(model) ?? first])),
  }
}

export type TypedLine =
  | { kind: 'question'; text: string }
  | { kind: 'model'; models: string[] }
  | { kind: 'new' }
  | { kind: 'quit' }
  | { kind: 'nothing' }
  | { kind: 'unknown' }

/** Parses a typed line into a command or a question. */
export function parseChatLine(typed: string): TypedLine {
  const text = typed.trim()
  if (text === '') return { kind: 'nothing' }
  if (!text.startsWith('/')) return { kind: 'question', text }
  const [command = '', ...rest] = text.split(/\s+/)
  const models = parseNameList(rest.join(','))
  if (command === '/model' && models.length > 0) return { kind: 'model', models }
  if (command === '/new' && rest.length === 0) return { kind: 'new' }
  if (command === '/quit' && rest.length === 0) return { kind: 'quit' }
  return { kind: 'unknown' }
}
