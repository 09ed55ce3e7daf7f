// The last 24 hours of a channel: its attempts and their times by the hour, what is paused, and its last failures.
import type { Channel } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { useText } from '../../data/texts.tsx'
import { DataChart } from '../../parts/chart/chart.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'

const HOUR = 3600
/** Characters of a time of day without its seconds. */
const CLOCK_LENGTH = 5

export function ChannelHealthSection({ channel: { id, test_time } }: { channel: Channel }) {
  const t = useText()
  const format = useFormat()
  const translate = useTranslatedLogText()
  const { data } = useEndpoint(['channels.health', id, test_time], () => apiClient.channels.health({ ids: String(id) }))
  const health = data?.channels[0]
  if (!data) return <LoadingIndicator />
  const cells = health?.cells ?? []
  const buckets = cells.map((_, at) => format.clock(data.from + at * HOUR).slice(0, CLOCK_LENGTH))
  const answered = cells.map((cell) => cell?.answered ?? 0)
  const failed = cells.map((cell) => cell?.failed ?? 0)
  const sum = (counts: readonly number[]) => counts.reduce((all, each) => all + each, 0)
  const [calls, errors] = [sum(answered), sum(failed)]
  return (
    <div className="channel-charts">
      {health?.circuits.map(({ model, until }) => (
        <InlineNote key={`${model} ${until}`} warns>
          {t('{model} is paused until {time} after failures', { model, time: format.clock(until) })}
        </InlineNote>
      ))}
      {health?.last_test && !health.last_test.passed && (
        <InlineNote warns>
          {t('Last test, {time}: {error}', {
            time: format.rowTime(health.last_test.tested_at),
            error: translate(health.last_test.error),
          })}
        </InlineNote>
      )}
      {health?.last_error && (
        <InlineNote warns>
          {t('Last error, {time}: {error}', {
            time: format.rowTime(health.last_error.at),
            error: translate(health.last_error.error),
          })}
        </InlineNote>
      )}
      <DataChart
        kind="bars"
        label={t('Attempts by the hour')}
        note={
          calls + errors > 0 ? t('Answered: {share}', { share: format.percent(calls / (calls + errors)) }) : undefined
        }
        exactNote={t('{answered} answered, {failed} failed', {
          answered: format.number(calls),
          failed: format.number(errors),
        })}
        bucketLabel={t('Hour')}
        format={format.number}
        data={{
          buckets,
          series: [
            { name: t('Answered'), values: answered },
            { name: t('Failed'), values: failed },
          ],
        }}
      />
      <DataChart
        kind="lines"
        label={t('Response time by the hour')}
        bucketLabel={t('Hour')}
        format={format.duration}
        data={{
          buckets,
          series: [
            { name: t('Average'), values: cells.map((cell) => cell?.avg_ms ?? 0) },
            { name: t('First token'), values: cells.map((cell) => cell?.first_ms ?? 0) },
          ],
        }}
      />
    </div>
  )
}
