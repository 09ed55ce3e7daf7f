// Asynchronous tasks at providers.
import { feature } from '../feature.ts'
import { tasks } from './contract.ts'
import { createTaskHandlers } from './handlers.ts'
import type { TaskStore } from './store.ts'

export const tasksFeature = feature({ contract: tasks, handlers: createTaskHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    tasks: TaskStore
  }
}
