// Rewrites a request of this format so that it has only the reasoning signatures that its provider accepts. Everything
// else is unchanged.
import type { ProofOf, WrittenRequest } from '../model-request.ts'
import { withMember } from '../json-bytes.ts'
import { asList, asObject, asText, type JsonObject } from '../json-value.ts'
import { readSignature, writeSignature } from './extras.ts'

export function withProofs(body: Uint8Array, proofOf: ProofOf): WrittenRequest {
  const lost = new Set<string>()
  const proven = (proof: string): string | undefined => {
    const own = proofOf(proof)
    if (own === undefined) lost.add('reasoning_signature')
    return own
  }
  const changed = withMember(body, 'messages', (messages) =>
    (asList(messages) ?? []).map((message) => filterMessage(asObject(message) ?? {}, proven)),
  )
  return { body: changed, dropped: [...lost] }
}

function filterMessage(message: JsonObject, proofOf: ProofOf): JsonObject {
  const { reasoning_signature, tool_calls, ...rest } = message
  const proof = asText(reasoning_signature)
  const signature = proof && proofOf(proof)
  return {
    ...rest,
    ...(tool_calls === undefined ? {} : { tool_calls: filterCalls(tool_calls, proofOf) }),
    ...(signature ? { reasoning_signature: signature } : {}),
  }
}

const filterCalls = (calls: unknown, proofOf: ProofOf): unknown =>
  asList(calls)?.map((each) => {
    const call = asObject(each) ?? {}
    const signature = readSignature(call)
    if (signature === undefined) return call
    const { extra_content: _, ...rest } = call
    return { ...rest, ...writeSignature(proofOf(signature)) }
  }) ?? calls
