// Reads a provider's successful answer into the caller's format: whole, or up to its first content.
import type { SignatureOwners } from '../../channels/proof-makers.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import { findContentFilterFailure } from '../../dialects/blocked.ts'
import type { Dialect, PassingDialect, SpokenDialect } from '../../dialects/dialect.ts'
import type { StreamFinding, Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import { jsonBytes } from '../../dialects/json-bytes.ts'
import { refuseCostlyAnswer } from '../../dialects/json-cost.ts'
import type { JsonObject } from '../../dialects/json-value.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import { changingWatcher, namingWatcher, withModel } from '../../dialects/named-answer.ts'
import { readSomeMembers } from '../../dialects/passing.ts'
import { SoundCounter } from '../../dialects/sound.ts'
import { translateFailureCode } from '../../dialects/too-long.ts'
import type { Usage } from '../../dialects/usage.ts'
import { fail } from '../../errors.ts'
import { type Clock, seconds } from '../../ports/clock.ts'
import type { UpstreamReply } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import { countAudioTokens } from '../measure.ts'
import type { AnswerFormat, AnswerReader, ReadUsageTrailer, StreamAnswer, WholeAnswer } from './answer.ts'
import {
  collectStream,
  endedAt,
  MAX_WHOLE_BYTES,
  readFirstContent,
  readWholeAnswer,
  readWholeBody,
  toStream,
  WholeWatcher,
  withUsageOnFailure,
} from './read-body.ts'
import { toldByBeginning } from './told-by-beginning.ts'
import { type BodyWithTrailers, readUsageTrailer } from './trailing-usage.ts'
import { createTranslator, type SignatureOwner, wrapProviderDialect } from './translate.ts'

interface Ports {
  clock: Clock
  makers?: Pick<SignatureOwners, 'tagOf' | 'note'>
}

/**
 * @throws AttemptError if the answer contains an error, breaks off before its first content, or cannot be translated
 */
export async function readProviderAnswer(
  answered: UpstreamReply,
  theirs: SpokenDialect,
  reader: AnswerReader,
  channel: RoutedChannel,
  ports: Ports,
): Promise<WholeAnswer | StreamAnswer> {
  const reply = await toldByBeginning(answered, reader.dialect)
  const reading =
    reader.dialect.operation === 'chat'
      ? readChatAnswer(reply, theirs, reader.dialect, reader, channel, ports)
      : readNonChatAnswer(reply, theirs, reader.dialect, reader.head, channel)
  const report = (body: BodyWithTrailers) => readUsageTrailer(body, theirs)
  const behind: ReadUsageTrailer = (body) => {
    const said = report(body)
    return said && reading.usageIn(said)
  }
  try {
    if (reading.watcher) {
      const answer = await readFirstContent(reply.body, reading.watcher, ports.clock, behind)
      return reading.known ? { ...answer, ...reading.known } : answer
    }
    if (reading.gather) return await reading.gather(reply.body, behind)
    const body = await readWholeBody(reply.body, MAX_WHOLE_BYTES)
    if (reply.headers['content-type']?.includes('json')) refuseCostlyAnswer(body)
    return reading.whole?.(body, report(reply.body)) ?? fail('channel.wrong_operation')
  } catch (error) {
    if (theirs === reader.dialect || !(error instanceof AttemptError)) throw error
    throw new AttemptError(translateFailureCode(error.failure), error, error.usage)
  }
}

// Chat answers: forwarded if the provider speaks the caller's format, else translated. Whole or streamed as the caller
// asked, independent of the provider.

/**
 * Chooses how a chat answer is read.
 * @throws GatewayError channel.wrong_operation
 */
export function readChatAnswer(
  { headers }: UpstreamReply,
  theirs: SpokenDialect,
  ours: Dialect,
  { head, id, bounded, tool_names }: AnswerReader,
  channel: RoutedChannel,
  { clock, makers }: Ports,
): AnswerFormat {
  if (theirs.operation !== 'chat') return fail('channel.wrong_operation')
  const shown = channel.settings.requested_model_in_answers ? head.model : undefined
  const isTidied = channel.settings.tidy_answers === true
  const maker = makers && { tag: () => makers.tagOf(channel), note: (proof: string) => makers.note(proof, channel) }
  const anew = (bounded && head.stream) || tool_names !== undefined
  const shape = anew ? { ...channel.settings, force_format: true } : channel.settings
  const spoken = wrapProviderDialect(theirs, ours, shape, head, { id, now: () => seconds(clock), tool_names }, maker)
  const usageIn = (report: JsonObject) => theirs.readWhole(jsonBytes(report)).usage
  /**
   * Builds the answer from its events. The usage is charged even if the answer cannot be written in the caller's
   * format.
   */
  const told = (usage: Usage | undefined, events: () => ModelEvent[], body?: Uint8Array) =>
    withUsageOnFailure(usage, () => {
      const said = endedAt(events(), seconds(clock))
      const blocked = findContentFilterFailure(said)
      if (body && head.stream)
        return toStream(said, ours, head, { watcher: new WholeWatcher(spoken, body), usage, blocked })
      return { kind: 'whole' as const, body: ours.writeReply(said, head), usage, blocked }
    })
  if ((headers['content-type'] ?? '').startsWith('text/event-stream')) {
    if (!head.stream) {
      return {
        usageIn,
        gather: (body, behind) =>
          collectStream(body, spoken, clock, behind).then(({ usage, events }) => told(usage, () => events)),
      }
    }
    const watcher =
      spoken === ours
        ? createPassthroughWatcher(ours, head, shown, maker, isTidied)
        : createTranslator(spoken, ours, head, () => seconds(clock))
    return { usageIn, watcher }
  }
  return {
    usageIn,
    whole(body, report) {
      const { failure, usage: within, isEmpty, blocked, proof, compaction, objects } = spoken.readWhole(body)
      const usage = (report && usageIn(report)) ?? within
      if (failure) throw new AttemptError(failure, undefined, usage)
      if (withUsageOnFailure(usage, () => isEmpty?.())) fail('upstream.empty')
      if (proof !== undefined && spoken === ours) maker?.note(proof)
      if (compaction !== undefined && spoken === ours) maker?.note(compaction)
      if (spoken !== ours || head.stream) return told(usage, () => readWholeAnswer(body, spoken), body)
      const tidied = isTidied && ours.tidy ? ours.tidy.reply(body) : body
      const passed = shown === undefined ? tidied : withModel(tidied, shown, ours.modelKeys)
      return { kind: 'whole', body: passed, usage, blocked, objects }
    },
  }
}

// Answers of other operations: whole, an event stream, or bytes that are forwarded as they arrive (audio).

/** Chooses how an answer of another operation is read. */
export function readNonChatAnswer(
  { headers }: UpstreamReply,
  theirs: SpokenDialect,
  ours: PassingDialect,
  head: RequestHead,
  channel: RoutedChannel,
): AnswerFormat {
  const spoken = theirs.operation === 'chat' ? ours : theirs
  const content_type = headers['content-type'] ?? 'application/json'
  const usageIn = (report: JsonObject) => spoken.usageOf(report, head)
  const isJson = content_type.includes('json')
  const isStream = content_type.startsWith('text/event-stream')
  const isSound = !isStream && !isJson && spoken.plain === 'bytes'
  if ((isStream || isSound) && theirs !== ours) fail('channel.wrong_operation')
  if (isStream) return { usageIn, watcher: spoken.watcher(head) }
  if (isSound) {
    const usage = spoken.usageOf({}, head)
    return { usageIn, watcher: soundWatcher(usage, content_type), known: { usage, content_type } }
  }
  const shown = channel.settings.requested_model_in_answers ? head.model : undefined
  return {
    usageIn,
    whole(body, report) {
      const disguised = spoken.plain === 'text' && !isJson ? undefined : spoken.readDisguisedError(body)
      if (disguised) throw new AttemptError(disguised)
      // Only the usage is parsed, since the rest of the answer may be large.
      const usage = spoken.usageOf({ ...readSomeMembers(body, spoken.usageKeys), ...report }, head)
      const fit = spoken.fitAnswer?.(body, head) ?? body
      const read = theirs === ours ? named(fit, ours, shown) : readBack(body, usage, ours)
      return { kind: 'whole', body: read, usage, content_type }
    },
  }
}

/** Writes the model name that the caller should read, if it differs. */
const named = (body: Uint8Array, { modelKeys }: PassingDialect, model: string | undefined): Uint8Array =>
  model === undefined ? body : withModel(body, model, modelKeys)

/** Translates an answer back into the format of the request. */
const readBack = (body: Uint8Array, usage: Usage, { as }: PassingDialect): Uint8Array =>
  as ? withUsageOnFailure(usage, () => as.read(body)) : fail('channel.wrong_operation')

/**
 * Treats all bytes as content; the answer ends where they stop. Audio reports no usage: unless it is priced by the
 * characters of the text, its tokens are computed from its length (docs/billing.md, 12.4).
 */
function soundWatcher(usage: Usage, content_type: string): Watcher {
  const sound = new SoundCounter()
  let finished = false
  return {
    look(bytes) {
      if (usage.characters === undefined) sound.add(bytes.length, content_type)
      return { pass: [bytes], content: true, ended: false }
    },
    close() {
      finished = true
      const heard = countAudioTokens(sound)
      const more = heard > 0 ? { usage: { ...usage, output: heard, audio_out: heard } } : {}
      return { pass: [], content: false, ended: true, ...more }
    },
    outputEstimate: () => 0,
    sound: () => sound,
    answered: () => true,
    finished: () => finished,
  }
}

// Observers of answers that are forwarded in the caller's format: they record reasoning signatures and, if the channel
// is set so, write the requested model name.

/**
 * @param model the name that the caller should read, if it differs from the provider's
 * @param isTidied true to repair what strict clients reject
 */
export function createPassthroughWatcher(
  dialect: Dialect,
  head: RequestHead,
  model: string | undefined,
  maker: SignatureOwner | undefined,
  isTidied = false,
): Watcher {
  const watcher = dialect.watcher(head)
  const proving = maker && dialect.proves ? provingWatcher(watcher, maker) : watcher
  const tidied = isTidied && dialect.tidy ? tidyingWatcher(proving, dialect.tidy.stream()) : proving
  return model === undefined ? tidied : namingWatcher(tidied, model, dialect.modelKeys)
}

const tidyingWatcher = (watcher: Watcher, tidy: (data: string) => string): Watcher =>
  changingWatcher(watcher, (frame) => [{ ...frame, data: tidy(frame.data) }])

/** Records the owner of each reasoning signature that passes. */
function provingWatcher(watcher: Watcher, maker: SignatureOwner): Watcher {
  const noted = (glance: StreamFinding): StreamFinding => {
    if (glance.proof !== undefined) maker.note(glance.proof)
    if (glance.compaction !== undefined) maker.note(glance.compaction)
    return glance
  }
  return {
    look: (run) => noted(watcher.look(run)),
    close: () => noted(watcher.close()),
    breakOff: (failure) => watcher.breakOff?.(failure),
    outputEstimate: () => watcher.outputEstimate(),
    sound: () => watcher.sound(),
    answered: () => watcher.answered(),
    finished: () => watcher.finished(),
  }
}
