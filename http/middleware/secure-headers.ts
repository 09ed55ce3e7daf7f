// Headers that keep the console's pages to themselves. They grow with what the settings let the pages take part in.
import type { Middleware } from 'koa'
import { savedChats, getSite } from '../../core/contract/chat-links.ts'
import { foreignScripts } from '../../core/contract/foreign-scripts.ts'
import type { Gateway } from '../../core/index.ts'
import { getPeer } from '../peer.ts'

const YEAR_SECONDS = 365 * 24 * 3600

type Settings = ReturnType<Gateway['settings']>

/** The sites that an optional part of the console needs, by the directive that must name them. */
interface Part {
  isOn(settings: Settings): boolean
  script?: string
  frame?: string
  /** Where its form is posted to. */
  form?: string | ((settings: Settings) => string)
}

const parts: readonly Part[] = [
  ...Object.values(foreignScripts).map(({ setting, address, frame }): Part => ({
    isOn: (settings) => settings[setting],
    ...{ script: new URL(address).origin, frame },
  })),
  { isOn: (settings) => settings['stripe.secret_key'] !== '', form: 'https://checkout.stripe.com' },
  { isOn: (settings) => settings.PayAddress !== '', form: ({ PayAddress }) => new URL(PayAddress).origin },
]

/** The sites of saved chats, and of pages that stand in the place of ours. */
function framedSites({ Chats, HomePageContent, About }: Settings): string[] {
  const pages = [HomePageContent, About].map((text) => text.trim()).filter((text) => text.startsWith('https://'))
  const chats = (savedChats(Chats) ?? []).map(({ template }) => template)
  return [...new Set([...pages, ...chats].flatMap((address) => getSite(address) ?? []))]
}

function policyOf(settings: Settings): string {
  const on = parts.filter(({ isOn }) => isOn(settings))
  const scripts = on.flatMap(({ script }) => script ?? [])
  const forms = on.flatMap(({ form }) => (typeof form === 'function' ? form(settings) : (form ?? [])))
  const frames = [...on.flatMap(({ frame }) => frame ?? []), ...framedSites(settings)]
  return [
    "default-src 'self'",
    // No script may be inline.
    ["script-src 'self'", ...scripts].join(' '),
    // Semi UI sets styles from script.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    // Songs and films lie where providers have put them.
    "media-src 'self' https:",
    "font-src 'self' data:",
    ["frame-src 'self'", ...frames].join(' '),
    "connect-src 'self'",
    "base-uri 'self'",
    ["form-action 'self'", ...forms].join(' '),
    "object-src 'none'",
    // The sites that may frame this one.
    ["frame-ancestors 'self'", ...settings.FrameAncestors].join(' '),
  ].join('; ')
}

export function secureHeaders({ settings }: Pick<Gateway, 'settings'>): Middleware {
  let of: Settings | undefined
  let policy = ''
  return async (context, next) => {
    const current = settings()
    // Settings are one frozen object until one of them changes.
    if (current !== of) policy = policyOf((of = current))
    if (getPeer({ settings }, context).secure) context.set('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    context.set('content-security-policy', policy)
    context.set('x-content-type-options', 'nosniff')
    context.set('referrer-policy', 'same-origin')
    // The older header knows no list; browsers that know the policy do not look at it.
    if (current.FrameAncestors.length === 0) context.set('x-frame-options', 'SAMEORIGIN')
    await next()
  }
}
