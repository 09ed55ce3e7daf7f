// Changes the caller's own bytes for Google. All bytes that need no change stay as they were.
import type { RequestBytes } from '../../ports/upstream.ts'
import type { ModelNameSuffixes, ConvertSignature, WrittenRequest } from '../model-request.ts'
import { toJsonBytes, scanObjectMembers, spliceTopMembers, readTopMember, changeTopMember } from '../json/json-bytes.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import { prependPrompt, type SystemPrompt, type RequestChange } from '../requests/patch.ts'
import { getEitherSpelling } from './fields.ts'
import { writeThinking } from './thinking.ts'
import { SIGNATURE_PLACEHOLDER, findPartSignature } from './signature.ts'
import { signsToolCalls } from './write-contents.ts'

/**
 * Merges `override` over the top level, and adds the fields that the model's name implies where the body has none.
 * Model and streaming are part of the address; a body that repeats the model must not name another.
 * @throws GatewayError request.unreadable if the bytes are not an object
 */
export function patchRequestBody(body: Uint8Array, { model, override, implied, system }: RequestChange): RequestBytes {
  const object = scanObjectMembers(body)
  const changes = new Map<string, Uint8Array | null>()
  const config = implied && impliedConfig(body, model, implied)
  if (config) changes.set(configKey(body), toJsonBytes(config))
  if (system) say(body, changes, system)
  for (const [key, value] of Object.entries(override)) {
    if (value !== undefined) changes.set(key, value === null ? null : toJsonBytes(value))
  }
  for (const { key } of object.members)
    if (key.toLowerCase() === 'model') changes.set(key, toJsonBytes(`models/${model}`))
  return spliceTopMembers(body, changes, object)
}

/** Prepends the operator's system prompt to the caller's. */
function say(body: Uint8Array, changes: Map<string, Uint8Array | null>, { text, always }: SystemPrompt): void {
  const key = readTopMember(body, 'system_instruction') === undefined ? 'systemInstruction' : 'system_instruction'
  const own = readTopMember(body, key)
  const parts = asList(getMember(own, 'parts')) ?? (asText(own) === undefined ? [] : [{ text: own }])
  if (parts.length > 0 && !always) return
  const words = { text: parts.length > 0 ? prependPrompt(text, '') : text }
  changes.set(key, toJsonBytes({ ...asObject(own), parts: [words, ...parts] }))
}

const configKey = (body: Uint8Array): string =>
  readTopMember(body, 'generation_config') === undefined ? 'generationConfig' : 'generation_config'

/** Returns the generation configuration with the implied fields; undefined if nothing changes. */
function impliedConfig(body: Uint8Array, model: string, implied: ModelNameSuffixes): JsonObject | undefined {
  const config = asObject(readTopMember(body, configKey(body))) ?? {}
  const thinkingConfig =
    getEitherSpelling(config, 'thinkingConfig') === undefined ? writeThinking(model, implied) : undefined
  const responseModalities =
    getEitherSpelling(config, 'responseModalities') === undefined
      ? implied.modalities?.map((word) => word.toUpperCase())
      : undefined
  if (!thinkingConfig && !responseModalities) return undefined
  return {
    ...config,
    ...(thinkingConfig ? { thinkingConfig } : {}),
    ...(responseModalities ? { responseModalities } : {}),
  }
}

// Rewrites a request of this format so that it has only the reasoning signatures that Google accepts. Everything else
// is unchanged.

export function convertReasoningSignatures(body: Uint8Array, proofOf: ConvertSignature, model: string): WrittenRequest {
  const lost = new Set<string>()
  const proven = (proof: string): string | undefined => {
    const own = proofOf(proof)
    if (own === undefined) lost.add('reasoning_signature')
    return own
  }
  const changed = changeTopMember(body, 'contents', (contents) =>
    Array.isArray(contents)
      ? contents.flatMap((turn) => filterTurn(asObject(turn) ?? {}, proven, signsToolCalls(model)))
      : contents,
  )
  return { body: changed, dropped: [...lost] }
}

function filterTurn(turn: JsonObject, proofOf: ConvertSignature, signing: boolean): JsonObject[] {
  const all = asList(turn.parts)
  if (!all) return [turn]
  let first = true
  const parts = all.flatMap((each) => {
    const part = asObject(each) ?? {}
    const own = filterPart(part, proofOf)
    if (getEitherSpelling(part, 'functionCall') === undefined) return own
    // The first call of a turn is refused without a signature: a placeholder replaces one that is not Google's.
    const needsPlaceholder = signing && first
    first = false
    return own.map((call) =>
      needsPlaceholder && !call.thoughtSignature ? { ...call, thoughtSignature: SIGNATURE_PLACEHOLDER } : call,
    )
  })
  return parts.length > 0 || all.length === 0 ? [{ ...turn, parts }] : []
}

/**
 * Returns a part without a foreign signature; nothing if it had no other content, or was reasoning of another vendor.
 */
function filterPart(part: JsonObject, proofOf: ConvertSignature): JsonObject[] {
  const { thoughtSignature, thought_signature, ...rest } = part
  if ((thoughtSignature ?? thought_signature) === undefined) return [part]
  const proof = findPartSignature(part)
  if (proof === undefined) return [{ ...rest, thoughtSignature: SIGNATURE_PLACEHOLDER }]
  const signature = proofOf(proof)
  if (signature !== undefined) return [{ ...rest, thoughtSignature: signature }]
  const isThought = rest.thought === true || (rest.text === '' && Object.keys(rest).length === 1)
  return isThought ? [] : [rest]
}
