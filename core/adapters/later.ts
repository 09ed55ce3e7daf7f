// Turns of the event loop, shared out among callers that can wait.
import type { YieldToEventLoop } from '../ports/later.ts'

/** Callers resumed per turn: enough for progress, few enough not to delay other work noticeably. */
const AT_ONCE = 16

export function createEventLoopYield(): YieldToEventLoop {
  const waiting: (() => void)[] = []

  function turn() {
    for (const go of waiting.splice(0, AT_ONCE)) go()
    if (waiting.length > 0) setImmediate(turn)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(turn)
    })
}
