// Users, their access tokens, and who they are at other services.
import { feature } from '../feature.ts'
import type { AccessTokenStore } from './access-tokens.ts'
import type { IdentityStore } from './user.ts'
import { users } from './contract.ts'
import { createUserHandlers } from './handlers.ts'
import type { UserStore } from './store.ts'

export const usersFeature = feature({ contract: users, handlers: createUserHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    users: UserStore
    accessTokens: AccessTokenStore
  }
  interface Storage {
    identities: IdentityStore
  }
}
