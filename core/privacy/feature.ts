// Personal data: export for the user, and erasure.
import type { Feature } from '../feature.ts'
import { privacy } from './contract.ts'
import { continueForgetting } from './forgetting.ts'
import { createPrivacyHandlers, type PrivacyPorts } from './handlers.ts'

/** The same interval as for expired rows, because some stores scan all of their rows for it. */
const EVERY_MS = 600_000

export const privacyFeature: Feature<PrivacyPorts, typeof privacy> = {
  contract: privacy,
  handlers: createPrivacyHandlers,
  jobs: (parts) => [{ name: 'forget users', every_ms: EVERY_MS, run: () => continueForgetting(parts) }],
}
