// Changes a chat request's own bytes: streams request usage.
import type { RequestBytes } from '../../ports/upstream.ts'
import type { JsonMember, ObjectBytes } from '../json/json-bytes.ts'
import { changeTopMembers, toJsonBytes, readTopMember, changeTopMember } from '../json/json-bytes.ts'
import { asList, asObject, asText, getMember, type JsonObject } from '../json/json-value.ts'
import { findModelFamily } from '../reasoning/model-fit.ts'
import type { ModelNameSuffixes, ConvertSignature, WrittenRequest } from '../model-request.ts'
import { patchBody, type RequestChange, prependPrompt, type SystemPrompt } from '../requests/patch.ts'
import { toReasoningEffort } from '../reasoning/reasoning.ts'
import { FORMAT_NAME, readSignature, writeSignature } from './tools.ts'

const YES = toJsonBytes(true)
const WITH_USAGE = toJsonBytes({ include_usage: true })

/**
 * Like `patchBody`. Also requests usage in streams, and sets the fields that the model's name implies and the
 * operator's system prompt. `stream_options: null` in the override prevents the request for usage if a provider refuses
 * it.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export const patchRequestBody = (body: Uint8Array, change: RequestChange): RequestBytes =>
  patchBody(body, change, (object, changes) => {
    if (change.plain) return
    renameLimit(body, object, changes, change)
    if (change.implied) imply(object, changes, change.implied)
    if (change.system && !changes.has('messages')) say(body, changes, change.system)
    if (!change.head.stream) {
      // OpenAI refuses this member without a stream.
      if (has(object, 'stream_options') || changes.has('stream_options')) changes.set('stream_options', null)
    } else if (changes.get('stream_options') !== null) {
      changes.set('stream_options', askForUsage(body, object, change.override.stream_options))
    }
  })

type Changes = Map<string, Uint8Array | null>

const OLD_LIMIT = 'max_tokens'
const NEW_LIMIT = 'max_completion_tokens'

/** Newer models refuse the limit under its old name, and many servers know no other. */
function renameLimit(body: Uint8Array, object: ObjectBytes, changes: Changes, change: RequestChange): void {
  if (!has(object, OLD_LIMIT) && !has(object, NEW_LIMIT)) return
  const right = change.limit ?? findModelFamily(change.model, FORMAT_NAME, change.head.model).limit
  if (!right) return
  const wrong = right === OLD_LIMIT ? NEW_LIMIT : OLD_LIMIT
  const misplaced = object.members.find(({ key }) => key === wrong)
  if (!misplaced) return
  changes.set(wrong, null)
  if (!changes.has(right) && !has(object, right)) changes.set(right, body.subarray(misplaced.start, misplaced.end))
}

const has = ({ members }: ObjectBytes, name: string): boolean => members.some(({ key }) => key === name)

/** Sets the implied fields that neither the caller nor the operator sets. */
function imply(object: ObjectBytes, changes: Changes, implied: ModelNameSuffixes): void {
  const { reasoning_effort, reasoning_budget, modalities } = implied
  const effort = reasoning_effort ?? (reasoning_budget === undefined ? undefined : toReasoningEffort(reasoning_budget))
  const set = (key: string, value: unknown) => {
    const isSet = changes.has(key) || has(object, key)
    if (value !== undefined && !isSet) changes.set(key, toJsonBytes(value))
  }
  set('reasoning_effort', effort)
  set('modalities', modalities)
}

/** Adds the operator's system prompt as the first message, or before the caller's own. */
function say(body: Uint8Array, changes: Changes, { text, always }: SystemPrompt): void {
  const messages = asList(readTopMember(body, 'messages')) ?? []
  const at = messages.findIndex((message) => /^(system|developer)$/.test(asText(getMember(message, 'role')) ?? ''))
  if (at < 0) return void changes.set('messages', toJsonBytes([{ role: 'system', content: text }, ...messages]))
  if (!always) return
  const own = asObject(messages[at]) ?? {}
  const parts = asList(own.content)
  const content = parts
    ? [{ type: 'text', text: prependPrompt(text, '') }, ...parts]
    : prependPrompt(text, asText(own.content) ?? '')
  changes.set('messages', toJsonBytes(messages.with(at, { ...own, content })))
}

/** Returns stream options that request usage: those of the override, else those of the caller, else only the request for usage. */
function askForUsage(body: Uint8Array, object: ObjectBytes, override: unknown): Uint8Array {
  const replaced = asObject(override)
  if (replaced) return toJsonBytes({ ...replaced, include_usage: true })
  const own: JsonMember | undefined = object.members.findLast((member) => member.key === 'stream_options')
  if (!own || body[own.start] !== 0x7b) return WITH_USAGE
  return changeTopMembers(body.subarray(own.start, own.end), new Map([['include_usage', YES]]))
}

// Rewrites a request of this format so that it has only the reasoning signatures that its provider accepts. Everything
// else is unchanged.

export function convertReasoningSignatures(body: Uint8Array, proofOf: ConvertSignature): WrittenRequest {
  const lost = new Set<string>()
  const proven = (proof: string): string | undefined => {
    const own = proofOf(proof)
    if (own === undefined) lost.add('reasoning_signature')
    return own
  }
  const changed = changeTopMember(body, 'messages', (messages) =>
    (asList(messages) ?? []).map((message) => filterMessage(asObject(message) ?? {}, proven)),
  )
  return { body: changed, dropped: [...lost] }
}

function filterMessage(message: JsonObject, proofOf: ConvertSignature): JsonObject {
  const { reasoning_signature, tool_calls, ...rest } = message
  const proof = asText(reasoning_signature)
  const signature = proof && proofOf(proof)
  return {
    ...rest,
    ...(tool_calls === undefined ? {} : { tool_calls: filterCalls(tool_calls, proofOf) }),
    ...(signature ? { reasoning_signature: signature } : {}),
  }
}

const filterCalls = (calls: unknown, proofOf: ConvertSignature): unknown =>
  asList(calls)?.map((each) => {
    const call = asObject(each) ?? {}
    const signature = readSignature(call)
    if (signature === undefined) return call
    const { extra_content: _, ...rest } = call
    return { ...rest, ...writeSignature(proofOf(signature)) }
  }) ?? calls
