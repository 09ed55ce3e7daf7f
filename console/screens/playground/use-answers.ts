// Asks the models of a conversation, and stores their answers as they stream.
import { useCallback, useEffect, useRef } from 'react'
import type { LogEntry } from '../../../core/calls/log-entry.ts'
import { quietClient, RequestFailure } from '../../data/client.ts'
import { noteLostFile } from '../../data/connection.ts'
import { onceTouched } from '../../data/touched.ts'
import type { PlaygroundAnswer, PlaygroundConversation, ConversationTurn } from './conversation.ts'
import { createLoadingAnswer, hasEnded, toConversationName, setTurnAnswer } from './conversation.ts'

/** No screen needs the stream before the first question. */
const loadLaneStream = async () => (await import('./stream.ts')).streamLane
onceTouched(() => void loadLaneStream().catch(noteLostFile))

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
      write(createLoadingAnswer(model))
      const answer = await loadLaneStream().then(
        (streamLane) => streamLane(target, { turnId, lane, model }, ending.signal, write),
        (error: unknown) => {
          noteLostFile(error)
          const failed: PlaygroundAnswer = {
            ...createLoadingAnswer(model),
            state: 'error',
            failure: { message: String(error) },
          }
          write(failed)
          return failed
        },
      )
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
