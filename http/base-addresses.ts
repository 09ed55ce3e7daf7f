// Base addresses as people type them: clients put `/v1/messages`, `/chat/completions` or `/models/X:generateContent`
// behind whatever they were given. One rule brings them to the paths that the relay serves.

/** The API that a base address names, where it does. */
export type Named = 'openai' | 'anthropic' | 'gemini'

export interface PlainPath {
  /** As the relay's table has it: `/v1/…`, or `/v1beta/…` and `/v1alpha/…` of Google. */
  path: string
  named?: Named
}

const NAMES: readonly string[] = ['openai', 'anthropic', 'gemini'] satisfies Named[]
/** Versions and names, as often as they were typed; `/api` only before a version, because Weir's own API is there. */
const HEAD = /^(?:\/api(?=\/v1))?((?:\/(?:v1|v1beta|v1alpha|openai|anthropic|gemini))+)(?=\/|$)/
/** What the table has itself. */
const PLAIN = /^\/v1(?:beta|alpha)?(?!\/(?:v1|openai|anthropic|gemini))(?:\/|$)/

/** Undefined where the path begins with no word of an API: then it may be anything. */
export function plainPath(typed: string): PlainPath | undefined {
  const path = normalizePath(typed)
  if (PLAIN.test(path)) return { path }
  const [head = '', words = ''] = HEAD.exec(path) ?? []
  if (head === '') return undefined
  const said = words.slice(1).split('/')
  const version = said.findLastIndex((word) => !NAMES.includes(word))
  const named = said.findLast((word): word is Named => NAMES.includes(word))
  // Behind Google's version, its own address of what is also OpenAI's.
  const compatible = said.lastIndexOf('openai') > version
  return {
    path: `/${compatible ? 'v1' : (said[version] ?? versionOf(named))}${path.slice(head.length)}`,
    ...(named ? { named } : {}),
  }
}

const versionOf = (named: Named | undefined): string => (named === 'gemini' ? 'v1beta' : 'v1')

/** Without empty segments, and without a slash at its end. */
export const normalizePath = (path: string): string =>
  path.includes('//') || path.endsWith('/') ? path.replace(/\/{2,}/g, '/').replace(/(?!^)\/$/, '') : path

/** Requests may name the whole address, as to a proxy (RFC 9112, 3.2.2). */
export const originForm = (url = '/'): string =>
  url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
