// Ids of requests: UTC time to the millisecond, then 12 random letters and digits. Sortable, and unique enough to name one call.
import { randomFillSync } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzAB'
const RANDOM_LENGTH = 12

/** Chance is drawn for many ids at once, and the time is written anew only when it has moved: this runs on every call. */
const pool = new Uint8Array(RANDOM_LENGTH * 512)
let used = pool.length
let lastTime = 0
let lastText = ''

export function requestId(): string {
  const now = Date.now()
  if (now !== lastTime) {
    lastTime = now
    lastText = new Date(now).toISOString().replace(/\D/g, '')
  }
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = lastText
  for (const end = used + RANDOM_LENGTH; used < end; used += 1) text += LETTERS[(pool[used] ?? 0) & 63]
  return text
}
