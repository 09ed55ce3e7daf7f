// Reads a provider's successful answer into the caller's format: whole, or up to its first content.
import type { SignatureOwnerMemory } from '../../channels/affinity.ts'
import { findContentFilterFailure, translateFailureCode } from '../../dialects/answers/failures.ts'
import type { StreamFinding, PassthroughWatcher } from '../../dialects/answers/stream-watcher.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { Dialect, TranslatedFormat, PassthroughDialect, UpstreamDialect } from '../../dialects/dialect.ts'
import { findTranslation } from '../../dialects/dialect.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import { toJsonBytes } from '../../dialects/json/json-bytes.ts'
import { refuseCostlyAnswer } from '../../dialects/json/json-cost.ts'
import type { JsonObject } from '../../dialects/json/json-value.ts'
import type { ModelEvent } from '../../dialects/answers/model-event.ts'
import { createChangingWatcher, createRenamingWatcher, renameAnswerModel } from '../../dialects/answers/named-answer.ts'
import { readSomeMembers } from '../../dialects/passing.ts'
import { SoundCounter } from '../../dialects/media/sound.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import { fail } from '../../errors.ts'
import { type Clock, seconds } from '../../ports/clock.ts'
import type { UpstreamReply } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import { countAudioTokens } from '../measure.ts'
import type {
  AnswerFormat,
  AnswerReader,
  BodyWithTrailers,
  ReadUsageTrailer,
  StreamedAnswer,
  WholeAnswer,
} from './answer.ts'
import { readUsageTrailer } from './answer.ts'
import {
  collectStream,
  setEndTime,
  MAX_WHOLE_BYTES,
  readFirstContent,
  readWholeAnswer,
  readWholeBody,
  writeAnswerStream,
  WholeWatcher,
  withUsageOnFailure,
} from './read-body.ts'
import { detectReplyType } from './reply-type.ts'
import { createTranslator, type SignatureOwner, wrapProviderDialect } from './translate.ts'

const JSON_TYPE = 'application/json'

interface ReadAnswerPorts {
  clock: Clock
  makers?: Pick<SignatureOwnerMemory, 'tagOf' | 'note'>
}

/**
 * @throws AttemptError if the answer contains an error, breaks off before its first content, or cannot be translated
 */
export async function readProviderAnswer(
  answered: UpstreamReply,
  providerDialect: UpstreamDialect,
  reader: AnswerReader,
  channel: RoutedChannel,
  ports: ReadAnswerPorts,
): Promise<WholeAnswer | StreamedAnswer> {
  const reply = await detectReplyType(answered, reader.dialect)
  const reading =
    reader.dialect.operation === 'chat'
      ? readChatAnswer(reply, providerDialect, reader.dialect, reader, channel, ports)
      : readNonChatAnswer(reply, providerDialect, reader.dialect, reader.head, channel)
  const report = (body: BodyWithTrailers) => readUsageTrailer(body, providerDialect)
  const behind: ReadUsageTrailer = (body) => {
    const reported = report(body)
    return reported && reading.parseReportUsage(reported)
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
    if (providerDialect === reader.dialect || !(error instanceof AttemptError)) throw error
    throw new AttemptError(translateFailureCode(error.failure), error, error.usage)
  }
}

// Chat answers: forwarded if the provider uses the client's format, else translated. Whole or streamed as requested,
// independent of the provider.

/**
 * Chooses how a chat answer is read.
 * @throws GatewayError channel.wrong_operation
 */
export function readChatAnswer(
  { headers }: UpstreamReply,
  providerDialect: UpstreamDialect,
  callerDialect: Dialect,
  { head, id, bounded, tool_names }: AnswerReader,
  channel: RoutedChannel,
  { clock, makers }: ReadAnswerPorts,
): AnswerFormat {
  if (providerDialect.operation !== 'chat') return fail('channel.wrong_operation')
  const shown = channel.settings.requested_model_in_answers ? head.model : undefined
  const isTidied = channel.settings.tidy_answers === true
  const maker = makers && { tag: () => makers.tagOf(channel), note: (proof: string) => makers.note(proof, channel) }
  const isTranslated = (bounded && head.stream) || tool_names !== undefined
  const shape = isTranslated ? { ...channel.settings, force_format: true } : channel.settings
  const answerDialect = wrapProviderDialect(
    providerDialect,
    callerDialect,
    shape,
    head,
    { id, now: () => seconds(clock), tool_names },
    maker,
  )
  const parseReportUsage = (report: JsonObject) => providerDialect.readAnswerReport(toJsonBytes(report)).usage
  /**
   * Builds the answer from its events. The usage is charged even if the answer cannot be written in the caller's
   * format.
   */
  const buildAnswer = (usage: Usage | undefined, events: () => ModelEvent[], body?: Uint8Array) =>
    withUsageOnFailure(usage, () => {
      const answerEvents = setEndTime(events(), seconds(clock))
      const blocked = findContentFilterFailure(answerEvents)
      if (body && head.stream)
        return writeAnswerStream(answerEvents, callerDialect, head, {
          watcher: new WholeWatcher(answerDialect, body),
          usage,
          blocked,
        })
      return { kind: 'whole' as const, body: callerDialect.writeWholeReply(answerEvents, head), usage, blocked }
    })
  if ((headers['content-type'] ?? '').startsWith('text/event-stream')) {
    if (!head.stream) {
      return {
        parseReportUsage,
        gather: (body, behind) =>
          collectStream(body, answerDialect, clock, behind).then(({ usage, events }) =>
            buildAnswer(usage, () => events),
          ),
      }
    }
    const watcher =
      answerDialect === callerDialect
        ? createPassthroughWatcher(callerDialect, head, shown, maker, isTidied)
        : createTranslator(answerDialect, callerDialect, head, () => seconds(clock))
    return { parseReportUsage, watcher }
  }
  return {
    parseReportUsage,
    whole(body, report) {
      const {
        failure,
        usage: within,
        isEmpty,
        blocked,
        proof,
        compaction,
        objects,
      } = answerDialect.readAnswerReport(body)
      const usage = (report && parseReportUsage(report)) ?? within
      if (failure) throw new AttemptError(failure, undefined, usage)
      if (withUsageOnFailure(usage, () => isEmpty?.())) fail('upstream.empty')
      if (proof !== undefined && answerDialect === callerDialect) maker?.note(proof)
      if (compaction !== undefined && answerDialect === callerDialect) maker?.note(compaction)
      if (answerDialect !== callerDialect || head.stream)
        return buildAnswer(usage, () => readWholeAnswer(body, answerDialect), body)
      const tidied = isTidied && callerDialect.tidy ? callerDialect.tidy.reply(body) : body
      const passed = shown === undefined ? tidied : renameAnswerModel(tidied, shown, callerDialect.modelKeys)
      return { kind: 'whole', body: passed, usage, blocked, objects }
    },
  }
}

// Answers of other operations: whole, an event stream, or bytes that are forwarded as they arrive (audio).

/** Chooses how an answer of another operation is read. */
export function readNonChatAnswer(
  { headers }: UpstreamReply,
  providerDialect: UpstreamDialect,
  callerDialect: PassthroughDialect,
  head: RequestHead,
  channel: RoutedChannel,
): AnswerFormat {
  const answerDialect = providerDialect.operation === 'chat' ? callerDialect : providerDialect
  const content_type = headers['content-type'] ?? JSON_TYPE
  const parseReportUsage = (report: JsonObject) => answerDialect.usageOf(report, head)
  const isJson = content_type.includes('json')
  const isStream = content_type.startsWith('text/event-stream')
  const isSound = !isStream && !isJson && answerDialect.plain === 'bytes'
  if ((isStream || isSound) && providerDialect !== callerDialect) fail('channel.wrong_operation')
  if (isStream) return { parseReportUsage, watcher: answerDialect.watcher(head) }
  if (isSound) {
    const usage = answerDialect.usageOf({}, head)
    return { parseReportUsage, watcher: createSoundWatcher(usage, content_type), known: { usage, content_type } }
  }
  const shown = channel.settings.requested_model_in_answers ? head.model : undefined
  const other = findTranslation(callerDialect, providerDialect)
  return {
    parseReportUsage,
    whole(body, report) {
      const disguised = answerDialect.plain === 'text' && !isJson ? undefined : answerDialect.readDisguisedError(body)
      if (disguised) throw new AttemptError(disguised)
      // Only the usage is parsed, since the rest of the answer may be large.
      const usage = answerDialect.usageOf({ ...readSomeMembers(body, answerDialect.usageKeys), ...report }, head)
      const fit = answerDialect.fitAnswer?.(body, head) ?? body
      const read =
        providerDialect === callerDialect
          ? withRequestedModel(fit, callerDialect, shown)
          : translateBack(body, usage, callerDialect, other, head)
      const type = providerDialect === callerDialect ? content_type : (other?.contentType?.(head) ?? JSON_TYPE)
      return { kind: 'whole', body: read, usage, content_type: type }
    },
  }
}

/** Writes the model name that the caller should read, if it differs. */
const withRequestedModel = (
  body: Uint8Array,
  { modelKeys }: PassthroughDialect,
  model: string | undefined,
): Uint8Array => (model === undefined ? body : renameAnswerModel(body, model, modelKeys))

/** Translates an answer back into the format of the request. */
function translateBack(
  body: Uint8Array,
  usage: Usage,
  { fitAnswer }: PassthroughDialect,
  other: TranslatedFormat | undefined,
  head: RequestHead,
): Uint8Array {
  if (!other) return fail('channel.wrong_operation')
  const read = withUsageOnFailure(usage, () => other.read(body, head))
  return fitAnswer?.(read, head) ?? read
}

/**
 * Treats all bytes as content; the answer ends where they stop. Audio reports no usage: unless it is priced by the
 * characters of the text, its tokens are computed from its length (docs/billing.md, 12.4).
 */
function createSoundWatcher(usage: Usage, content_type: string): PassthroughWatcher {
  const sound = new SoundCounter()
  let finished = false
  return {
    look(bytes) {
      if (usage.characters === undefined) sound.add(bytes.length, content_type)
      return { pass: [bytes], content: true, ended: false }
    },
    close() {
      finished = true
      const soundTokens = countAudioTokens(sound)
      const more = soundTokens > 0 ? { usage: { ...usage, output: soundTokens, audio_out: soundTokens } } : {}
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
): PassthroughWatcher {
  const watcher = dialect.watcher(head)
  const proving = maker && dialect.proves ? createSigningWatcher(watcher, maker) : watcher
  const tidied = isTidied && dialect.tidy ? createTidyingWatcher(proving, dialect.tidy.stream()) : proving
  return model === undefined ? tidied : createRenamingWatcher(tidied, model, dialect.modelKeys)
}

const createTidyingWatcher = (watcher: PassthroughWatcher, tidy: (data: string) => string): PassthroughWatcher =>
  createChangingWatcher(watcher, (frame) => [{ ...frame, data: tidy(frame.data) }])

/** Records the owner of each reasoning signature that passes. */
function createSigningWatcher(watcher: PassthroughWatcher, maker: SignatureOwner): PassthroughWatcher {
  const recordSignatures = (glance: StreamFinding): StreamFinding => {
    if (glance.proof !== undefined) maker.note(glance.proof)
    if (glance.compaction !== undefined) maker.note(glance.compaction)
    return glance
  }
  return {
    look: (run) => recordSignatures(watcher.look(run)),
    close: () => recordSignatures(watcher.close()),
    breakOff: (failure) => watcher.breakOff?.(failure),
    outputEstimate: () => watcher.outputEstimate(),
    sound: () => watcher.sound(),
    answered: () => watcher.answered(),
    finished: () => watcher.finished(),
  }
}
