// What is kept of people: a copy for them, and forgetting them.
import { feature } from '../feature.ts'
import { privacy } from './contract.ts'
import { goOnForgetting } from './forgetting.ts'
import { createPrivacyHandlers } from './handlers.ts'
import type { PrivacyStore } from './store.ts'

const MINUTE_MS = 60_000

export const privacyFeature = feature({
  contract: privacy,
  handlers: createPrivacyHandlers,
  jobs: (parts) => [{ name: 'forget users', every_ms: MINUTE_MS, run: () => goOnForgetting(parts) }],
})

declare module '../ports/storage.ts' {
  interface ChangeStores {
    privacy: PrivacyStore
  }
}
