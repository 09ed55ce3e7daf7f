// Personal data: export for the user, and erasure.
import type { Feature } from '../feature.ts'
import { privacyContract } from './contract.ts'
import { continueAllErasures } from './forgetting.ts'
import { createPrivacyHandlers, type PrivacyPorts } from './handlers.ts'

/** The same interval as for expired rows, because some stores scan all of their rows for it. */
const EVERY_MS = 600_000

export const privacyFeature: Feature<PrivacyPorts, typeof privacyContract> = {
  contract: privacyContract,
  handlers: createPrivacyHandlers,
  jobs: (parts) => [{ name: 'forget users', every_ms: EVERY_MS, run: () => continueAllErasures(parts) }],
}
