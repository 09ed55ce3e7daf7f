// Between two dialects: a stream read in the provider's and written in the caller's, event by event.
import type { Dialect, Frame, Glance, ModelEvent, ProviderDialect, RequestHead, Watcher } from '../dialects/dialect.ts'
import { createFrameParser, encodeFrames } from '../dialects/frames.ts'

/** Bytes of text to a token, roughly. */
const BYTES_PER_TOKEN = 4

const encoder = new TextEncoder()

/**
 * Watches a provider's stream of one dialect and gives it on in another. Memory does not grow with the stream. Why an
 * answer finished and its usage are given on at the end: some providers say both in every chunk, and the last one counts.
 */
export function createTranslator(from: ProviderDialect, to: Dialect, head: RequestHead): Watcher {
  const frames = createFrameParser()
  const read = from.reader()
  const write = to.writer(head)
  const finishes = new Map<number, ModelEvent>()
  let usage: ModelEvent | undefined
  let closed = false
  let ended = false
  let said = 0

  function take(event: ModelEvent, glance: Glance): void {
    if (closed) return
    const size = saidBytes(event)
    said += size
    if (size > 0) glance.content = true
    if (event.type === 'failure') {
      glance.failure = event.failure
      closed = true
      return
    }
    if (event.type === 'end') return end(glance)
    if (event.type === 'finish') finishes.set(event.choice, event)
    else if (event.type === 'usage') {
      usage = event
      glance.usage = event.usage
    } else pass(write(event), glance)
  }

  const pass = (written: Frame[], glance: Glance) => written.length > 0 && glance.pass.push(encodeFrames(written))

  function end(glance: Glance): void {
    closed = ended = glance.ended = true
    pass([...finishes.values(), ...(usage ? [usage] : [])].flatMap(write), glance)
    glance.end = encodeFrames(write({ type: 'end' }))
  }

  return {
    look(run) {
      const glance: Glance = { pass: [], content: false, ended: false }
      for (const frame of frames.push(run)) for (const event of read(frame)) take(event, glance)
      return glance
    },
    close() {
      const glance: Glance = { pass: [], content: false, ended: false }
      for (const frame of frames.end()) for (const event of read(frame)) take(event, glance)
      if (!closed && finishes.size > 0) end(glance)
      return glance
    },
    outputEstimate: () => Math.ceil(said / BYTES_PER_TOKEN),
    finished: () => ended || finishes.size > 0,
  }
}

/** Bytes of what an event says to a person; of a tool call its name and arguments, of a picture or sound a token's worth. */
function saidBytes(event: ModelEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return encoder.encode(event.text).length
    case 'tool_call':
      return encoder.encode((event.name ?? '') + event.arguments).length
    case 'image':
    case 'audio':
      return BYTES_PER_TOKEN
    default:
      return 0
  }
}
