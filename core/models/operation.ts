// What may be asked of a model.

/** What is answered at once, or as it is made. */
export const CALL_OPERATIONS = [
  ...(['chat', 'embeddings', 'moderation', 'rerank', 'images', 'speech', 'transcription', 'realtime'] as const),
] as const
export type CallOperation = (typeof CALL_OPERATIONS)[number]

/** What a provider does in its own time: it takes the task, and is asked later what became of it. */
export const TASK_OPERATIONS = ['drawing', 'music', 'video'] as const
export type TaskOperation = (typeof TASK_OPERATIONS)[number]

export const isTaskOperation = (operation: Operation): operation is TaskOperation =>
  TASK_OPERATIONS.some((task) => task === operation)

/** What may be asked of a model. A provider has doors for some of them. */
export const OPERATIONS = [...CALL_OPERATIONS, ...TASK_OPERATIONS] as const
export type Operation = (typeof OPERATIONS)[number]
