// Asynchronous tasks at providers.
import type { Feature } from '../feature.ts'
import { tasks } from './contract.ts'
import { createTaskHandlers, type TaskPorts } from './handlers.ts'

export const tasksFeature: Feature<TaskPorts, typeof tasks> = { contract: tasks, handlers: createTaskHandlers }
