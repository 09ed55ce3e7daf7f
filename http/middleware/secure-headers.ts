// Security headers of the console's pages. The settings determine which other sites they allow.
import type { Middleware } from 'koa'
import { parseSavedChats, getSite } from '../../core/contract/chat-links.ts'
import { foreignScriptOrigins } from '../../core/contract/frames.ts'
import type { Gateway } from '../../core/index.ts'
import { getPeer } from '../peer.ts'

const YEAR_SECONDS = 365 * 24 * 3600

type Settings = ReturnType<Gateway['settings']>

/** The sites that an optional part of the console needs, by the directive that must name them. */
interface PolicyPart {
  isOn(settings: Settings): boolean
  script?: string
  frame?: string
  /** The site that its form is posted to. */
  form?: string | ((settings: Settings) => string)
}

const parts: readonly PolicyPart[] = [
  ...Object.values(foreignScriptOrigins).map(({ setting, address, frame }): PolicyPart => ({
    isOn: (settings) => settings[setting],
    script: new URL(address).origin,
    frame,
  })),
  { isOn: (settings) => settings['stripe.secret_key'] !== '', form: 'https://checkout.stripe.com' },
  { isOn: (settings) => settings.PayAddress !== '', form: ({ PayAddress }) => new URL(PayAddress).origin },
]

/** Returns the sites of saved chats, and of pages that replace the console's. */
function framedSites({ Chats, HomePageContent, About }: Settings): string[] {
  const pages = [HomePageContent, About].map((text) => text.trim()).filter((text) => text.startsWith('https://'))
  const chats = (parseSavedChats(Chats) ?? []).map(({ template }) => template)
  return [...new Set([...pages, ...chats].flatMap((address) => getSite(address) ?? []))]
}

function buildPolicy(settings: Settings): string {
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
    // Songs and films are on the sites of providers.
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

export function addSecureHeaders({ settings }: Pick<Gateway, 'settings'>): Middleware {
  let of: Settings | undefined
  let policy = ''
  return async (context, next) => {
    const current = settings()
    // Settings are one frozen object until one of them changes.
    if (current !== of) policy = buildPolicy((of = current))
    if (getPeer({ settings }, context).secure) context.set('strict-transport-security', `max-age=${YEAR_SECONDS}`)
    context.set('content-security-policy', policy)
    context.set('x-content-type-options', 'nosniff')
    context.set('referrer-policy', 'same-origin')
    // The older header supports no list, and browsers that support the policy ignore it.
    if (current.FrameAncestors.length === 0) context.set('x-frame-options', 'SAMEORIGIN')
    await next()
  }
}
