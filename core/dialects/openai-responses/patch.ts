// Changes the caller's own bytes for a provider of the same format.
import type { RequestBytes } from '../../ports/upstream.ts'
import { toJsonBytes, readTopMembers, changeTopMember } from '../json/json-bytes.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { patchBody, type RequestChange, prependPrompt, type SystemPrompt } from '../requests/patch.ts'
import { toReasoningEffort } from '../reasoning/reasoning.ts'
import type { ConvertSignature, WrittenRequest } from '../model-request.ts'
import { REDACTED_REASONING_PREFIX } from './extras.ts'
import { findItemAnswer } from './stored-answer.ts'

/**
 * Like `patchBody`. Also sets the fields that the model's name implies and the operator's system prompt where the
 * caller sets none.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export const patchRequestBody = (body: Uint8Array, change: RequestChange): RequestBytes =>
  patchBody(body, change, (_, changes) => {
    const { reasoning_effort, reasoning_budget } = change.implied ?? {}
    const effort =
      reasoning_effort ?? (reasoning_budget === undefined ? undefined : toReasoningEffort(reasoning_budget))
    if (effort && !changes.has('reasoning')) {
      const own = asObject(readTopMembers(body, ['reasoning']).reasoning)
      if (!own?.effort) changes.set('reasoning', toJsonBytes({ ...own, effort }))
    }
    const { system } = change
    if (system && !changes.has('instructions')) say(body, changes, system)
  })

/** Sets the operator's system prompt as instructions, or prepends it to the caller's. */
function say(body: Uint8Array, changes: Map<string, Uint8Array | null>, { text, always }: SystemPrompt): void {
  const { instructions, input } = readTopMembers(body, ['instructions', 'input'])
  const own = asText(instructions)
  const isSystem = (item: unknown) => /^(system|developer)$/.test(asText(getMember(item, 'role')) ?? '')
  if (!always && (own !== undefined || asList(input)?.some(isSystem))) return
  changes.set('instructions', toJsonBytes(own === undefined ? text : prependPrompt(text, own)))
}

// Rewrites a request of this format so that it has only the reasoning signatures that its provider accepts. Everything
// else is unchanged.

/** Types of items that are complete without an id: the provider looks up items with ids in its storage. */
const NEEDS_NO_ID = new Set<unknown>([undefined, 'message', 'reasoning', 'function_call', 'custom_tool_call'])

export function convertReasoningSignatures(body: Uint8Array, proofOf: ConvertSignature): WrittenRequest {
  const lost = new Set<string>()
  const changed = changeTopMember(body, 'input', (input) =>
    Array.isArray(input)
      ? input.flatMap((item) => filterItem(asObject(item) ?? {}, proofOf, (field) => void lost.add(field)))
      : input,
  )
  return { body: changed, dropped: [...lost] }
}

function filterItem(
  { id, ...item }: JsonObject,
  proofOf: ConvertSignature,
  lose: (field: string) => void,
): JsonObject[] {
  const keepsNoId = NEEDS_NO_ID.has(item.type) || findItemAnswer(asText(id) ?? '') !== undefined
  const named = keepsNoId || id === undefined ? item : { id, ...item }
  if (item.type !== 'reasoning') return [named]
  const sealed = asText(item.encrypted_content)
  const proof = sealed === undefined || sealed.startsWith(REDACTED_REASONING_PREFIX) ? undefined : proofOf(sealed)
  // The provider looks up reasoning without encrypted content among its stored items.
  if (proof === undefined)
    lose(sealed === undefined || asList(item.summary)?.length ? 'reasoning_content' : 'reasoning_signature')
  return proof === undefined ? [] : [{ ...item, summary: asList(item.summary) ?? [], encrypted_content: proof }]
}
