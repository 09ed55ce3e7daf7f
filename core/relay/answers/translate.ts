// Translates a stream from the provider's dialect to the caller's, event by event.
import type { ChannelSetting } from '../../channels/channel.ts'
import { hasAnswerContent } from '../../dialects/answers/event-content.ts'
import type { Dialect, ProviderDialect } from '../../dialects/dialect.ts'
import { findContentFilterFailure, translateFailureCode } from '../../dialects/answers/failures.ts'
import { createFrameParser, encodeEventFrames, type SseFrame, isWhole } from '../../dialects/answers/frames.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import type { ModelEvent } from '../../dialects/answers/model-event.ts'
import { openaiChat } from '../../dialects/openai-chat/index.ts'
import { buildKnownUsage } from '../../dialects/passing.ts'
import { findSignature, tagEventSignature } from '../../dialects/reasoning/reasoning-signature.ts'
import type { ToolNames } from '../../dialects/requests/sizes.ts'
import { countBase64Bytes, SoundCounter } from '../../dialects/media/sound.ts'
import type { StreamFinding, PassthroughWatcher } from '../../dialects/answers/stream-watcher.ts'
import { GENERATED_IMAGE_BYTES, getUtf8Length } from '../../dialects/answers/stream-watcher.ts'
import { estimateOutput } from '../measure.ts'
import { findLastUsage } from './read-body.ts'

// Filters reasoning signatures in answers to callers who did not ask for reasoning: a signature is sent only where its
// provider needs it back, which is before a tool call.

type ReasoningEvent = Extract<ModelEvent, { type: 'reasoning' }>

/** The state of one choice. */
interface Thinking {
  /** Signatures whose tool call has not arrived yet. */
  held: ReasoningEvent[]
  /** True if the last event had reasoning text: the next signature belongs to it. */
  hasText: boolean
}

/**
 * Removes the signatures that lead to no tool call: those of texts, and of reasoning without text. Reasoning text stays
 * with its signature, since the caller pays for it.
 */
export function withoutUnaskedProofs(): (event: ModelEvent) => ModelEvent[] {
  const answers = new Map<number, Thinking>()
  return (event) => {
    if (!('choice' in event)) return [event]
    const thinking = answers.get(event.choice) ?? { held: [], hasText: false }
    answers.set(event.choice, thinking)
    if (event.type === 'reasoning') {
      const isProof = event.redacted === true || event.text === ''
      if (isProof && !thinking.hasText) {
        thinking.held.push(event)
        return []
      }
      thinking.hasText = !isProof
      return [event]
    }
    thinking.hasText = false
    if (event.type === 'tool_call') return [...thinking.held.splice(0), event]
    if (event.type !== 'text' || event.signature === undefined) return [event]
    const { signature: _, ...plain } = event
    return plain.text === '' && !plain.logprobs ? [] : [plain]
  }
}

/** Approximate bytes of text per token. */
const BYTES_PER_TOKEN = 4

/**
 * Watches a provider's stream in one dialect and writes it in another, in constant memory. Finish reason and usage are
 * written at the end: some providers send both in every chunk, and the last one counts.
 * | @param now epoch seconds
 */
export function createTranslator(
  from: ProviderDialect,
  to: Dialect,
  head: RequestHead,
  now: () => number = () => 0,
): PassthroughWatcher {
  const frames = createFrameParser()
  const read = from.reader()
  const write = to.writer(head)
  const finishes = new Map<number, ModelEvent>()
  let usage: ModelEvent | undefined
  let closed = false
  let ended = false
  /** True once everything is written. */
  let isWritten = false
  let contentBytes = 0
  let answered = false
  const sound = new SoundCounter()
  let cut = false
  const choices = new Set<number>()
  /** Frames of the run that is being read: they are encoded together. */
  let written: SseFrame[] = []

  function take(event: ModelEvent, glance: StreamFinding): void {
    if (event.type === 'usage') {
      usage = event
      glance.usage = event.usage
    }
    if (closed) return
    answered ||= hasAnswerContent(event)
    const size = countContentBytes(event)
    contentBytes += size
    if (event.type === 'audio') sound.add(countBase64Bytes(event.data), event.format)
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
      written.push(...write(event))
    }
  }

  /** Reads a frame. Invalid data after the end is ignored. */
  function takeFrame(frame: SseFrame, glance: StreamFinding): void {
    try {
      const events = read(frame)
      for (const event of events) take(event, glance)
      // A count in the start event of an answer that only fails is not a usage report.
      if (contentBytes === 0 && events.some(({ type }) => type === 'failure')) glance.usage = findLastUsage(events)
    } catch (error) {
      if (!closed) throw error
    }
  }

  function takeFrames(run: readonly SseFrame[]): StreamFinding {
    const glance: StreamFinding = { pass: [], content: false, ended: false }
    written = []
    for (const frame of run) takeFrame(frame, glance)
    if (written.length > 0) glance.pass.push(encodeEventFrames(written))
    return glance
  }

  const watcher: PassthroughWatcher = {
    look: (run) => takeFrames(frames.push(run)),
    close() {
      const glance = takeFrames(frames.end().filter(isWhole))
      if (!closed && finishes.size > 0) closed = ended = true
      if (!ended || isWritten) return glance
      isWritten = glance.ended = true
      const last = [...finishes.values(), ...(usage ? [usage] : [])].flatMap(write)
      if (last.length > 0) glance.pass.push(encodeEventFrames(last))
      glance.end = encodeEventFrames(write({ type: 'end', at: now() }))
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
    outputEstimate: () => Math.ceil(contentBytes / BYTES_PER_TOKEN),
    sound: () => sound,
    answered: () => answered,
    finished: () => !cut && (ended || finishes.size > 0),
  }
  return watcher
}

/** Returns the size of an event's content in bytes: of a tool call its name and arguments, of audio one token. */
function countContentBytes(event: ModelEvent): number {
  switch (event.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return getUtf8Length(event.text)
    case 'tool_call':
      return getUtf8Length(event.name ?? '') + getUtf8Length(event.arguments)
    case 'image':
      return GENERATED_IMAGE_BYTES
    case 'audio':
      return BYTES_PER_TOKEN
    default:
      return 0
  }
}

// Rewrites a provider's answers as the channel is set: with id and date, under the requested name, reasoning as text or
// with a tag of its account.

type AnswerRewrite = (event: ModelEvent) => ModelEvent[]

/** Values used if the provider does not send them. */
export interface AnswerDefaults {
  /** Unique id of the answer, of letters and digits. */
  id: string
  /** Epoch seconds. */
  now(): number
  /** Maps the tool names that the provider received to the caller's names. */
  tool_names?: ToolNames
}

/** The account that made an answer: rewritten reasoning signatures are tagged with it, others are recorded. */
export interface SignatureOwner {
  tag(): string
  note(proof: string): void
}

/** Returns the dialect for reading a provider's answer; the caller's dialect itself if the bytes may pass unchanged. */
export function wrapProviderDialect(
  providerDialect: ProviderDialect,
  callerDialect: Dialect,
  { force_format, thinking_to_content, requested_model_in_answers }: ChannelSetting,
  head: RequestHead,
  birth: AnswerDefaults,
  maker?: SignatureOwner,
): ProviderDialect {
  // Clients of the other formats have a place for reasoning.
  const showsReasoning = thinking_to_content === true && callerDialect === openaiChat
  if (providerDialect === callerDialect && (callerDialect.opaque || (!force_format && !showsReasoning)))
    return providerDialect
  const id = callerDialect.idPrefix + birth.id
  const now = birth.now()
  const model = requested_model_in_answers ? head.model : undefined
  const mark = (event: ModelEvent): ModelEvent => {
    const proof = findSignature(event)
    if (proof === undefined) return event
    if (providerDialect !== callerDialect && event.type !== 'tool_call')
      return tagEventSignature(event, providerDialect.name, maker?.tag())
    maker?.note(proof)
    return event
  }
  return withChange(providerDialect, () => {
    const name = fillDefaults(id, now, model, birth.tool_names)
    const say = showsReasoning ? writeReasoningAsText() : undefined
    if (say) return (event) => name(event).flatMap(say)
    const prove = providerDialect === callerDialect || head.shows_thoughts ? undefined : withoutUnaskedProofs()
    return (event) => {
      const marked = name(event).map(mark)
      return prove ? marked.flatMap(prove) : marked
    }
  })
}

/**
 * Fills in a missing id and date, and replaces the model name if one is given. Tool calls without ids get ids derived
 * from the answer's, since they must be unique in the whole conversation.
 */
function fillDefaults(id: string, now: number, model: string | undefined, tools?: ToolNames): AnswerRewrite {
  let started = false
  const called = new Set<string>()
  return (event) => {
    if (event.type === 'failure') return [event]
    // Some providers never send a start event, or no id and model.
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

/** Wraps a dialect so that its events are changed, with one change function per answer. */
function withChange(dialect: ProviderDialect, change: () => AnswerRewrite): ProviderDialect {
  return {
    ...dialect,
    reader() {
      const read = dialect.reader()
      const changed = change()
      return (frame) => read(frame).flatMap(changed)
    },
    readWholeReply: (body) => dialect.readWholeReply(body).flatMap(change()),
  }
}

/** Writes reasoning as the beginning of the text, between marks that many clients know (docs/relay.md, 9). */
function writeReasoningAsText(): AnswerRewrite {
  const thinking = new Set<number>()
  /** Number of characters of each choice's own text so far, and the texts inserted between them. */
  const letters = new Map<number, number>()
  const added: { choice: number; at: number; length: number }[] = []

  function insertText(text: string, choice: number): ModelEvent {
    added.push({ choice, at: letters.get(choice) ?? 0, length: text.length })
    return { type: 'text', text, choice }
  }

  /** Shifts a citation's position by the reasoning in the text. */
  function shiftCitation(source: Extract<ModelEvent, { type: 'citation' }>): ModelEvent {
    if (!source.at) return source
    const before = (letter: number) =>
      added.reduce((sum, { choice, at, length }) => (choice === source.choice && at < letter ? sum + length : sum), 0)
    const { start, end } = source.at
    return { ...source, at: { start: start + before(start + 1), end: end + before(end) } }
  }

  return (event) => {
    if (event.type === 'citation') return [shiftCitation(event)]
    if (event.type === 'reasoning') {
      if (event.text === '' || event.redacted) return []
      const { choice } = event
      const text = thinking.has(choice) ? event.text : `<think>\n${event.text}`
      thinking.add(choice)
      return [insertText(text, choice)]
    }
    if (!('choice' in event)) return [event]
    const { choice } = event
    const closing = thinking.delete(choice) ? [insertText('\n</think>\n', choice)] : []
    if (event.type === 'text') letters.set(choice, (letters.get(choice) ?? 0) + event.text.length)
    return [...closing, event]
  }
}
