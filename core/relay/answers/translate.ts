// Between two dialects: a stream read in the provider's and written in the caller's, event by event.
import type { Frame } from '../../dialects/frame.ts'
import type { StreamFinding, Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import type { Dialect, ProviderDialect } from '../../dialects/dialect.ts'
import { answers } from '../../dialects/answered.ts'
import { findContentFilterFailure } from '../../dialects/blocked.ts'
import { knownUsage } from '../../dialects/passing.ts'
import { createFrameParser, encodeFrames, isWhole } from '../../dialects/frames.ts'
import { PICTURE_BYTES } from '../../dialects/meter.ts'
import { base64Bytes, Heard } from '../../dialects/sound.ts'
import { translateFailureCode } from '../../dialects/too-long.ts'
import { usageInEvents } from './reshape.ts'
import { estimateOutput } from '../said.ts'

/** Bytes of text to a token, roughly. */
const BYTES_PER_TOKEN = 4

const encoder = new TextEncoder()

/**
 * Watches a provider's stream of one dialect and gives it on in another. Memory does not grow with the stream. Why an
 * answer finished and its usage are given on at the end: some providers say both in every chunk, and the last one counts.
 *
 * @param now epoch seconds
 */
export function createTranslator(
  from: ProviderDialect,
  to: Dialect,
  head: RequestHead,
  now: () => number = () => 0,
): Watcher {
  const frames = createFrameParser()
  const read = from.reader()
  const write = to.writer(head)
  const finishes = new Map<number, ModelEvent>()
  let usage: ModelEvent | undefined
  let closed = false
  let ended = false
  /** All is written. */
  let over = false
  let said = 0
  let answered = false
  const sound = new Heard()
  let cut = false
  const choices = new Set<number>()

  function take(event: ModelEvent, glance: StreamFinding): void {
    if (event.type === 'usage') {
      usage = event
      glance.usage = event.usage
    }
    if (closed) return
    answered ||= answers(event)
    const size = saidBytes(event)
    said += size
    if (event.type === 'audio') sound.add(base64Bytes(event.data), event.format)
    if (size > 0) glance.content = true
    if (size > 0 && 'choice' in event) choices.add(event.choice)
    if (event.type === 'failure') {
      glance.failure = translateFailureCode(event.failure)
      closed = true
    } else if (event.type === 'end') closed = ended = glance.ended = true
    else if (event.type === 'finish') {
      finishes.set(event.choice, event)
      glance.blocked = findContentFilterFailure([event]) ?? glance.blocked
    } else if (event.type !== 'usage') {
      const written = write(event)
      if (written.length > 0) glance.pass.push(encodeFrames(written))
    }
  }

  /** Behind the end a provider may say what it likes. */
  function hear(frame: Frame, glance: StreamFinding): void {
    try {
      const events = read(frame)
      for (const event of events) take(event, glance)
      // What was counted at the start of an answer that then says nothing but this is no report of it.
      if (said === 0 && events.some(({ type }) => type === 'failure')) glance.usage = usageInEvents(events)
    } catch (error) {
      if (!closed) throw error
    }
  }

  const watcher: Watcher = {
    look(run) {
      const glance: StreamFinding = { pass: [], content: false, ended: false }
      for (const frame of frames.push(run)) hear(frame, glance)
      return glance
    },
    close() {
      const glance: StreamFinding = { pass: [], content: false, ended: false }
      for (const frame of frames.end().filter(isWhole)) hear(frame, glance)
      if (!closed && finishes.size > 0) closed = ended = true
      if (!ended || over) return glance
      over = glance.ended = true
      const last = [...finishes.values(), ...(usage ? [usage] : [])].flatMap(write)
      if (last.length > 0) glance.pass.push(encodeFrames(last))
      glance.end = encodeFrames(write({ type: 'end', at: now() }))
      return glance
    },
    cut() {
      for (const choice of choices) {
        if (!finishes.has(choice)) finishes.set(choice, { type: 'finish', reason: 'length', choice })
      }
      const counted = { input: head.prompt_estimate, ...estimateOutput(watcher), source: 'estimated' } as const
      usage ??= { type: 'usage', usage: knownUsage(counted) }
      cut = closed = ended = answered = true
      return watcher.close()
    },
    breakOff: (failure) => write({ type: 'failure', failure }),
    outputEstimate: () => Math.ceil(said / BYTES_PER_TOKEN),
    sound: () => sound,
    answered: () => answered,
    finished: () => !cut && (ended || finishes.size > 0),
  }
  return watcher
}

/** Bytes of what an event says to a person; of a tool call its name and arguments, of sound a token's worth. */
function saidBytes(event: ModelEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return encoder.encode(event.text).length
    case 'tool_call':
      return encoder.encode((event.name ?? '') + event.arguments).length
    case 'image':
      return PICTURE_BYTES
    case 'audio':
      return BYTES_PER_TOKEN
    default:
      return 0
  }
}
