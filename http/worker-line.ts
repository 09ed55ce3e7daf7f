// The line between the process that started workers and each of them: one asks, the other answers.

/** What can be asked. */
export type Question = 'metrics' | 'ready'

interface Asked {
  weir_question: Question
  id: number
}
interface Answered {
  weir_answer: number
  value: unknown
}

/** A `FetchWorker`, or the `process` of one. */
interface Channel {
  send?(message: Asked | Answered): unknown
  on(event: 'message', heard: (message: unknown) => void): unknown
  isConnected?(): boolean
  connected?: boolean
}

/** Who does not answer in this time, in ms, has nothing to say. */
const PATIENCE_MS = 3_000

export interface WorkerLine {
  /** Undefined where nobody answers. */
  ask(question: Question): Promise<unknown>
}

export function createWorkerLine(channel: Channel, answer: (question: Question) => Promise<unknown>): WorkerLine {
  const waiting = new Map<number, (value: unknown) => void>()
  let last = 0
  const say = (message: Asked | Answered) => {
    if (channel.isConnected?.() ?? channel.connected) channel.send?.(message)
  }
  channel.on('message', (message) => {
    if (typeof message !== 'object' || message === null) return
    if ('weir_question' in message) {
      const { weir_question, id } = message as Asked
      void answer(weir_question).then(
        (value) => say({ weir_answer: id, value }),
        () => say({ weir_answer: id, value: undefined }),
      )
    } else if ('weir_answer' in message) {
      const { weir_answer, value } = message as Answered
      waiting.get(weir_answer)?.(value)
    }
  })
  return {
    ask: (weir_question) =>
      new Promise((resolve) => {
        const id = (last += 1)
        const over = (value: unknown) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(value)
        }
        const timer = setTimeout(over, PATIENCE_MS, undefined)
        waiting.set(id, over)
        say({ weir_question, id })
      }),
  }
}
