// Estimates the cost of parsing and walking a JSON text before it is parsed. This is the only limit on the number of
// objects, members and items in a text (SECURITY.md). Characters cost next to nothing in comparison and are limited in
// bytes.
import { fail } from '../../errors.ts'
import { isBlank, parseKeyText, skipBlanksBack, skipJsonString, type ObjectBytes } from './json-bytes.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/**
 * Weights, relative to a number in a list. The most expensive step of a call (a reader or a writer of a format) takes
 * about 0.1 µs per unit: objects are walked member by member, and one with many keys becomes a hash table.
 */
const OBJECT_OR_LIST = 20
const MEMBER = 20
const TEXT_ITEM = 4
const MEMBER_OF_MANY = 100
/** Number of members from which an object counts as large. No schema, message or logit bias map comes near it. */
const MANY = 1000
/** Marks a list in place of a number of members. */
const LIST = -1

export interface JsonLimits {
  /** Maximum nesting of objects and lists. */
  depth: number
  /** Maximum sum of the weights. */
  cost: number
  /** Weight of a list item, in addition to its own members; 1 if only numbers can be that many. */
  item: number
}

/** The exceeded limit, and the key of the top-level member that exceeds it (empty if the text is not an object). */
export interface JsonExcess {
  of: 'depth' | 'cost'
  param: string
}

/** Skips what a reader of a body knows or does not parse. */
export interface JsonSkipper {
  /** Called where the value of a top-level member begins. Returns its end and its cost if it need not be read. */
  enterMember(key: string, start: number): { end: number; cost: number } | undefined
  /** Called where the value of a top-level member has ended. */
  leaveMember(end: number, cost: number): void
  /** Returns the index after a string. @throws GatewayError request.unreadable */
  skipString(start: number): number
}

/**
 * Returns the first excess in a JSON text; undefined if there is none. Reads each byte at most once.
 * @param found receives the members of the object, as `scanObjectMembers` returns them, if the text was read to its end
 * and is valid JSON; a short text is not read
 * @throws GatewayError request.unreadable if a string in it does not end
 */
export function findExcess(
  json: Uint8Array,
  { depth, cost, item }: JsonLimits,
  found?: ObjectBytes,
  skipper?: JsonSkipper,
): JsonExcess | undefined {
  // A short text cannot exceed either limit: every level takes two bytes, and no byte weighs more than a member of a
  // large object.
  if (json.length <= 2 * depth && json.length * MEMBER_OF_MANY <= cost) return undefined
  /** For each open level: its number of members so far, or `LIST`. */
  const members: number[] = [LIST]
  let level = 0
  let left = cost
  /** Of the current top-level member: where its key begins and ends, and its value begins. */
  let key = -1
  let keyEnd = -1
  let value = -1
  /** The cost that was left where the value began. */
  let before = 0
  const endMember = (at: number, after: number) => {
    if (key >= 0 && value >= 0) {
      const end = skipBlanksBack(json, at)
      found?.members.push({ key: parseKeyText(json, key, keyEnd), key_start: key, start: value, end })
      skipper?.leaveMember(end, before - after)
    }
    key = -1
    value = -1
  }
  for (let at = 0; at < json.length;) {
    const byte = json[at]!
    if (level === 1 && key >= 0 && value < 0 && byte !== COLON && !isBlank(byte)) {
      value = at
      before = left
      const skipped = skipper?.enterMember(parseKeyText(json, key, keyEnd), at)
      if (skipped) {
        at = skipped.end
        if ((left -= skipped.cost) < 0) return { of: 'cost', param: keyAt(json, key) }
        continue
      }
    }
    if (byte === QUOTE) {
      if (level === 1 && key < 0 && members[1] !== LIST) {
        key = at
        at = skipJsonString(json, at)
        keyEnd = at
        continue
      }
      if (level > 0 && members[level] === LIST && (left -= TEXT_ITEM) < 0)
        return { of: 'cost', param: keyAt(json, key) }
      at = skipper ? skipper.skipString(at) : skipJsonString(json, at)
      continue
    }
    if (byte === OPEN || byte === OPEN_LIST) {
      left -= OBJECT_OR_LIST + (byte === OPEN ? MEMBER : item)
      if (++level > depth) return { of: 'depth', param: keyAt(json, key) }
      if (level === 1 && found) found.start = at
      members[level] = byte === OPEN ? 1 : LIST
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (level === 1) {
        endMember(at, left)
        if (found) found.close = at
      }
      if (level > 0) level--
    } else if (byte === COMMA && level > 0) {
      if (level === 1) endMember(at, left)
      left -= members[level] === LIST ? item : ++members[level]! > MANY ? MEMBER_OF_MANY : MEMBER
    }
    if (left < 0) return { of: 'cost', param: keyAt(json, key) }
    at++
  }
  return undefined
}

/** Limits of a provider's answer or event. The cost allows two thousand long embeddings; depth costs nothing here. */
const ANSWER_LIMITS: JsonLimits = { depth: Infinity, cost: 8_000_000, item: 1 }
/** No byte weighs more than a member of a large object, so shorter answers are within the cost. */
const ANY_ANSWER_BYTES = ANSWER_LIMITS.cost / MEMBER_OF_MANY

/**
 * Checks a provider's answer before it is parsed.
 * @throws GatewayError upstream.unreadable if it costs more than any real answer
 */
export function refuseCostlyAnswer(json: Uint8Array): void {
  if (json.length > ANY_ANSWER_BYTES && isCostly(json))
    fail('upstream.unreadable', {}, { detail: 'it holds more values than an answer may' })
}

function isCostly(json: Uint8Array): boolean {
  try {
    return findExcess(json, ANSWER_LIMITS) !== undefined
  } catch {
    // A text that is not JSON is not parsed further.
    return false
  }
}

/** Maximum length of a key in an error message; longer keys are cut. */
const LONGEST_KEY = 64

const keyAt = (json: Uint8Array, at: number): string =>
  at < 0 ? '' : parseKeyText(json, at, skipJsonString(json, at)).slice(0, LONGEST_KEY)
