// Usage for the dashboard: of all users for administrators, otherwise the user's own.
import { CALL_ERROR_KINDS } from '../../../core/usage/counted-call.ts'
import { apiClient } from '../../data/client.ts'
import { getReportZone } from '../../data/status.ts'
import { texts } from '../../data/texts.tsx'
import { getNowSeconds } from '../../parts/text/time.tsx'
import type { ReportGrain } from './grain.ts'

export const OWN_USAGE_DIMENSIONS = ['model', 'token', 'group', 'team'] as const
export const USAGE_DIMENSIONS = [...OWN_USAGE_DIMENSIONS, 'user', 'channel'] as const
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number]

export const DIMENSION_TEXTS = texts<UsageDimension>({
  model: 'Model',
  token: 'Token',
  group: 'Group',
  team: 'Team',
  user: 'User',
  channel: 'Channel',
})

export const OWN_USAGE_MEASURES = ['quota', 'calls', 'tokens', 'failed'] as const
export const USAGE_MEASURES = [...OWN_USAGE_MEASURES, 'cost', 'margin'] as const
export type UsageMeasure = (typeof USAGE_MEASURES)[number]

export const MEASURE_TEXTS = texts<UsageMeasure>({
  quota: 'Quota',
  tokens: 'Tokens',
  failed: 'Errors',
  calls: 'Calls',
  cost: 'Cost',
  margin: 'Margin',
})

export type UsageFilters = Readonly<Record<UsageDimension, string>>

type OwnAnswer = Awaited<ReturnType<typeof apiClient.usage.querySelf>>
type FullAnswer = Awaited<ReturnType<typeof apiClient.usage.query>>
export type UsageTotal = OwnAnswer['total'] & Partial<FullAnswer['total']>
export type ReportRow = OwnAnswer['rows'][number] & Partial<FullAnswer['rows'][number]>
/** The usage with its question: until another answer arrives, the shown one belongs to the question before. */
export type UsageAnswer = Omit<OwnAnswer, 'rows' | 'course' | 'total' | 'previous'> & {
  rows: ReportRow[]
  /** The sums of all groups in each step; none if they were not asked for. */
  course: ReportRow[]
  total: UsageTotal
  previous?: UsageTotal | undefined
} & Pick<UsageReportQuery, 'by' | 'step'>

/** In epoch seconds. */
export interface UsagePeriod {
  from: number
  to: number
}

interface UsageReportQuery extends UsagePeriod {
  filters: UsageFilters
  step: ReportGrain | 'total'
  /** Whether to add the sums of all groups in each step, and the total of the period before. */
  whole?: boolean
  by?: UsageDimension
  measure: UsageMeasure
  limit?: number
  times?: boolean
}

/** The groups to return first; groups cannot be ordered by margin. */
const ORDERS = {
  quota: 'quota',
  calls: 'calls',
  tokens: 'tokens',
  failed: 'errors',
  cost: 'cost',
  margin: 'quota',
} as const satisfies Record<UsageMeasure, string>

/** The period must not end in the future. */
export async function queryUsageReport(isAdmin: boolean, question: UsageReportQuery): Promise<UsageAnswer> {
  const { from, to, filters, step, by, measure, limit = 1, times = false, whole = false } = question
  const { user, channel, ...own } = filters
  const order = ORDERS[measure]
  const input = {
    from: String(from),
    to: String(Math.min(to, getNowSeconds())),
    step,
    limit,
    times: String(times),
    course: String(whole),
    previous: String(whole),
    zone: getReportZone(),
    ...own,
  }
  const answer = isAdmin
    ? await apiClient.usage.query({ ...input, by: by ?? '', user, channel, order })
    : await apiClient.usage.querySelf({ ...input, by: by ?? '', order: order === 'cost' ? 'quota' : order })
  return { ...answer, course: answer.course ?? [], by, step }
}

export function getMeasureValue(row: UsageTotal, measure: UsageMeasure): number {
  if (measure === 'tokens') return row.prompt_tokens + row.output_tokens
  if (measure === 'margin') return row.quota - (row.cost ?? 0)
  return row[measure] ?? 0
}

/** Returns a value of each step over all groups, 0 for steps without usage. */
export function listStepValues({ steps, course }: UsageAnswer, of: (row: ReportRow) => number): number[] {
  const values = steps.map(() => 0)
  const places = new Map(steps.map(({ at }, place) => [at, place]))
  for (const row of course) values[places.get(row.at) ?? 0]! += of(row)
  return values
}

/** Returns the number of errors of each kind that occurred. */
export const listErrorKinds = (rows: readonly ReportRow[]) =>
  CALL_ERROR_KINDS.filter((kind) => rows.some(({ errors }) => errors[kind] > 0))

/** Returns the label of a row and the text that filters by it. Calls without a token or a channel have neither. */
export function getGroupLabel(row: ReportRow, by: UsageDimension): { key: string; name: string } {
  const toGroup = (id: number | undefined, name: string | undefined) => ({
    key: id ? String(id) : '',
    name: name ?? '',
  })
  if (by === 'model') return { key: row.model_name ?? '', name: row.model_name ?? '' }
  if (by === 'group') return { key: row.group ?? '', name: row.group ?? '' }
  if (by === 'token') return toGroup(row.token_id, row.token_name)
  if (by === 'team') return toGroup(row.team_id, row.team_name)
  return by === 'user' ? toGroup(row.user_id, row.username) : toGroup(row.channel_id, row.channel_name)
}
