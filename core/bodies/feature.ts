// Stores bodies of calls for users who need to see what they sent: opt-in, encrypted with the user's own key, bounded
// and expiring.
import type { Feature } from '../feature.ts'
import { bodiesContract } from './contract.ts'
import { type ContractHandlers, requireUser } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { type BodyKeeper, getBodyRetentionStart } from './keeper.ts'

// The endpoints of stored bodies. Every user can access only their own bodies.

interface BodyPorts {
  storage: Storage
  secrets: Pick<Secrets, 'sealFor'>
  clock: Clock
  bodyKeeper: BodyKeeper
  settings(): Settings
}

function createBodyHandlers({
  storage,
  secrets,
  clock,
  bodyKeeper,
  settings,
}: BodyPorts): ContractHandlers<typeof bodiesContract> {
  const store = storage.bodies
  const since = () => getBodyRetentionStart(seconds(clock), settings())
  /** Notifies the calls of every process at once. */
  const notify = (id: number) => storage.announce({ topic: 'users', id })

  return {
    async list(_, { caller }) {
      const { id } = requireUser(caller)
      const [key, items] = await Promise.all([store.key(id), store.list(id, since())])
      return { key, items, hours: settings()['bodies.keep_hours'], dropped: bodyKeeper.dropped() }
    },
    async setKey(key, { caller }) {
      const { id } = requireUser(caller)
      if (settings()['bodies.keep_hours'] === 0) fail('bodies.off')
      await secrets
        .sealFor(key.recipient, '')
        .catch((cause: unknown) => fail('bodies.recipient', {}, { cause, field: 'recipient' }))
      for (const token of key.token_ids)
        if ((await storage.tokens.find(token))?.user_id !== id) fail('token.missing', {}, { field: 'token_ids' })
      await store.setKey(id, { ...key, created_time: seconds(clock) })
      await notify(id)
      return key
    },
    async switchOff(_, { caller }) {
      const { id } = requireUser(caller)
      await store.removeOfUser(id)
      await notify(id)
      return null
    },
    async get({ request_id }, { caller }) {
      return (await store.find(requireUser(caller).id, request_id, since())) ?? fail('bodies.missing')
    },
    async delete({ request_id }, { caller }) {
      if ((await store.remove(requireUser(caller).id, request_id)) === 0) fail('bodies.missing')
      return null
    },
  }
}

const MINUTE_MS = 60_000

export const bodiesFeature: Feature<BodyPorts, typeof bodiesContract> = {
  contract: bodiesContract,
  handlers: createBodyHandlers,
  jobs: ({ bodyKeeper }) => [{ name: 'forget bodies of calls', every_ms: MINUTE_MS, run: bodyKeeper.prune }],
}
