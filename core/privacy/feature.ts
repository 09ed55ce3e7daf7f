// What is kept of people: a copy for them, and forgetting them.
import { feature } from '../feature.ts'
import { privacy } from './contract.ts'
import { goOnForgetting } from './forgetting.ts'
import { createPrivacyHandlers } from './handlers.ts'
import type { PrivacyStore } from './store.ts'

/** As rows that are too old go: some places read all of their rows for it. */
const EVERY_MS = 600_000

export const privacyFeature = feature({
  contract: privacy,
  handlers: createPrivacyHandlers,
  jobs: (parts) => [{ name: 'forget users', every_ms: EVERY_MS, run: () => goOnForgetting(parts) }],
})

declare module '../ports/storage.ts' {
  interface ChangeStores {
    privacy: PrivacyStore
  }
}
