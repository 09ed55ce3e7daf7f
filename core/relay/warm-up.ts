// A relay for warm-up calls: one channel, and a ledger that stores nothing. Its calls are not charged, logged or
// counted.
import type { CallerCache } from '../auth/caller-cache.ts'
import { createAffinity } from '../channels/affinity.ts'
import { toRoutedChannel } from '../channels/channel-index.ts'
import { CHANNEL_STATUS, ChannelForm } from '../channels/channel.ts'
import { createCircuitBreakers } from '../channels/circuit-breaker.ts'
import { createRouter } from '../channels/router.ts'
import { groupIntoTiers } from '../channels/routing.ts'
import type { Ports } from '../ports/index.ts'
import { defaultSettings } from '../settings/snapshot.ts'
import type { User } from '../users/user.ts'
import { ActiveCallCounter, ActiveReplies } from './detachable-reply.ts'
import { NO_ADMITTED_OBJECTS } from './objects/object-owners.ts'
import { createRelay, type RelayCall } from './relay.ts'
import { createWordCheck } from './word-check.ts'

/** The only model of the warm-up relay. It has a price. */
export const REHEARSED_MODEL = 'gpt-4o-mini'

type Staged = Pick<Ports, 'upstream' | 'signer' | 'clock' | 'random' | 'logger' | 'web' | 'yieldToEventLoop'>

/** Creates the relay with an OpenAI-compatible server at `baseUrl` as its provider. Every key belongs to `user`. */
export function createWarmUpRelay(
  { upstream, signer, clock, random, logger, web, yieldToEventLoop }: Staged,
  user: User,
  baseUrl: string,
): { relay: RelayCall; callers: CallerCache } {
  const settings = defaultSettings()
  const channel = toRoutedChannel({
    ...ChannelForm.parse({ name: 'rehearsal', type: 1, base_url: baseUrl, models: REHEARSED_MODEL }),
    id: 1,
    slug: 'rehearsal',
    key: 'rehearsal',
    status: CHANNEL_STATUS.enabled,
    other_info: '',
    used_quota: 0,
    response_time: 0,
    balance: 0,
    balance_updated_time: 0,
    created_time: 0,
    test_time: 0,
    address_by: 'root',
    version: 1,
  })
  const tiers = groupIntoTiers([channel])
  const hold = { id: 'rehearsal', account_id: user.id, by_user_id: null, token_id: null, amount: 0 }
  const cooldowns = createCircuitBreakers(clock, () => settings)
  return {
    callers: { find: async () => ({ user, token: null }), findDebt: async () => null },
    relay: createRelay({
      background: new ActiveReplies(),
      activeCalls: new ActiveCallCounter(),
      // No tokenizer: its thread and tables serve exact counts only.
      upstream,
      signer,
      clock,
      random,
      logger,
      web,
      yieldToEventLoop,
      settings: () => settings,
      ledger: { hold: async () => hold, settle: async () => {}, release: async () => {} },
      channels: {
        tiers: () => tiers,
        find: () => channel,
        naming: () => [channel],
        answers: () => true,
        listedName: (_group, model) => model,
      },
      checkWords: createWordCheck(),
      responseChain: {
        nameFor: () => undefined,
        resume: (call, head) => ({ call, head }),
        place: (_resumed, turn) => turn,
        keep: () => undefined,
      },
      compactions: { encrypt: (text) => text, decrypt: () => undefined },
      owners: { admit: async () => NO_ADMITTED_OBJECTS },
      route: createRouter({ clock, random, cooldowns, affinity: createAffinity(clock) }),
      onFailure: () => {},
      sinks: { enqueue: () => {} },
      refusals: { note: () => {} },
    }),
  }
}
