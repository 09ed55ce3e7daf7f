// Orders calls one after another, for formats in which only one block is open at a time: events between two pieces of a
// call wait until its arguments are complete.
import type { ModelEvent } from '../answers/model-event.ts'
import { JsonProgress } from './assembler.ts'

/** The ordering of one choice. */
export interface CallOrder {
  /** Returns the events that may be written now. The end of the answer first releases all waiting ones. */
  take(event: ModelEvent): ModelEvent[]
  /** Returns all waiting events. */
  rest(): ModelEvent[]
}

const PASS = new Set<ModelEvent['type']>(['start', 'usage', 'failure'])

export function createCallOrder(): CallOrder {
  let open: { index: number; progress: JsonProgress } | undefined
  const started = new Set<number>()
  let waiting: ModelEvent[] = []

  function rest(): ModelEvent[] {
    const released: ModelEvent[] = []
    while (waiting.length > 0) {
      open = undefined
      released.push(...again())
    }
    open = undefined
    return released
  }

  /** Processes the waiting events again. */
  function again(): ModelEvent[] {
    const [...events] = waiting
    waiting = []
    return events.flatMap(take)
  }

  function take(event: ModelEvent): ModelEvent[] {
    if (PASS.has(event.type)) return [event]
    if (event.type === 'finish' || event.type === 'end') return [...rest(), event]
    const own = event.type === 'tool_call' ? event : undefined
    if (open && open.index !== own?.index) {
      waiting.push(event)
      return []
    }
    if (!own) return [event]
    if (!open) {
      // A closed call cannot be continued.
      if (started.has(own.index)) return []
      started.add(own.index)
      open = { index: own.index, progress: new JsonProgress() }
    }
    if (!own.freeform) open.progress.take(own.arguments)
    if (!open.progress.whole) return [event]
    open = undefined
    return [event, ...again()]
  }

  return { take, rest }
}
