// Display of the audit log.
import type { AuditRow } from '../../core/audit/audit.ts'
import { words, type Words } from '../../core/errors.ts'
import { count, object, text, time, word, type View, type ViewField } from '../view.ts'

const VIA = {
  session: words('console', '控制台'),
  access_token: words('access token', '访问令牌'),
  local: words('terminal', '终端'),
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

export const auditView: View<AuditRow> = {
  id: count(words('ID', '编号'), 5, ({ id }) => id),
  time: time(words('TIME', '时间'), 1, (row) => row.created_at),
  user: text(words('USER', '用户'), 1, ({ username }) => username),
  user_id: count(words('USER ID', '用户编号'), 0, (row) => row.user_id),
  action: text(words('ACTION', '操作'), 1, ({ action }) => action, { tone: () => 'strong' }),
  target: text(words('TARGET', '对象'), 1, ({ target }) => target, { flexible: true }),
  before: changeField(words('BEFORE', '之前'), 3, ({ before }) => before),
  after: changeField(words('AFTER', '之后'), 2, ({ after }) => after),
  via: word(words('VIA', '途径'), 4, VIA, ({ via }) => via),
  ip: text(words('ADDRESS', '地址'), 4, ({ ip }) => ip),
  request_id: text(words('REQUEST', '请求'), 0, (row) => row.request_id),
}
