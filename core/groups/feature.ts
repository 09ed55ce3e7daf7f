// Groups of users, and their ratios. They are stored as settings, not as rows.
import { feature } from '../feature.ts'
import { groups } from './contract.ts'
import { createGroupHandlers } from './handlers.ts'

export const groupsFeature = feature({ contract: groups, handlers: createGroupHandlers })
