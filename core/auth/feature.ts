// Signing in and out, second factors and passkeys.
import { feature } from '../feature.ts'
import { auth } from './contract.ts'
import { createAuthHandlers } from './handlers.ts'
import { createAuthJobs } from './jobs.ts'

export const authFeature = feature({ contract: auth, handlers: createAuthHandlers, jobs: createAuthJobs })
