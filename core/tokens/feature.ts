// Keys that programs call with.
import { feature } from '../feature.ts'
import { tokens } from './contract.ts'
import { createTokenHandlers } from './handlers.ts'

export const tokensFeature = feature({ contract: tokens, handlers: createTokenHandlers })
