// What Weir's pages and a page that frames them say to each other: each message is a plain object over `postMessage`, both ways.
// `docs/embedding.md` explains them.
import type { Language } from '../errors.ts'

/** With the value `1`: the page that asks stands in a frame of another site. */
export const FRAMED_HEADER = 'x-weir-framed'

/** What a framed page says to the page around it. */
export type FromWeir = { source: 'weir' } & (
  | { type: 'ready' }
  /** How high the content is, in CSS pixels; said again whenever that changes. */
  | { type: 'height'; height: number }
  /** Where it is now: a path such as `/log?span=week`, and the title of the page. */
  | { type: 'navigated'; path: string; title: string }
  /** Whether somebody is signed in here; said at the start and on every change. */
  | { type: 'session'; signed_in: boolean }
)

/** What the page around it may say. */
export type ToWeir =
  /** A path of the console. */
  | { type: 'navigate'; path: string }
  | { type: 'theme'; mode: 'light' | 'dark' }
  | { type: 'language'; language: Language }
  /** Whoever is signed in leaves. */
  | { type: 'sign_out' }

/** The message, where it is one that Weir takes from the page around it. */
export function messageToWeir(data: unknown): ToWeir | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { type, path, mode, language } = data as Record<string, unknown>
  // Two slashes would be another host.
  if (type === 'navigate' && typeof path === 'string' && /^\/(?![/\\])/.test(path)) return { type, path }
  if (type === 'theme' && (mode === 'light' || mode === 'dark')) return { type, mode }
  if (type === 'language' && (language === 'en' || language === 'zh')) return { type, language }
  return type === 'sign_out' ? { type } : undefined
}
