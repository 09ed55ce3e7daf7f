// Usage of the last days by a dimension, largest first.
import { fillTemplate } from '../../../core/errors.ts'
import type { UsageDimension, UsageShareRow } from '../../nouns/usage.ts'
import { drawnUsageView, USAGE_DIMENSIONS, USAGE_ROW_NAMES } from '../../nouns/usage.ts'
import { parseMomentFlag } from '../../input/flags.ts'
import { words } from '../../texts.ts'
import { parseRowFilter, pickFilterValue } from '../arrange.ts'
import { declareUiPage, matchesFilter } from '../page.ts'

const FILTERS = ['by', 'since', 'user', 'token', 'team', 'group', 'model', 'channel']
/** The endpoint returns no more. */
const MAX_ROWS = '1000'
/** The period without a filter. */
const SINCE = '7d'
/** Times are columns of `weir usage`, not rows of this page. */
const DIMENSIONS = USAGE_DIMENSIONS.filter((one) => !['day', 'week', 'month', 'hour'].includes(one))

export const usagePage = declareUiPage<UsageShareRow>({
  name: 'usage',
  title: words('Usage'),
  view: drawnUsageView,
  empty: words('No calls in that time.'),
  every_ms: 30_000,
  filters: FILTERS,
  async load({ client }, filter) {
    const { text, fields } = parseRowFilter(filter, FILTERS)
    const { by: typed = 'model', since = SINCE, ...only } = fields
    const by: UsageDimension = pickFilterValue('by', typed, DIMENSIONS)
    const answer = await client.usage.query({
      ...only,
      by,
      step: 'total',
      limit: MAX_ROWS,
      times: 'true',
      from: String(parseMomentFlag('since', since, -1)),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
    const most = answer.total.quota
    const rows = answer.rows
      .map((row) => ({ ...row, name: USAGE_ROW_NAMES[by](row) || '-', share: most > 0 ? row.quota / most : 0 }))
      .filter(({ name }) => matchesFilter(text, name))
    const note = fillTemplate(NOTE, { by, since })
    return { rows, total: rows.length, note }
  },
  actions: [],
  id: ({ name }) => name,
  copied: ({ name }) => name,
})

const NOTE = words('By {by}, since {since}. The filter takes another dimension, period or name: by:user since:30d')
