// Stores bodies of calls for users who need to see what they sent: opt-in, encrypted with the user's own key, bounded
// and expiring.
import type { Feature } from '../feature.ts'
import { bodiesContract } from './contract.ts'
import { createBodyHandlers, type BodyPorts } from './handlers.ts'

const MINUTE_MS = 60_000

export const bodiesFeature: Feature<BodyPorts, typeof bodiesContract> = {
  contract: bodiesContract,
  handlers: createBodyHandlers,
  jobs: ({ bodyKeeper }) => [{ name: 'forget bodies of calls', every_ms: MINUTE_MS, run: bodyKeeper.prune }],
}
