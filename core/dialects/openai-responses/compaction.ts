// Items of type `compaction`: an encrypted summary of a conversation. OpenAI's can be read by the account that made
// them; Weir's own start with a mark, and are decrypted before a provider is called.
import { fail } from '../../errors.ts'
import { changeTopMembers, toJsonBytes } from '../json/json-bytes.ts'
import { asList, getMember, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { SUMMARY_PREFACE } from '../compaction/summary.ts'
import { isSystem, readConversationItems } from './stored-answer.ts'

const MARK = 'weic1.'
const TYPES = new Set<unknown>(['compaction', 'compaction_summary'])

/** A conversation summary by Weir. */
export interface ConversationSummary {
  summary: string
  /** Items that follow the summary unchanged. */
  items?: JsonObject[]
  /** The summary replaces everything before it, so none of that is sent again. */
  replaces?: true
}

/** Builds the item of a conversation that Weir has summarized. */
export const buildCompactionItem = (id: string, summed: ConversationSummary, encrypt: (text: string) => string) => ({
  id,
  type: 'compaction',
  encrypted_content: MARK + encrypt(JSON.stringify(summed)),
})

const isCompaction = (item: unknown): boolean => TYPES.has(getMember(item, 'type'))

const getEncryptedContent = (item: unknown): string | undefined => asText(getMember(item, 'encrypted_content'))

/** Does the item have a summary by Weir? */
export const isOwnCompaction = (item: unknown): boolean =>
  isCompaction(item) && getEncryptedContent(item)?.startsWith(MARK) === true

/** Returns the content of the last compaction that a provider made; undefined if there is none. */
export function findProviderCompaction(items: readonly unknown[] = []): string | undefined {
  const last = items.findLast((item) => isCompaction(item) && !isOwnCompaction(item))
  return last === undefined ? undefined : getEncryptedContent(last)
}

/**
 * Replaces each of Weir's compactions in the request by a user message; returns the same bytes if there are none.
 * @param decrypt returns undefined for a text that the caller may not decrypt
 * @throws GatewayError compaction.unreadable
 */
export function replaceCompactions(request: Uint8Array, decrypt: (sealed: string) => string | undefined): Uint8Array {
  const items = readConversationItems(request)
  if (!items.some(isOwnCompaction)) return request
  const opened: JsonObject[] = []
  for (const item of items) {
    if (!isOwnCompaction(item)) {
      opened.push(item)
      continue
    }
    const { summary, items: behind = [], replaces } = readSummed(decrypt(getEncryptedContent(item)!.slice(MARK.length)))
    if (replaces) opened.splice(0, opened.length, ...opened.filter(isSystem))
    opened.push(toSummaryMessage(summary), ...behind)
  }
  return changeTopMembers(request, new Map([['input', toJsonBytes(opened)]]))
}

function readSummed(text: string | undefined): ConversationSummary {
  const summed = asObject(parseJson(text ?? ''))
  const summary = asText(summed?.summary) ?? fail('compaction.unreadable')
  const items = asList(summed?.items)?.map((item) => asObject(item) ?? {})
  return { summary, ...(items ? { items } : {}), ...(summed?.replaces === true ? { replaces: true } : {}) }
}

/** Returns a summary as a user message, so that earlier input does not gain the weight of a system prompt. */
export const toSummaryMessage = (summary: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: `${SUMMARY_PREFACE}\n\n${summary}` }],
})

/** A split conversation: the items to summarize, the system items before them and the items that follow unchanged. */
export interface SplitConversation {
  system: JsonObject[]
  summed: JsonObject[]
  behind: JsonObject[]
}

/**
 * Splits a conversation before the step to be answered: the user's last message, and the calls whose results came last
 * with everything of their turn. A message of more than `most` bytes is summarized with the rest.
 */
export function splitConversation(items: readonly JsonObject[], most: number): SplitConversation {
  const conversation = items.filter((item) => !isSystem(item))
  const step = beginOfStep(conversation)
  const question = conversation.findLastIndex(isUser)
  const keepsQuestion = question >= 0 && JSON.stringify(conversation[question]).length <= most
  return {
    system: items.filter(isSystem),
    summed: conversation.filter((_, at) => at < step && !(keepsQuestion && at === question)),
    behind: conversation.filter((_, at) => at >= step || (keepsQuestion && at === question)),
  }
}

const isUser = ({ type = 'message', role }: JsonObject): boolean => type === 'message' && role === 'user'
const isResult = ({ type }: JsonObject): boolean => asText(type)?.endsWith('_output') === true

/** Returns the index of the first item of the step: results at the end belong to the turn with their calls. */
function beginOfStep(items: readonly JsonObject[]): number {
  let at = items.length
  while (at > 0 && isResult(items[at - 1]!)) at--
  const results = at < items.length
  const isOfStep = results ? (item: JsonObject) => !isUser(item) && !isResult(item) : isUser
  while (at > 0 && isOfStep(items[at - 1]!)) at--
  return at
}

/** Maximum size of the user's newest messages that are retained next to a summary, in bytes. */
const MOST_KEPT = 64 * 1024

/** Returns the user's messages that are retained unchanged next to a summary: the newest, up to the limit. */
export function selectRetainedMessages(items: readonly JsonObject[]): JsonObject[] {
  let remaining = MOST_KEPT
  const retained: JsonObject[] = []
  for (const item of items.filter(isUser).toReversed()) {
    const written = JSON.stringify(item)
    // An earlier summary is part of the new one.
    if (written.includes(SUMMARY_PREFACE)) continue
    remaining -= written.length
    if (remaining < 0) break
    retained.unshift({ ...item, type: 'message' })
  }
  return retained
}
