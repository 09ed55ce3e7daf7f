// Acts of the command palette on the audit: the changes made by a user, and the changes of a user.
import { declareActs } from '../act.ts'

const buildAuditPath = (filter: Record<string, string>) => `/audit?${new URLSearchParams(filter).toString()}`

export const declaration = declareActs({
  acts: [
    {
      key: 'audit.by',
      title: (t) => t('See the changes made by a user…'),
      access: 'admin',
      about: 'user',
      run: (go, { name }) => go(buildAuditPath({ username: name })),
    },
    {
      key: 'audit.channel',
      title: (t) => t('See the changes of a channel…'),
      access: 'admin',
      about: 'channel',
      run: (go, { id }) => go(buildAuditPath({ action: 'channel', target: id })),
    },
  ],
})
