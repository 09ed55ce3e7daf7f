// Display of the audit log.
import type { AuditRow } from '../../core/audit/audit.ts'
import type { Words } from '../../core/errors.ts'
import { words } from '../texts.ts'
import { count, object, text, time, word, type OutputView, type ViewField } from '../output/view.ts'

const VIA = {
  session: words('console'),
  access_token: words('access token'),
  local: words('terminal'),
}

/** Declares a field with JSON of the row's fields, or the text of a setting; scripts get an object if it is one. */
const changeField = (title: Words, rank: number, of: (row: AuditRow) => string): ViewField<AuditRow> => ({
  ...object<AuditRow>(title, (row) => parseChange(of(row))),
  rank,
  shown: of,
  flexible: true,
})

function parseChange(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export const auditView: OutputView<AuditRow> = {
  id: count(words('ID'), 5, ({ id }) => id),
  time: time(words('TIME'), 1, (row) => row.created_at),
  user: text(words('USER'), 1, ({ username }) => username),
  user_id: count(words('USER ID'), 0, (row) => row.user_id),
  action: text(words('ACTION'), 1, ({ action }) => action, { tone: () => 'strong' }),
  target: text(words('TARGET'), 1, ({ target }) => target, { flexible: true }),
  before: changeField(words('BEFORE'), 3, ({ before }) => before),
  after: changeField(words('AFTER'), 2, ({ after }) => after),
  via: word(words('VIA'), 4, VIA, ({ via }) => via),
  ip: text(words('ADDRESS'), 4, ({ ip }) => ip),
  request_id: text(words('REQUEST', { context: 'content' }), 0, (row) => row.request_id),
}
