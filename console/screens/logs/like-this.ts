// Links from a row to similar ones: filters built from its fields.
import { LOG_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { useTexts } from '../../data/texts.tsx'
import type { MenuItem } from '../../parts/menu.tsx'
import { filters, type LogFilter } from './use-log-list.ts'
import { words } from './texts.ts'

type Found = Partial<Record<LogFilter, string>>

interface Like {
  label: keyof (typeof words)['en']
  /** Only administrators filter by channels and users. */
  admin?: boolean
  /** null if the row lacks the field. */
  of(row: LogEntry): Found | null
}

const LIKE: readonly Like[] = [
  { label: 'sameModel', of: ({ model_name }) => (model_name ? { model_name } : null) },
  { label: 'sameToken', of: ({ token_name }) => (token_name ? { token_name } : null) },
  { label: 'sameUser', admin: true, of: ({ username }) => (username ? { username } : null) },
  { label: 'sameChannel', admin: true, of: ({ channel }) => (channel ? { channel: String(channel) } : null) },
  { label: 'sameGroup', of: ({ group }) => (group ? { group } : null) },
  {
    label: 'sameError',
    of: ({ type, model_name, channel }) =>
      type === LOG_TYPE.error
        ? { type: String(LOG_TYPE.error), model_name, ...(channel ? { channel: String(channel) } : {}) }
        : null,
  },
]

/** Shows only the similar rows: earlier filters are reset. */
export function useLikeThis(isAdmin: boolean, find: (change: Found) => void) {
  const t = useTexts(words)
  const nothing = { ...filters, type: '0', operation: '' }
  return (row: LogEntry): MenuItem[] =>
    LIKE.flatMap(({ label, admin, of }) => {
      const found = admin && !isAdmin ? null : of(row)
      return found ? [{ key: label, label: t[label], run: () => find({ ...nothing, ...found }) }] : []
    })
}
