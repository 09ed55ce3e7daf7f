// How the terminal shows what people changed.
import type { AuditRow } from '../../core/audit/audit.ts'
import { words } from '../../core/errors.ts'
import { count, text, time, word, type View } from '../view.ts'

const VIA = {
  session: words('console', '控制台'),
  access_token: words('access token', '访问令牌'),
  local: words('terminal', '终端'),
}

export const auditView: View<AuditRow> = {
  id: count(words('ID', '编号'), 5, ({ id }) => id),
  time: time(words('TIME', '时间'), 1, (row) => row.created_at),
  user: text(words('USER', '用户'), 1, ({ username }) => username),
  user_id: count(words('USER ID', '用户编号'), 0, (row) => row.user_id),
  action: text(words('ACTION', '操作'), 1, ({ action }) => action, { tone: () => 'strong' }),
  target: text(words('TARGET', '对象'), 1, ({ target }) => target, { flexible: true }),
  before: text(words('BEFORE', '之前'), 3, ({ before }) => before, { flexible: true }),
  after: text(words('AFTER', '之后'), 2, ({ after }) => after, { flexible: true }),
  via: word(words('VIA', '途径'), 4, VIA, ({ via }) => via),
  ip: text(words('ADDRESS', '地址'), 4, ({ ip }) => ip),
  request_id: text(words('REQUEST', '请求'), 0, (row) => row.request_id),
}
