// The operations of models.

/** The operations that are answered directly, at once or as a stream. */
export const CALL_OPERATIONS = [
  ...(['chat', 'embeddings', 'moderation', 'rerank', 'images', 'speech', 'transcription', 'realtime'] as const),
] as const
export type CallOperation = (typeof CALL_OPERATIONS)[number]

/** The asynchronous operations: a provider accepts a task, and is polled for its result. */
export const TASK_OPERATIONS = ['drawing', 'music', 'video'] as const
export type TaskOperation = (typeof TASK_OPERATIONS)[number]

export const isTaskOperation = (operation: Operation): operation is TaskOperation =>
  TASK_OPERATIONS.some((task) => task === operation)

/** All operations. A provider has endpoints for some of them. */
export const OPERATIONS = [...CALL_OPERATIONS, ...TASK_OPERATIONS] as const
export type Operation = (typeof OPERATIONS)[number]
