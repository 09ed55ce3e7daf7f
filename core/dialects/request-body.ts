// A caller's body, parsed: the one place where its depth is bounded, before anything walks through it.
import { fail } from '../errors.ts'
import { deepAt, membersOf } from './json-bytes.ts'
import { objectIn, parsedBytes, type JsonObject } from './json-value.ts'

/** No schema or conversation comes near it, and most providers read no deeper. */
const MAX_DEPTH = 128

/** @throws GatewayError request.unreadable, request.too_deep */
export function requestIn(body: Uint8Array): JsonObject {
  const deep = deepAt(body, MAX_DEPTH)
  if (deep >= 0) fail('request.too_deep', { param: memberAt(body, deep), limit: MAX_DEPTH })
  return objectIn(parsedBytes(body)) ?? fail('request.unreadable')
}

const memberAt = (body: Uint8Array, at: number): string =>
  membersOf(body).members.find(({ start, end }) => start <= at && at < end)?.key ?? ''
