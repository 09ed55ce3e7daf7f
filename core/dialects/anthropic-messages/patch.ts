// Changes the caller's own bytes for a provider of the same format.
import type { ModelNameSuffixes } from '../model-request.ts'
import { toJsonBytes, readTopMember, readTopMembers } from '../json/json-bytes.ts'
import { asList, asFiniteNumber, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { patchBody, type RequestChange } from '../requests/patch.ts'
import { prependPrompt, type SystemPrompt } from '../requests/system-prompt.ts'
import { buildThinkingFields, getDefaultTokenLimit } from './thinking.ts'

/**
 * Like `patchBody`. Also sets the fields that the model name implies where the caller sets none, and the limit, which
 * this format requires.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export const patchRequestBody = (body: Uint8Array, change: RequestChange): Uint8Array =>
  patchBody(body, change, (_, changes) => {
    if (change.system && !changes.has('system')) say(body, changes, change.system)
    if (!change.implied) return
    const set = (fields: JsonObject) => {
      for (const [key, value] of Object.entries(fields)) {
        if (!changes.has(key)) changes.set(key, value === null ? null : toJsonBytes(value))
      }
    }
    set(impliedFields(body, change, change.implied))
  })

/** Prepends the operator's system prompt to the caller's. */
function say(body: Uint8Array, changes: Map<string, Uint8Array | null>, { text, always }: SystemPrompt): void {
  const own = readTopMember(body, 'system')
  const parts = asList(own)
  const hasSystem = parts ? parts.length > 0 : asText(own) !== undefined
  if (hasSystem && !always) return
  const block = { type: 'text', text: hasSystem ? prependPrompt(text, '') : text }
  changes.set('system', toJsonBytes(parts ? [block, ...parts] : hasSystem ? prependPrompt(text, String(own)) : text))
}

function impliedFields(body: Uint8Array, { model, head }: RequestChange, implied: ModelNameSuffixes): JsonObject {
  const callerFields = readTopMembers(body, ['max_tokens', 'thinking', 'output_config'])
  const given = asFiniteNumber(callerFields.max_tokens)
  const limit = given ?? implied.max_tokens ?? getDefaultTokenLimit(model, head.prompt_estimate)
  const filled = given === undefined ? { max_tokens: limit } : {}
  const thinks = implied.reasoning_effort !== undefined || implied.reasoning_budget !== undefined
  if (!thinks || callerFields.thinking !== undefined) return filled
  const fields = buildThinkingFields(model, implied, limit)
  if (!fields) return filled
  return {
    ...filled,
    ...(fields.max_tokens === limit ? {} : { max_tokens: fields.max_tokens }),
    thinking: fields.thinking,
    ...(fields.effort ? { output_config: { ...asObject(callerFields.output_config), effort: fields.effort } } : {}),
    // A model that thinks takes no sampling parameters.
    temperature: null,
    top_p: null,
    top_k: null,
  }
}
