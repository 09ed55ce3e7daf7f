// Groups of users, and what they cost; they are settings, and have no store.
import { feature } from '../feature.ts'
import { groups } from './contract.ts'
import { createGroupHandlers } from './handlers.ts'

export const groupsFeature = feature({ contract: groups, handlers: createGroupHandlers })
