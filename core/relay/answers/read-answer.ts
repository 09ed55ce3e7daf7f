// Reads what a provider says that does not refuse, into the caller's format: whole, or up to its first content.
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import type { SignatureOwners } from '../../channels/proof-makers.ts'
import type { SpokenDialect } from '../../dialects/dialect.ts'
import { refuseCostlyAnswer } from '../../dialects/json-cost.ts'
import { translateFailureCode } from '../../dialects/too-long.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UpstreamReply } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import type { StreamAnswer, WholeAnswer } from './answer.ts'
import { readNonChatAnswer } from './beside-chat.ts'
import { readChatAnswer } from './chat-answer.ts'
import type { ReadUsageTrailer, AnswerReader } from './reading.ts'
import { readFirstContent, MAX_WHOLE_BYTES, readWholeBody } from './reply-bytes.ts'
import { toldByBeginning } from './told-by-beginning.ts'
import { readUsageTrailer, type BodyWithTrailers } from './trailers.ts'

interface Ports {
  clock: Clock
  makers?: Pick<SignatureOwners, 'tagOf' | 'note'>
}

/** @throws AttemptError where it is an error all the same, breaks off before its first content, or cannot be said anew */
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
