// Signing in and out, second factors and passkeys.
import { feature } from '../feature.ts'
import type { BrowserStore, LoginServiceStore, PasskeyStore, SecondFactorStore, SessionStore } from './stores.ts'
import { auth } from './contract.ts'
import { createAuthHandlers } from './handlers.ts'
import { createAuthJobs } from './jobs.ts'
import type { VerificationStore } from './verification.ts'

export const authFeature = feature({ contract: auth, handlers: createAuthHandlers, jobs: createAuthJobs })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    sessions: SessionStore
    passkeys: PasskeyStore
    loginServices: LoginServiceStore
    secondFactors: SecondFactorStore
  }
  interface Storage {
    browsers: BrowserStore
    verifications: VerificationStore
  }
}
