// The item `compaction_trigger` at the end of a conversation: it requests a summary of the conversation before it.
import { asText, type JsonObject } from '../json/json-value.ts'

const isTrigger = ({ type }: JsonObject): boolean => type === 'compaction_trigger'

/** Is the answer to be the conversation, summed up? */
export const endsInTrigger = (items: readonly JsonObject[]): boolean => items.length > 0 && isTrigger(items.at(-1)!)

/** The operator's words and tools that an item declares are never summed up. */
export const isSystem = ({ type, role }: JsonObject): boolean => {
  const kind = asText(type) ?? 'message'
  return kind === 'additional_tools' || (kind === 'message' && (role === 'system' || role === 'developer'))
}

/** The items that go on behind the answer: if that is a summary of all of them, the words of the system alone. */
export const listContinuedItems = (items: JsonObject[]): JsonObject[] =>
  endsInTrigger(items) ? items.filter(isSystem) : items
