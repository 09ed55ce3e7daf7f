// The operation of calls, as the tag in a row.
import { OPERATIONS, type Operation } from '../../../core/models/operation.ts'
import { useText, texts } from '../../data/texts.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'

export const OPERATION_TEXTS = texts({
  chat: 'chat',
  embeddings: 'embeddings',
  moderation: 'moderation',
  rerank: 'rerank',
  images: 'images',
  speech: 'speech',
  transcription: 'transcription',
  realtime: 'realtime',
  drawing: 'drawing',
  music: 'music',
  video: 'video',
})

/** Returns the operation that an address or a row names; empty for an unknown one. */
export const parseOperation = (text: string): Operation | '' => OPERATIONS.find((name) => name === text) ?? ''

export function OperationName({ operation }: { operation: string }) {
  const t = useText()
  const name = parseOperation(operation)
  return name ? <StandaloneWord>{t(OPERATION_TEXTS[name])}</StandaloneWord> : operation
}
