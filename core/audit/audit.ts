// The audit: author, time, old and new value of every change. Rows are written with the change, and never edited.
import { z } from 'zod'
import { declareListing } from '../contract/page.ts'

/** How changes can be sorted. */
export const auditListOrder = declareListing({
  name: 'audit',
  columns: ['id', 'created_at', 'username', 'action', 'target'],
  first: '-id',
  sums: [],
})

export const AuditRow = z.object({
  id: z.number(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** 0 if there is no user: the terminal before a super administrator exists. */
  user_id: z.number(),
  username: z.string(),
  /** How they proved who they are: session, access_token or local. */
  via: z.string(),
  ip: z.string(),
  request_id: z.string(),
  /** `noun.verb`, as `setting.change`. */
  action: z.string(),
  /** The changed object: a key, or an id. */
  target: z.string(),
  /** Texts; a secret shows only whether it was set. */
  before: z.string(),
  after: z.string(),
})
z.globalRegistry.add(AuditRow, { id: 'AuditRow' })
export type AuditRow = z.infer<typeof AuditRow>
export type NewAuditRow = Omit<AuditRow, 'id'>

/** The author of a change, and the request. */
export type ChangeAuthor = Pick<AuditRow, 'user_id' | 'username' | 'via' | 'ip' | 'request_id'>

/** The caller of a request as an author. */
export const toAuditAuthor = (caller: {
  user: { id: number; username: string } | null
  via: string
  ip: string
  request_id: string
}): ChangeAuthor => ({
  user_id: caller.user?.id ?? 0,
  username: caller.user?.username ?? '',
  via: caller.via,
  ip: caller.ip,
  request_id: caller.request_id,
})

/** Masks a secret for an audit row. */
export const maskSecretValue = (secret: string): string => (secret === '' ? '' : '***')
