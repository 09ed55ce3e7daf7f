// Answers to a summarized conversation: inserts the item of the summary as the first of the output.
import type { Frame, Piece } from '../../dialects/frame.ts'
import { changeFrames, changingWatcher } from '../../dialects/named-answer.ts'
import { createItemInsertion, insertItem } from '../../dialects/openai-responses/insert-item.ts'
import type { JsonObject } from '../../dialects/json-value.ts'
import type { Answer } from '../answers/answer.ts'

export function withItemFirst(answer: Answer, item: JsonObject): Answer {
  if (answer.kind === 'whole') return { ...answer, body: insertItem(answer.body, item) }
  const insert = createItemInsertion(item)
  const change = (piece: Piece): Piece[] =>
    piece instanceof Uint8Array ? [changeFrames(piece, insert)] : insert(piece satisfies Frame)
  const pieces = answer.pieces.flatMap(change)
  const end = answer.end && answer.end.length > 0 ? { end: changeFrames(answer.end, insert) } : {}
  return { ...answer, pieces, ...end, watcher: changingWatcher(answer.watcher, insert) }
}
