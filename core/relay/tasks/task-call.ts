// A submission, and what a channel answered to it.
import type { Accepted } from '../../dialects/tasks/task-dialect.ts'
import type { TaskFormat } from '../../dialects/tasks/task-format.ts'
import type { Call } from '../call.ts'

/** A call that asks for a task. */
export interface TaskCall extends Call {
  inbound: TaskFormat
}

/** What a channel answered. */
export interface AcceptedTask {
  upstream_model: string
  accepted: Exclude<Accepted, { refused: unknown }>
  notify_key: string
}
