// Asks the models of a conversation, and stores their answers as they stream.
import { useCallback, useEffect, useRef } from 'react'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { quietClient, RequestFailure } from '../../data/client.ts'
import type { PlaygroundAnswer, PlaygroundConversation, ConversationTurn } from './conversation.ts'
import { createLoadingAnswer, buildChatBody, hasEnded, toConversationName, setTurnAnswer } from './conversation.ts'
import { AnswerFailure, streamChatAnswer, type StreamedChunk } from './stream.ts'

/** Minimum interval between two renderings of streamed answers, in ms. */
const DRAW_EVERY = 50

interface AnswerContext {
  conversation: PlaygroundConversation
  change(update: (old: PlaygroundConversation) => PlaygroundConversation): void
}

export interface AnswerActions {
  busy: boolean
  send(text: string, pictures: string[]): void
  /** Replaces a message and sends it again; later turns are removed. */
  resend(turnId: string, text: string): void
  again(turnId: string, lane: number): void
  stop(): void
}

export function usePlaygroundAnswers({ conversation, change }: AnswerContext): AnswerActions {
  const running = useRef(new Map<string, AbortController>())
  const stop = useCallback(() => {
    for (const one of running.current.values()) one.abort()
    running.current.clear()
  }, [])
  // Another conversation is open, or none: the answers are no longer needed.
  useEffect(() => stop, [conversation.id, stop])

  const ask = (target: PlaygroundConversation, turnId: string, lane: number, model: string) => {
    const place = `${turnId} ${lane}`
    running.current.get(place)?.abort()
    const ending = new AbortController()
    running.current.set(place, ending)
    const write = (answer: PlaygroundAnswer) =>
      change((old) => (old.id === target.id ? { ...old, turns: setTurnAnswer(old.turns, turnId, lane, answer) } : old))
    const work = async () => {
      const answer = await streamLane(target, { turnId, lane, model }, ending.signal, write)
      if (running.current.get(place) === ending) running.current.delete(place)
      const known = await loadCharge(answer)
      // Unless the lane is already being asked again.
      if (known && !running.current.has(place)) write(known)
    }
    void work()
  }
  const askAll = (turn: ConversationTurn, before: (old: PlaygroundConversation) => ConversationTurn[]) => {
    const { options } = conversation
    const turns = [...before(conversation), { ...turn, answers: options.models.map(createLoadingAnswer) }]
    const target = { ...conversation, name: conversation.name || toConversationName(turn.text), turns }
    change(() => target)
    for (const [lane, model] of options.models.entries()) ask(target, turn.id, lane, model)
  }
  return {
    busy: conversation.turns.some(({ answers }) => answers.some((answer) => !hasEnded(answer))),
    send: (text, pictures) => askAll({ id: crypto.randomUUID(), text, pictures, answers: [] }, ({ turns }) => turns),
    resend(turnId, text) {
      const at = conversation.turns.findIndex(({ id }) => id === turnId)
      const { pictures } = conversation.turns[at]!
      stop()
      askAll({ id: crypto.randomUUID(), text, pictures, answers: [] }, ({ turns }) => turns.slice(0, at))
    },
    again(turnId, lane) {
      const turn = conversation.turns.find(({ id }) => id === turnId)
      const model = conversation.options.models[lane] ?? turn?.answers[lane]?.model
      if (model) ask(conversation, turnId, lane, model)
    },
    stop,
  }
}

interface LaneRequest {
  turnId: string
  lane: number
  model: string
}

/** The options are those at the time of the request. */
async function streamLane(
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
  write(answer)
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

/** The charge is logged a moment after the answer; it is requested again after these delays, in ms. */
const BILL_AFTER = [150, 600, 2000]

/** Returns the answer with the facts of its log row; null if there is none yet. */
async function loadCharge(answer: PlaygroundAnswer): Promise<PlaygroundAnswer | null> {
  const { request_id } = answer
  if (!request_id) return null
  for (const wait of BILL_AFTER) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const { items } = await quietClient.logs.listSelf({ request_id, p: 1, page_size: 1 }).catch(ignoreFailure)
    const [row] = items
    if (!row) continue
    const usage = answer.usage ?? { prompt: row.prompt_tokens, completion: row.completion_tokens }
    return { ...answer, quota: row.quota, usage }
  }
  return null
}

/** A failure to read the cost needs no message. */
function ignoreFailure(error: unknown): { items: LogEntry[] } {
  if (error instanceof RequestFailure) return { items: [] }
  throw error
}
