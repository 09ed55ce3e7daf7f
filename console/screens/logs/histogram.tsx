// The calls of the log's time range by hour or day, with the failed ones. A bar leads to its time.
import { apiClient } from '../../data/client.ts'
import { getReportZone } from '../../data/status.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { getRange } from '../../parts/filters/time-span.tsx'
import { getNowSeconds } from '../../parts/text/time.tsx'
import type { LogQuery } from './use-log-list.ts'

const DAY = 86_400
/** A longer range is shown by days. */
const LONGEST_BY_HOUR = 3 * DAY
const HEIGHT = 44
/** Least height of a bar with calls, in px. */
const LEAST = 2

interface Props {
  query: LogQuery
  isAdmin: boolean
  find(change: { span: string; start: string; end: string }): void
}

export function LogHistogram({ query, isAdmin, find }: Props) {
  const t = useText()
  const format = useFormat()
  const { model_name: model, token_name: token, group, channel, username: user } = query.search
  const { operation, request_id, min_ms, min_quota } = query.search
  // The usage does not know these filters, nor patterns of names.
  const isKnown = [operation, request_id, min_ms, min_quota].every((value) => value === '') && !model.includes('%')
  const { data } = useEndpoint(
    ['usage.query', 'histogram', query, isAdmin],
    () => {
      const { start, end } = getRange(query)
      const step = end - start > LONGEST_BY_HOUR ? ('day' as const) : ('hour' as const)
      const input = {
        from: String(start),
        to: String(Math.min(end, getNowSeconds())),
        zone: getReportZone(),
        step,
        by: '' as const,
        model,
        token,
        group,
      }
      return isAdmin ? apiClient.usage.query({ ...input, channel, user }) : apiClient.usage.querySelf(input)
    },
    isKnown,
  )
  if (!isKnown || data?.rows.length === 0) return null
  if (!data) return <div className="log-histogram" />
  const byStep = new Map(data.rows.map((row) => [row.at, row]))
  const bars = data.steps.map(({ at }, index) => {
    const { calls = 0, failed = 0 } = byStep.get(at) ?? {}
    return { at, until: data.steps[index + 1]?.at ?? data.to, calls, failed }
  })
  const most = Math.max(1, ...bars.map(({ calls, failed }) => calls + failed))
  const scale = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * HEIGHT))
  return (
    <div className="log-histogram" role="group" aria-label={t('Calls over time')}>
      {bars.map(({ at, until, calls, failed }) => {
        const what = t('{time}: {calls} calls, {failed} failed', {
          time: format.rowTime(at),
          calls: format.number(calls),
          failed: format.number(failed),
        })
        return (
          <button
            key={at}
            type="button"
            tabIndex={-1}
            aria-label={what}
            data-tip={what}
            onClick={() => find({ span: 'own', start: String(at), end: String(until) })}
          >
            <span className="log-bar-failed" style={{ height: scale(failed) }} />
            <span className="log-bar" style={{ height: scale(calls) }} />
          </button>
        )
      })}
    </div>
  )
}
