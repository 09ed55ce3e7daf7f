// Asynchronous tasks at providers.
import type { Feature } from '../feature.ts'
import { tasksContract } from './contract.ts'
import { createTaskHandlers, type TaskPorts } from './handlers.ts'

export const tasksFeature: Feature<TaskPorts, typeof tasksContract> = {
  contract: tasksContract,
  handlers: createTaskHandlers,
}
