// Asynchronous tasks at providers.
import { feature } from '../feature.ts'
import { tasks } from './contract.ts'
import { createTaskHandlers } from './handlers.ts'

export const tasksFeature = feature({ contract: tasks, handlers: createTaskHandlers })
