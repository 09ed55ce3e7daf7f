// Telegram's button sends the browser to a console address with signed data about the user. The signature does not
// cover who requested it, so a random value that only this window knows goes along and is compared on return.
import { address, rememberPath } from './base.ts'

const KEPT = 'telegram_asked'

interface Kept {
  word: string
  from?: string
}

/** Returns the address that the button sends to. @param from the page to open afterwards */
export function telegramReturn(from: string | undefined): string {
  const word = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  sessionStorage.setItem(KEPT, JSON.stringify({ word, from } satisfies Kept))
  return `${window.location.origin}${address('/oauth/telegram')}?state=${word}`
}

/** Returns whether this window made the request, once; if so, remembers the page to open. */
export function telegramAsked(state: string | undefined): boolean {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
  sessionStorage.removeItem(KEPT)
  if (kept === null || kept.word !== state) return false
  if (kept.from) rememberPath(kept.from)
  return true
}
