// Telegram's button sends the browser to a console address with signed data about the user. The signature does not
// cover who requested it, so a random value that only this window knows goes along and is compared on return.
import { toServerAddress, rememberConsolePath } from './base.ts'

const STORED_KEY = 'telegram_asked'

interface StoredRequest {
  word: string
  from?: string
}

/** Returns the address that the button sends to. @param from the page to open afterwards */
export function buildTelegramReturn(from: string | undefined): string {
  const word = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  sessionStorage.setItem(STORED_KEY, JSON.stringify({ word, from } satisfies StoredRequest))
  return `${window.location.origin}${toServerAddress('/oauth/telegram')}?state=${word}`
}

/** Returns whether this window made the request, once; if so, remembers the page to open. */
export function acceptTelegramReturn(state: string | undefined): boolean {
  const stored = JSON.parse(sessionStorage.getItem(STORED_KEY) ?? 'null') as StoredRequest | null
  sessionStorage.removeItem(STORED_KEY)
  if (stored === null || stored.word !== state) return false
  if (stored.from) rememberConsolePath(stored.from)
  return true
}
