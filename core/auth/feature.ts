// Signing in and out, second factors and passkeys.
import type { Feature } from '../feature.ts'
import { authContract } from './contract.ts'
import { createAuthHandlers, type AuthPorts } from './handlers.ts'
import { createAuthJobs } from './jobs.ts'

export const authFeature: Feature<AuthPorts, typeof authContract> = {
  contract: authContract,
  handlers: createAuthHandlers,
  jobs: createAuthJobs,
}
