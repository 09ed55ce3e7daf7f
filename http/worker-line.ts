// Questions and answers between the primary process and each of its workers.

/** A question to a process. */
export type Question = 'metrics' | 'ready'

interface QuestionMessage {
  weir_question: Question
  id: number
}
interface AnswerMessage {
  weir_answer: number
  value: unknown
}

/** A `FetchWorker`, or the `process` of one. */
interface Channel {
  send?(message: QuestionMessage | AnswerMessage): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  isConnected?(): boolean
  connected?: boolean
}

/** Maximum wait for an answer, in ms. */
const ANSWER_TIMEOUT_MS = 3_000

export interface WorkerLine {
  /** Sends a question. Resolves to undefined if no answer arrives in time. */
  ask(question: Question): Promise<unknown>
}

export function createWorkerLine(channel: Channel, answer: (question: Question) => Promise<unknown>): WorkerLine {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  const send = (message: QuestionMessage | AnswerMessage) => {
    if (channel.isConnected?.() ?? channel.connected) channel.send?.(message)
  }
  channel.on('message', (message) => {
    if (typeof message !== 'object' || message === null) return
    if ('weir_question' in message) {
      const { weir_question, id } = message as QuestionMessage
      void answer(weir_question).then(
        (value) => send({ weir_answer: id, value }),
        () => send({ weir_answer: id, value: undefined }),
      )
    } else if ('weir_answer' in message) {
      const { weir_answer, value } = message as AnswerMessage
      waiting.get(weir_answer)?.(value)
    }
  })
  return {
    ask: (weir_question) =>
      new Promise((resolve) => {
        const id = (last += 1)
        const finish = (value: unknown) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(value)
        }
        const timer = setTimeout(finish, ANSWER_TIMEOUT_MS, undefined)
        waiting.set(id, finish)
        send({ weir_question, id })
      }),
  }
}
