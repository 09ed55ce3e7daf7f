// A chat answer: passed on where the provider speaks the caller's format, else written anew; in one piece or as a stream, as
// its caller asked, whichever its provider sends.
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { SignatureOwners } from '../../channels/proof-makers.ts'
import { findContentFilterFailure } from '../../dialects/blocked.ts'
import type { Dialect, SpokenDialect } from '../../dialects/dialect.ts'
import type { ModelEvent } from '../../dialects/model-event.ts'
import type { Usage } from '../../dialects/usage.ts'
import { jsonBytes } from '../../dialects/json-bytes.ts'
import type { JsonObject } from '../../dialects/json-value.ts'
import { withModel } from '../../dialects/named-answer.ts'
import { fail } from '../../errors.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { UpstreamReply } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import { collectStream } from './gathered.ts'
import { createPassthroughWatcher } from './own-watcher.ts'
import type { AnswerReader, AnswerFormat } from './reading.ts'
import { wrapProviderDialect } from './reading-dialect.ts'
import { endedAt, readWholeAnswer, withUsageOnFailure, toStream, WholeWatcher } from './reshape.ts'
import { createTranslator } from './translate.ts'

interface Ports {
  clock: Clock
  makers?: Pick<SignatureOwners, 'tagOf' | 'note'>
}

/** How it is read. @throws GatewayError channel.wrong_operation */
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
  /** What was used is paid, also where the answer then cannot be said in the caller's format. */
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
