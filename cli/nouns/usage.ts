// Display of usage: calls, tokens and cost by a dimension.
import type { WeirClient } from '../../core/contracts.ts'
import { formatLocalTime } from '../output/format.ts'
import { drawBar } from '../output/progress.ts'
import { count, money, ms, number, object, text, time, type OutputView } from '../output/view.ts'
import { words } from '../texts.ts'

export type UsageReply = Awaited<ReturnType<WeirClient['usage']['query']>>
export type UsageReportRow = UsageReply['rows'][number]
/** A row with its share of the total charge, 0 to 1. */
export type UsageShareRow = UsageReportRow & { name: string; share: number }

/** The dimensions of a report. */
export const USAGE_DIMENSIONS = [
  'user',
  'token',
  'team',
  'group',
  'model',
  'channel',
  'day',
  'week',
  'month',
  'hour',
] as const
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number]

/** The name of a row in each dimension. */
export const USAGE_ROW_NAMES: Record<UsageDimension, (row: UsageReportRow) => string | undefined> = {
  user: ({ username }) => username,
  token: (row) => row.token_name,
  team: (row) => row.team_name,
  group: (row) => row.group,
  model: (row) => row.model_name,
  channel: (row) => row.channel_name,
  day: ({ date }) => date,
  week: ({ date }) => date,
  month: ({ date }) => date,
  hour: ({ at }) => formatLocalTime(at).slice(0, 16),
}
const BAR = 16
const failedTone = ({ failed }: UsageReportRow) => (failed > 0 ? 'bad' : 'plain')

export const usageView: OutputView<UsageShareRow> = {
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  share: number(words('SHARE'), 1, ({ share }) => Math.round(share * 10_000) / 10_000, {
    shown: ({ share }) => `${(share * 100).toFixed(1)}%`,
  }),
  calls: count(words('CALLS'), 1, ({ calls }) => calls),
  failed: count(words('FAILED'), 2, ({ failed }) => failed, { tone: failedTone }),
  prompt_tokens: count(words('IN'), 3, (row) => row.prompt_tokens),
  cached_tokens: count(words('CACHED'), 5, (row) => row.cached_tokens),
  output_tokens: count(words('OUT'), 3, (row) => row.output_tokens),
  quota: money(words('CHARGE'), 1, ({ quota }) => quota),
  cost: money(words('COST'), 4, ({ cost }) => cost),
  p50_ms: ms(words('P50'), 4, (row) => row.latency_ms?.p50),
  p95_ms: ms(words('P95'), 3, (row) => row.latency_ms?.p95),
  first_p50_ms: ms(words('FIRST P50'), 0, (row) => row.first_content_ms?.p50),
  first_p95_ms: ms(words('FIRST P95'), 0, (row) => row.first_content_ms?.p95),
  errors: object(words('ERRORS'), ({ errors }) => errors),
  at: time(words('FROM'), 0, ({ at }) => at),
  date: text(words('DATE'), 0, ({ date }) => date || null),
}

/** For people: a bar replaces the share. */
export const drawnUsageView: OutputView<UsageShareRow> = {
  ...usageView,
  share: { ...usageView.share!, kind: 'text', shown: ({ share }) => drawBar(share, BAR), tone: () => 'good' },
}
