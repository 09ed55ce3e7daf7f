// Changes the caller's own bytes for a provider of the same format.
import { toJsonBytes, readTopMembers } from '../json/json-bytes.ts'
import { asList, getMember, asObject, asText } from '../json/json-value.ts'
import { patchBody, type RequestChange } from '../requests/patch.ts'
import { toReasoningEffort } from '../reasoning/reasoning.ts'
import { prependPrompt, type SystemPrompt } from '../requests/system-prompt.ts'

/**
 * Like `patchBody`. Also sets the fields that the model's name implies and the operator's system prompt where the
 * caller sets none.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export const patchRequestBody = (body: Uint8Array, change: RequestChange): Uint8Array =>
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
