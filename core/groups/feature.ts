// Groups of users, and their ratios. They are stored as settings, not as rows.
import type { Feature } from '../feature.ts'
import { groups } from './contract.ts'
import { createGroupHandlers, type GroupPorts } from './handlers.ts'

export const groupsFeature: Feature<GroupPorts, typeof groups> = { contract: groups, handlers: createGroupHandlers }
