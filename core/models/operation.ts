// What may be asked of a model.

/** What may be asked of a model. A provider has doors for some of them. */
export const OPERATIONS = [
  ...(['chat', 'embeddings', 'moderation', 'rerank', 'images', 'speech', 'transcription', 'realtime'] as const),
] as const
export type Operation = (typeof OPERATIONS)[number]
