// Stores bodies of calls for users who need to see what they sent: opt-in, encrypted with the user's own key, bounded
// and expiring.
import type { Feature } from '../feature.ts'
import { bodies } from './contract.ts'
import { createBodyHandlers, type BodyPorts } from './handlers.ts'

const MINUTE_MS = 60_000

export const bodiesFeature: Feature<BodyPorts, typeof bodies> = {
  contract: bodies,
  handlers: createBodyHandlers,
  jobs: ({ bodyKeeper }) => [{ name: 'forget bodies of calls', every_ms: MINUTE_MS, run: bodyKeeper.prune }],
}
