// Signing in and out, second factors and passkeys.
import { feature } from '../feature.ts'
import type { BrowserStore } from './browser-store.ts'
import { auth } from './contract.ts'
import { createAuthHandlers } from './handlers.ts'
import { createAuthJobs } from './jobs.ts'
import type { LoginServiceStore } from './login-service-store.ts'
import type { PasskeyStore } from './passkey-store.ts'
import type { SecondFactorStore } from './second-factor-store.ts'
import type { SessionStore } from './session-store.ts'
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
