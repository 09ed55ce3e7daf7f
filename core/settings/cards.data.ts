// The layout of the settings screen: its tabs, and the cards of each tab in order.
import { words, type Words } from '../errors.ts'

export const tabs = {
  operation: words('Operation', { context: 'tab' }),
  ratelimit: words('Rate limit'),
  models: words('Models', { context: 'tab' }),
  system: words('System'),
  other: words('Other'),
} as const satisfies Record<string, Words>

export type Tab = keyof typeof tabs

/** By `tab.card`. */
export const cards = {
  'operation.general': words('General'),
  'operation.groups': words('Groups', { context: 'card' }),
  'operation.prices': words('Model prices'),
  'operation.chat': words('Chat'),
  'operation.quota': words('Quota', { context: 'card' }),
  'operation.drawing': words('Drawing and tasks'),
  'operation.sensitive': words('Sensitive words'),
  'operation.logs': words('Log'),
  'operation.bodies': words('Bodies of calls'),
  'operation.dashboard': words('Dashboard', { context: 'card' }),
  'operation.monitoring': words('Monitoring'),
  'operation.routing': words('Routing', { context: 'card' }),
  'operation.waits': words('Time limits and sizes'),
  'ratelimit.requests': words('Model requests'),
  'ratelimit.limits': words('Limits per minute'),
  'models.gemini': words('Gemini'),
  'models.claude': words('Claude'),
  'models.global': words('All models'),
  'models.responses': words('Stored responses'),
  'system.server': words('Server address', { context: 'card' }),
  'system.worker': words('Worker'),
  'system.payment': words('Payment'),
  'system.epay': words('Epay'),
  'system.stripe': words('Stripe'),
  'system.login': words('Login and registration'),
  'system.email': words('E-mail domains', { context: 'card' }),
  'system.smtp': words('Mail'),
  'system.oidc': words('OIDC', { context: 'card' }),
  'system.github': words('GitHub', { context: 'card' }),
  'system.linuxdo': words('LinuxDO', { context: 'card' }),
  'system.wechat': words('WeChat', { context: 'card' }),
  'system.telegram': words('Telegram', { context: 'card' }),
  'system.turnstile': words('Human check', { context: 'card' }),
  'system.network': words('Network'),
  'other.content': words('Contents of the site'),
  'other.version': words('Version'),
} as const satisfies Record<`${Tab}.${string}`, Words>

export type Card = keyof typeof cards

export const getCardTab = (card: Card): Tab => card.slice(0, card.indexOf('.')) as Tab
