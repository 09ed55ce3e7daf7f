// Telegram's button sends the browser to an address of ours with what Telegram has signed about the person. That it was asked
// for here is not part of what is signed: a word that only this window knows goes along and comes back.
import { address, rememberPath } from './base.ts'

const KEPT = 'telegram_asked'

interface Kept {
  word: string
  from?: string
}

/** The address that the button sends to. @param from where to go then */
export function telegramReturn(from: string | undefined): string {
  const word = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  sessionStorage.setItem(KEPT, JSON.stringify({ word, from } satisfies Kept))
  return `${window.location.origin}${address('/oauth/telegram')}?state=${word}`
}

/** Once: was it asked for here? Then where to go is remembered. */
export function telegramAsked(state: string | undefined): boolean {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as Kept | null
  sessionStorage.removeItem(KEPT)
  if (kept === null || kept.word !== state) return false
  if (kept.from) rememberPath(kept.from)
  return true
}
