// Users, their access tokens, and who they are at other services.
import { feature } from '../feature.ts'
import { users } from './contract.ts'
import { createUserHandlers } from './handlers.ts'

export const usersFeature = feature({ contract: users, handlers: createUserHandlers })
