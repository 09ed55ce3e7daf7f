// The operations of administrators on a task.
import type { toAuditAuthor } from '../audit/audit.ts'
import type { Language } from '../errors.ts'
import type { StoredTask } from './task.ts'

/** The author of an operation, and the request. */
export type TaskOperationAuthor = Parameters<typeof toAuditAuthor>[0] & { language: Language }

export const TASK_ADMIN_ACTIONS = ['cancel', 'retry', 'refund'] as const
export type TaskAdminAction = (typeof TASK_ADMIN_ACTIONS)[number]

/**
 * `cancel`: ends an open task and refunds its charge. `refund`: refunds an ended one. `retry`: submits the same request
 * again, for the same user and token, at the current price.
 * @throws GatewayError task.over, task.open, task.refunded, task.not_kept, and the errors of a submission
 */
export type EndTaskByAdmin = Record<TaskAdminAction, (task: StoredTask, by: TaskOperationAuthor) => Promise<void>>
