// Keys that programs call with.
import { feature } from '../feature.ts'
import { tokens } from './contract.ts'
import { createTokenHandlers } from './handlers.ts'
import type { TokenStore } from './store.ts'

export const tokensFeature = feature({ contract: tokens, handlers: createTokenHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    tokens: TokenStore
  }
}
