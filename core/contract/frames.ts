// The messages between Weir's pages and a page that frames them: plain objects over `postMessage`, in both directions.
// `docs/embedding.md` explains them.
import type { Language } from '../errors.ts'

/** The request header with the value `1` for a page inside a frame of another site. */
export const FRAMED_REQUEST_HEADER = 'x-weir-framed'

/** The messages of a framed page to the page around it. */
export type FromWeir = { source: 'weir' } & (
  | { type: 'ready' }
  /** Height of the content in CSS pixels, sent again on every change. */
  | { type: 'height'; height: number }
  /** The current location: a path such as `/log?span=week`, and the title of the page. */
  | { type: 'navigated'; path: string; title: string }
  /** true if a user is signed in; sent at the start and on every change. */
  | { type: 'session'; signed_in: boolean }
)

/** The messages of the page around it. */
export type ToWeir =
  /** A path of the console. */
  | { type: 'navigate'; path: string }
  | { type: 'theme'; mode: 'light' | 'dark' }
  | { type: 'language'; language: Language }
  /** Signs the user out. */
  | { type: 'sign_out' }

/** Returns the message if it is a valid one from the page around Weir's; else undefined. */
export function parseFrameMessage(data: unknown): ToWeir | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, path, mode, language } = data as Record<string, unknown>
  // Two slashes would be another host.
  if (type === 'navigate' && typeof path === 'string' && /^\/(?![/\\])/.test(path)) return { type, path }
  if (type === 'theme' && (mode === 'light' || mode === 'dark')) return { type, mode }
  if (type === 'language' && (language === 'en' || language === 'zh')) return { type, language }
  return type === 'sign_out' ? { type } : undefined
}

// Scripts of others that the console's pages take in, each only where its setting is on: the policy of the pages is opened
// for these addresses and no others, and the pages load them from here.

interface ForeignScript {
  /** The flag that switches on what needs it. */
  setting: string
  address: string
  /** The site whose frame it opens in the page. */
  frame: string
}

export const foreignScriptOrigins = {
  turnstile: {
    setting: 'TurnstileCheckEnabled',
    address: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    frame: 'https://challenges.cloudflare.com',
  },
  telegram: {
    setting: 'TelegramOAuthEnabled',
    address: 'https://telegram.org/js/telegram-widget.js?22',
    frame: 'https://oauth.telegram.org',
  },
} as const satisfies Record<string, ForeignScript>
