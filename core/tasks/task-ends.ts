// The operations of administrators on a task.
import type { toAuditAuthor } from '../audit/audit.ts'
import type { Language } from '../errors.ts'
import type { StoredTask } from './task.ts'

/** The author of an operation, and the request. */
export type TaskActor = Parameters<typeof toAuditAuthor>[0] & { language: Language }

export const TASK_ACTS = ['cancel', 'retry', 'refund'] as const
export type TaskAct = (typeof TASK_ACTS)[number]

/**
 * `cancel`: an open one ends, and what it cost is given back. `refund`: the same money of one that is over. `retry`: what was
 * submitted is submitted again, for the same user and token, at today's price.
 * @throws GatewayError task.over, task.open, task.refunded, task.not_kept, and what refuses a submission
 */
export type TaskEnds = Record<TaskAct, (task: StoredTask, by: TaskActor) => Promise<void>>
