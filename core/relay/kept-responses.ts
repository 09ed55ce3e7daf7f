// Answers that their provider keeps, so that a later call can go on with them: it goes to the same channel and key, and
// for nobody but the one who was answered.
import type { RoutedChannel } from '../channels/channel-index.ts'
import type { KeptResponseStore } from '../channels/kept-response-store.ts'
import { tiersOf } from '../channels/routing.ts'
import type { RequestHead } from '../dialects/dialect.ts'
import type { AnyDialect } from '../dialects/format.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Secrets } from '../ports/secrets.ts'
import { providerOf } from '../providers/index.ts'
import type { Admission } from './admission.ts'
import type { Answer } from './attempt.ts'
import type { Call, Outcome } from './call.ts'

/** Providers keep answers for thirty days. */
export const KEPT_SECONDS: number = 30 * 24 * 3600

export interface KeptResponses {
  /**
   * The admission of a call that goes on with an earlier answer: of its candidates, the one channel and key that can.
   * @throws GatewayError response.unknown, response.away
   */
  placed(call: Call, head: RequestHead, admission: Admission): Promise<Admission>
  /** Notes where an answer is kept; resolves once it can be gone on with. */
  keep(call: Call, head: RequestHead, answer: Answer, outcome: Outcome): Promise<void>
}

interface Ports {
  storage: { keptResponses: KeptResponseStore }
  secrets: Pick<Secrets, 'hash'>
  clock: Clock
  logger: Logger
}

export function createKeptResponses({ storage: { keptResponses }, secrets, clock, logger }: Ports): KeptResponses {
  return {
    async placed({ caller, inbound }, head, admission) {
      const id = head.continues
      if (id === undefined) return admission
      const kept = await keptResponses.find(secrets.hash(id))
      if (kept && kept.user_id !== caller.user.id) fail('response.unknown', { id })
      const channels = admission.candidates.flatMap((tier) => tier.channels)
      const able = kept
        ? channels.filter((channel) => channel.id === kept.channel_id)
        : channels.filter(speaks(inbound))
      const keys = able.flatMap(({ keys: all }) =>
        all.filter(({ on, fingerprint }) => on && fingerprint === (kept?.key ?? fingerprint)),
      )
      const [only] = keys
      const channel = able.find((each) => only && each.keys.includes(only))
      if (only && channel && keys.length === 1) return alone(admission, { ...channel, keys: [only] })
      if (kept) fail('response.away')
      // Nobody who speaks the format: then the attempts say what cannot be done.
      if (able.length === 0) return admission
      return fail('response.unknown', { id })
    },
    async keep({ caller, inbound }, head, answer, outcome) {
      const id = head.keeps && answer.same ? idOf(inbound, answer) : undefined
      if (id === undefined) return
      const { channel_id, key = '' } = outcome
      const kept = { id_hash: secrets.hash(id), user_id: caller.user.id, channel_id, key, created_at: seconds(clock) }
      // The answer itself is worth more than going on with it: that is then refused.
      await keptResponses.keep(kept).catch((error: unknown) => {
        logger.warn('where a response is kept could not be noted', { channel_id, error: String(error) })
      })
    },
  }
}

/** One channel, and no other after it. */
const alone = (admission: Admission, channel: RoutedChannel): Admission => ({
  ...admission,
  candidates: tiersOf([channel]),
  pinned: true,
})

const speaks =
  (dialect: AnyDialect) =>
  ({ type }: RoutedChannel): boolean =>
    providerOf(type)?.[dialect.operation]?.some((door) => door.dialect === dialect) ?? false

/** A stream says it before its first content. */
function idOf({ answerId }: AnyDialect, answer: Answer): string | undefined {
  if (answer.kind === 'whole') return answerId?.(answer.body)
  for (const piece of answer.pieces) {
    const id = piece instanceof Uint8Array ? answerId?.(piece) : undefined
    if (id !== undefined) return id
  }
  return undefined
}
