// Keys that programs call with.
import type { Feature } from '../feature.ts'
import { tokensContract } from './contract.ts'
import { createTokenHandlers, type TokenPorts } from './handlers.ts'

export const tokensFeature: Feature<TokenPorts, typeof tokensContract> = {
  contract: tokensContract,
  handlers: createTokenHandlers,
}
