// Estimates what a JSON text costs to parse and to walk through, before it is parsed. This is the one bound of how many
// objects, members and items a text may hold (SECURITY.md). Letters cost next to nothing beside them, and are bounded in
// bytes.
import { fail } from '../errors.ts'
import { keyText, skipString } from './json-bytes.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/**
 * Weights, in the cost of a number in a list. The dearest step of a call (a reader or a writer of a format) takes about
 * 0.1 µs for each unit: objects are walked member by member, and one of many keys becomes a table of hashes.
 */
const OBJECT_OR_LIST = 20
const MEMBER = 20
const TEXT_ITEM = 4
const MEMBER_OF_MANY = 100
/** An object has many members from here on. No schema, message or map of a model's words comes near it. */
const MANY = 1000
/** In place of the number of members. */
const LIST = -1

export interface JsonLimits {
  /** Levels of objects and lists inside each other. */
  depth: number
  /** Sum of the weights. */
  cost: number
  /** Weight of an item of a list, beside its own members; 1 where only numbers come in such numbers. */
  item: number
}

/** The exceeded limit, and the key of the top-level member that exceeds it (empty if the text is no object). */
export interface JsonExcess {
  of: 'depth' | 'cost'
  param: string
}

/**
 * The first thing in a JSON text that is beyond a limit; undefined where there is none. Reads each byte once at most.
 * @throws GatewayError request.unreadable where a text in it does not end
 */
export function findExcess(json: Uint8Array, { depth, cost, item }: JsonLimits): JsonExcess | undefined {
  // A short text cannot exceed either limit: every level takes two bytes, and no byte weighs more than a member of many.
  if (json.length <= 2 * depth && json.length * MEMBER_OF_MANY <= cost) return undefined
  /** Of each open level: how many members it has so far, or that it is a list. */
  const members: number[] = [LIST]
  let level = 0
  let left = cost
  let key = -1
  for (let at = 0; at < json.length;) {
    const byte = json[at]!
    if (byte === QUOTE) {
      if (level === 1 && key < 0 && members[1] !== LIST) key = at
      else if (level > 0 && members[level] === LIST && (left -= TEXT_ITEM) < 0)
        return { of: 'cost', param: keyAt(json, key) }
      at = skipString(json, at)
      continue
    }
    if (byte === OPEN || byte === OPEN_LIST) {
      left -= OBJECT_OR_LIST + (byte === OPEN ? MEMBER : item)
      if (++level > depth) return { of: 'depth', param: keyAt(json, key) }
      members[level] = byte === OPEN ? 1 : LIST
    } else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (level > 0) level--
    } else if (byte === COMMA && level > 0) {
      if (level === 1) key = -1
      left -= members[level] === LIST ? item : ++members[level]! > MANY ? MEMBER_OF_MANY : MEMBER
    }
    if (left < 0) return { of: 'cost', param: keyAt(json, key) }
    at++
  }
  return undefined
}

/** Limits of a provider's answer or event. The cost has room for two thousand long embeddings; depth costs nothing by itself. */
const ANSWER_LIMITS: JsonLimits = { depth: Infinity, cost: 8_000_000, item: 1 }
/** No byte weighs more than a member of many: shorter ones are within the cost. */
const ANY_ANSWER_BYTES = ANSWER_LIMITS.cost / MEMBER_OF_MANY

/**
 * Weighs what a provider sends before it is parsed.
 * @throws GatewayError upstream.unreadable where it costs more than any answer does
 */
export function refuseCostlyAnswer(json: Uint8Array): void {
  if (json.length > ANY_ANSWER_BYTES && isCostly(json))
    fail('upstream.unreadable', {}, { detail: 'it holds more values than an answer may' })
}

function isCostly(json: Uint8Array): boolean {
  try {
    return findExcess(json, ANSWER_LIMITS) !== undefined
  } catch {
    // A text that is no JSON is not parsed any further.
    return false
  }
}

/** Longer keys are cut: they are told in an error. */
const LONGEST_KEY = 64

const keyAt = (json: Uint8Array, at: number): string =>
  at < 0 ? '' : keyText(json, at, skipString(json, at)).slice(0, LONGEST_KEY)
