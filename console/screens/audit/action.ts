// Names of actions: `user.disable` consists of a noun and a verb, each with a translation.
import { useTexts } from '../../data/texts.tsx'
import { words } from './texts.ts'

/** The nouns of the audit, each with its verbs. */
export const AUDIT_VERBS = {
  user: [
    'create',
    'edit',
    'promote',
    'demote',
    'disable',
    'enable',
    'remove_proofs',
    'end_sessions',
    'delete',
    'forget',
  ],
  channel: ['create', 'update', 'copy', 'add_keys', 'disable_keys', 'enable_keys', 'remove_keys', 'delete'],
  token: ['create', 'update', 'disable', 'enable', 'delete'],
  team: [
    ...(['create', 'rename', 'add_member', 'member', 'remove_member', 'adjust', 'transfer', 'delete'] as const),
    ...(['invite', 'accept', 'decline', 'withdraw'] as const),
  ],
  setting: ['change'],
  price: ['change'],
  import: ['bring'],
  state: ['apply', 'export'],
  redemption: ['create', 'update', 'delete'],
  topup: ['complete', 'cancel', 'note'],
  alert: ['create', 'update', 'delete'],
  provider: ['create', 'update', 'delete'],
  device: ['allow', 'deny'],
  task: ['cancel', 'retry', 'refund'],
  usage: ['rebuild'],
  log: ['clean', 'move'],
  backup: ['make'],
  charge: ['retry'],
} as const

type Noun = keyof typeof AUDIT_VERBS
type Verb = (typeof AUDIT_VERBS)[Noun][number]

/** Returns a name such as `User: disabled`; an action without a translation unchanged. */
export function useActionName() {
  const t = useTexts(words)
  return (action: string): string => {
    const [noun = '', verb = ''] = action.split('.')
    const known = `noun_${noun as Noun}` as const
    if (!(known in t)) return action
    if (verb === '') return t[known]
    const done = `verb_${verb as Verb}` as const
    return `${t[known]}: ${done in t ? t[done] : verb}`
  }
}

/** Every noun alone, then with each of its verbs. */
export const ALL_ACTIONS: readonly string[] = Object.entries(AUDIT_VERBS).flatMap(([noun, verbs]) => [
  noun,
  ...(verbs.length > 1 ? verbs.map((verb) => `${noun}.${verb}`) : []),
])
