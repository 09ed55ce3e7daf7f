// An answer beside chat: whole, a stream of events, or bytes that pass as they come (sound).
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { Usage } from '../../dialects/usage.ts'
import type { Watcher } from '../../dialects/glance.ts'
import type { PassingDialect, SpokenDialect } from '../../dialects/dialect.ts'
import type { JsonObject } from '../../dialects/json-value.ts'
import { withModel } from '../../dialects/named-answer.ts'
import { someMembers } from '../../dialects/passing.ts'
import { Heard } from '../../dialects/sound.ts'
import { fail } from '../../errors.ts'
import type { UpstreamReply } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import { countAudioTokens } from '../said.ts'
import type { AnswerFormat } from './reading.ts'
import { withUsageOnFailure } from './reshape.ts'

/** How it is read. */
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
      // The rest of the answer may be large.
      const usage = spoken.usageOf({ ...someMembers(body, spoken.usageKeys), ...report }, head)
      const fit = spoken.fitAnswer?.(body, head) ?? body
      const read = theirs === ours ? named(fit, ours, shown) : readBack(body, usage, ours)
      return { kind: 'whole', body: read, usage, content_type }
    },
  }
}

/** With the name that the caller is to read, if it is another. */
const named = (body: Uint8Array, { modelKeys }: PassingDialect, model: string | undefined): Uint8Array =>
  model === undefined ? body : withModel(body, model, modelKeys)

/** An answer of the other format in which it was asked for. */
const readBack = (body: Uint8Array, usage: Usage, { as }: PassingDialect): Uint8Array =>
  as ? withUsageOnFailure(usage, () => as.read(body)) : fail('channel.wrong_operation')

/**
 * All of it is content, and where it stops is its end. Sound reports nothing: where it is not sold by the text's
 * characters, its tokens are told from its length (docs/billing.md, 12.4).
 */
function soundWatcher(usage: Usage, content_type: string): Watcher {
  const sound = new Heard()
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
