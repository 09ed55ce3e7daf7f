// A caller's body, parsed: the one place where its depth and the number of its values are bounded, before that costs anything.
import { fail } from '../errors.ts'
import { excessAt, membersOf } from './json-bytes.ts'
import { objectIn, parsedBytes, type JsonObject } from './json-value.ts'

/** No schema or conversation comes near it, and most providers read no deeper. */
const MAX_DEPTH = 128

/** Prompts of a thousand texts, each as a thousand numbers, come near it. */
const MAX_MEMBERS = 2_000_000

/** @throws GatewayError request.unreadable, request.too_deep */
export function requestIn(body: Uint8Array, members: number = MAX_MEMBERS): JsonObject {
  const excess = excessAt(body, { depth: MAX_DEPTH, members })
  if (excess >= 0) fail('request.too_deep', { param: memberAt(body, excess), limit: MAX_DEPTH, members })
  return objectIn(parsedBytes(body)) ?? fail('request.unreadable')
}

const memberAt = (body: Uint8Array, at: number): string =>
  membersOf(body).members.find(({ start, end }) => start <= at && at < end)?.key ?? ''
