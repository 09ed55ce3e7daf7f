// Request ids: the client's, if the settings allow that; otherwise a new one of UTC time to the millisecond and 12 random letters
// and digits. Such ids can be sorted, and are unique enough to identify one call.
import { randomFillSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Gateway } from '../core/index.ts'

const LETTERS = Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzAB', 'latin1')
const RANDOM_LENGTH = 12
const SECOND_LENGTH = 14
const TIME_LENGTH = SECOND_LENGTH + 3
const ZERO = 48

/** Random bytes for many ids, drawn at once, since this runs on every call. For the same reason the text of a second is reused. */
const pool = new Uint8Array(RANDOM_LENGTH * 512)
let used = pool.length
let second = 0
const text = Buffer.alloc(TIME_LENGTH + RANDOM_LENGTH)

/** Ids accepted from clients: long enough to be distinct, and without characters that are special in logs, headers or addresses. */
const NAMED = /^[\w.:-]{8,128}$/

/** Returns the id of a request: the one in X-Request-Id if the settings allow that, otherwise a new one. */
export function resolveRequestId({ settings }: Pick<Gateway, 'settings'>, { headers }: IncomingMessage): string {
  const named = settings()['relay.share_request_ids'] ? headers['x-request-id'] : undefined
  return typeof named === 'string' && NAMED.test(named) ? named : requestId()
}

export function requestId(): string {
  const now = Date.now()
  const ms = now % 1000
  if (now - ms !== second) {
    second = now - ms
    text.write(new Date(second).toISOString().replace(/\D/g, '').slice(0, SECOND_LENGTH), 'latin1')
  }
  text[SECOND_LENGTH] = ZERO + Math.floor(ms / 100)
  text[SECOND_LENGTH + 1] = ZERO + (Math.floor(ms / 10) % 10)
  text[SECOND_LENGTH + 2] = ZERO + (ms % 10)
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  for (let at = TIME_LENGTH; at < text.length; at++) text[at] = LETTERS[pool[used++]! & 63]!
  return text.toString('latin1')
}
