// Between two dialects: a stream read in the provider's and written in the caller's, event by event.
import type { ChannelSetting } from '../../channels/channel.ts'
import { hasAnswerContent } from '../../dialects/answered.ts'
import { findContentFilterFailure } from '../../dialects/blocked.ts'
import type { Dialect, ProviderDialect } from '../../dialects/dialect.ts'
import type { Frame } from '../../dialects/frame.ts'
import { createFrameParser, encodeFrames, isWhole } from '../../dialects/frames.ts'
import type { StreamFinding, Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import { PICTURE_BYTES } from '../../dialects/meter.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import { openaiChat } from '../../dialects/openai-chat/index.ts'
import { buildKnownUsage } from '../../dialects/passing.ts'
import { findSignature, tagEventSignature } from '../../dialects/proof.ts'
import type { ToolNames } from '../../dialects/sizes.ts'
import { base64Bytes, SoundCounter } from '../../dialects/sound.ts'
import { translateFailureCode } from '../../dialects/too-long.ts'
import { estimateOutput } from '../measure.ts'
import { usageInEvents } from './read-body.ts'
import { withoutUnaskedProofs } from './unasked-thoughts.ts'

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
  const sound = new SoundCounter()
  let cut = false
  const choices = new Set<number>()

  function take(event: ModelEvent, glance: StreamFinding): void {
    if (event.type === 'usage') {
      usage = event
      glance.usage = event.usage
    }
    if (closed) return
    answered ||= hasAnswerContent(event)
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
      usage ??= { type: 'usage', usage: buildKnownUsage(counted) }
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

// A provider's answers as its channel wants them heard: with an id and a date, under the name that was asked for,
// thoughts as text or with a mark of whose they are.

type Change = (event: ModelEvent) => ModelEvent[]

/** What stands in for what a provider does not say of its answer. */
export interface AnswerDefaults {
  /** No other answer has it; letters and digits alone. */
  id: string
  /** Epoch seconds. */
  now(): number
  /** The caller's own names of tools, where the provider was given others. */
  tool_names?: ToolNames
}

/** Whose account an answer is of: proofs that are written anew are marked with it, others are remembered. */
export interface SignatureOwner {
  tag(): string
  note(proof: string): void
}

/** The dialect to read a provider's answer in: the caller's own, the very same, where its bytes may pass as they are. */
export function wrapProviderDialect(
  theirs: ProviderDialect,
  ours: Dialect,
  { force_format, thinking_to_content, requested_model_in_answers }: ChannelSetting,
  head: RequestHead,
  birth: AnswerDefaults,
  maker?: SignatureOwner,
): ProviderDialect {
  // Only this format's clients may know no place for thoughts; the others have one of their own.
  const aloud = thinking_to_content === true && ours === openaiChat
  if (theirs === ours && (ours.opaque || (!force_format && !aloud))) return theirs
  const id = ours.idPrefix + birth.id
  const now = birth.now()
  const model = requested_model_in_answers ? head.model : undefined
  const mark = (event: ModelEvent): ModelEvent => {
    const proof = findSignature(event)
    if (proof === undefined) return event
    if (theirs !== ours && event.type !== 'tool_call') return tagEventSignature(event, theirs.name, maker?.tag())
    maker?.note(proof)
    return event
  }
  return reading(theirs, () => {
    const name = named(id, now, model, birth.tool_names)
    const say = aloud ? thoughtsAloud() : undefined
    if (say) return (event) => name(event).flatMap(say)
    const prove = theirs === ours || head.shows_thoughts ? undefined : withoutUnaskedProofs()
    return (event) => {
      const marked = name(event).map(mark)
      return prove ? marked.flatMap(prove) : marked
    }
  })
}

/**
 * Answers that tell no id or date get one, and the name of their model is replaced where one is given. Calls without ids
 * get theirs of the answer's: they have to differ over a whole conversation.
 */
function named(id: string, now: number, model: string | undefined, tools?: ToolNames): Change {
  let started = false
  const called = new Set<string>()
  return (event) => {
    if (event.type === 'failure') return [event]
    // Some providers never say that an answer starts, or who they are.
    const start = event.type === 'start' ? event : { type: 'start' as const, id: '', model: '', created: 0 }
    const opening: ModelEvent[] = started
      ? []
      : [{ ...start, id: start.id || id, created: start.created || now, model: model ?? start.model }]
    started = true
    if (event.type === 'start') return opening
    if (event.type !== 'tool_call') return [...opening, event]
    const call = event.choice > 0 ? `${event.choice}_${event.index}` : String(event.index)
    const known = called.has(call)
    called.add(call)
    const own = tools && event.name !== undefined ? { ...event, name: tools.get(event.name) ?? event.name } : event
    if (known || event.id) return [...opening, own]
    return [...opening, { ...own, id: `call_${id}_${call}` }]
  }
}

/** The same format, with what it says changed; one change for each answer. */
function reading(dialect: ProviderDialect, change: () => Change): ProviderDialect {
  return {
    ...dialect,
    reader() {
      const read = dialect.reader()
      const changed = change()
      return (frame) => read(frame).flatMap(changed)
    },
    readReply: (body) => dialect.readReply(body).flatMap(change()),
  }
}

/** Thoughts become the beginning of the text, between marks that many clients know (docs/relay.md, 9). */
function thoughtsAloud(): Change {
  const thinking = new Set<number>()
  /** Letters of each answer's own text so far, and what was put between them. */
  const letters = new Map<number, number>()
  const added: { choice: number; at: number; length: number }[] = []

  function aloud(text: string, choice: number): ModelEvent {
    added.push({ choice, at: letters.get(choice) ?? 0, length: text.length })
    return { type: 'text', text, choice }
  }

  /** A source's place in the text with the thoughts in it. */
  function moved(source: Extract<ModelEvent, { type: 'citation' }>): ModelEvent {
    if (!source.at) return source
    const before = (letter: number) =>
      added.reduce((sum, { choice, at, length }) => (choice === source.choice && at < letter ? sum + length : sum), 0)
    const { start, end } = source.at
    return { ...source, at: { start: start + before(start + 1), end: end + before(end) } }
  }

  return (event) => {
    if (event.type === 'citation') return [moved(event)]
    if (event.type === 'reasoning') {
      if (event.text === '' || event.redacted) return []
      const { choice } = event
      const text = thinking.has(choice) ? event.text : `<think>\n${event.text}`
      thinking.add(choice)
      return [aloud(text, choice)]
    }
    if (!('choice' in event)) return [event]
    const { choice } = event
    const closing = thinking.delete(choice) ? [aloud('\n</think>\n', choice)] : []
    if (event.type === 'text') letters.set(choice, (letters.get(choice) ?? 0) + event.text.length)
    return [...closing, event]
  }
}
