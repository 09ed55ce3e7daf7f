// Users, their access tokens, and who they are at other services.
import type { Feature } from '../feature.ts'
import { usersContract } from './contract.ts'
import { createUserHandlers, type UserPorts } from './handlers.ts'

export const usersFeature: Feature<UserPorts, typeof usersContract> = {
  contract: usersContract,
  handlers: createUserHandlers,
}
