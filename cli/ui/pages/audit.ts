// The history of changes, searched by its server.
import type { AuditRow } from '../../../core/audit/audit.ts'
import { auditView } from '../../nouns/audit-row.ts'
import { words } from '../../texts.ts'
import { parseRowFilter } from '../arrange.ts'
import { declareUiPage } from '../page.ts'

const PAGE_SIZE = 100
const FILTERS = ['user', 'action', 'target']

export const auditPage = declareUiPage<AuditRow>({
  name: 'audit',
  title: words('Audit'),
  view: auditView,
  empty: words('Nothing was changed.'),
  every_ms: 10_000,
  filters: FILTERS,
  async load({ client }, filter) {
    const { text, fields } = parseRowFilter(filter, FILTERS)
    const { user = '', action = text, target = '' } = fields
    const query = { username: user, action, target, p: 1, page_size: PAGE_SIZE }
    const { items, total } = await client.audit.list(query)
    return { rows: items, total }
  },
  actions: [],
  id: ({ id }) => id,
  copied: ({ target }) => target,
})
