// Groups of users, and their ratios. They are stored as settings, not as rows.
import type { Feature } from '../feature.ts'
import { groupsContract } from './contract.ts'
import { createGroupHandlers, type GroupPorts } from './handlers.ts'

export const groupsFeature: Feature<GroupPorts, typeof groupsContract> = {
  contract: groupsContract,
  handlers: createGroupHandlers,
}
