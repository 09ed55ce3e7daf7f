// Keys that programs call with.
import type { Feature } from '../feature.ts'
import { tokens } from './contract.ts'
import { createTokenHandlers, type TokenPorts } from './handlers.ts'

export const tokensFeature: Feature<TokenPorts, typeof tokens> = { contract: tokens, handlers: createTokenHandlers }
