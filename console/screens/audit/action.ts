import { useText, texts, type TextKey } from '../../data/texts.tsx'

export const NOUNS = texts<Noun>({
  price: 'Price',
  alert: 'Alert rule',
  log: 'Log',
  user: 'User',
  channel: 'Channel',
  token: 'Token',
  team: 'Team',
  usage: 'Usage',
  redemption: 'Redemption code',
  setting: 'Setting',
  state: 'State file',
  provider: 'Sign-in service',
  backup: 'Backup',
  charge: 'Refused charge',
  topup: 'Order',
  task: 'Task',
  import: 'Import',
  device: 'Device',
})

export const VERBS = texts<Verb>({
  note: 'noted',
  disable: 'disabled',
  allow: 'allowed',
  promote: 'promoted',
  demote: 'demoted',
  enable: 'enabled',
  delete: 'deleted',
  change: 'changed',
  move: 'moved',
  transfer: 'balance transferred',
  refund: 'given back',
  cancel: 'cancelled',
  retry: 'submitted again',
  member: 'member changed',
  create: 'created',
  update: 'changed',
  copy: 'copied',
  apply: 'applied',
  export: 'exported with secrets sealed',
  rebuild: 'recalculated',
  accept: 'invitation accepted',
  decline: 'invitation declined',
  withdraw: 'invitation withdrawn',
  adjust: 'balance adjusted',
  complete: 'completed',
  bring: 'brought',
  forget: 'forgotten',
  make: 'made',
  edit: 'changed',
  remove_proofs: 'second factors removed',
  end_sessions: 'signed out everywhere',
  add_keys: 'keys added',
  disable_keys: 'keys disabled',
  enable_keys: 'keys enabled',
  remove_keys: 'keys removed',
  rename: 'renamed',
  add_member: 'member added',
  remove_member: 'member removed',
  invite: 'invitation sent',
  share_view: 'view shared',
  rename_view: 'view renamed',
  delete_view: 'view deleted',
  deny: 'denied',
  clean: 'cleaned up',
})

// Names of actions: `user.disable` consists of a noun and a verb, each with a translation.
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
    ...(['invite', 'accept', 'decline', 'withdraw', 'share_view', 'rename_view', 'delete_view'] as const),
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
  const t = useText()
  return (action: string): string => {
    const [noun = '', verb = ''] = action.split('.')
    if (!isKeyOf(NOUNS, noun)) return action
    const name = t(NOUNS[noun], { context: 'noun' })
    if (verb === '') return name
    return t('{name}: {verb}', { name, verb: isKeyOf(VERBS, verb) ? t(VERBS[verb], { context: 'verb' }) : verb })
  }
}

const isKeyOf = <K extends string>(known: Readonly<Record<K, TextKey>>, name: string): name is K =>
  Object.hasOwn(known, name)

/** Every noun alone, then with each of its verbs. */
export const ALL_AUDIT_ACTIONS: readonly string[] = Object.entries(AUDIT_VERBS).flatMap(([noun, verbs]) => [
  noun,
  ...(verbs.length > 1 ? verbs.map((verb) => `${noun}.${verb}`) : []),
])
