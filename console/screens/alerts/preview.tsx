// The times at which a rule would have alerted, from the data of the last days.
import { useState } from 'react'
import type { WatchedMetric } from '../../../core/alerts/alert.ts'
import type { AlertPreview } from '../../../core/alerts/contract.ts'
import { formatAlertValue } from '../../../core/alerts/message.ts'
import { apiClient } from '../../data/client.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { InlineNote } from '../../parts/status/note.tsx'
import { Button } from '../../semi.ts'
const DAYS = 7
const SHOWN = 10

export function RulePreview({ watched }: { watched: WatchedMetric }) {
  const t = useText()
  const { language } = useLanguage()
  const format = useFormat()
  const [found, setFound] = useState<AlertPreview | null>(null)
  const [ask, busy] = useAction(async () => setFound(await apiClient.alerts.preview({ ...watched, days: DAYS })))
  const text = (value: number) => formatAlertValue(watched.kind, value)[language]
  return (
    <>
      <Button loading={busy} onClick={() => void ask()}>
        {t('Try on the last {days} days', { days: DAYS })}
      </Button>
      {found && (
        <InlineNote>
          {found.worst === null
            ? t('There is no data of the last {days} days to try this on.', { days: DAYS })
            : t('Would have notified {times} times in the last {days} days; the worst value was {worst}.', {
                times: found.times,
                days: DAYS,
                worst: text(found.worst),
              })}
          {found.fired.length > 0 && (
            <ul>
              {found.fired.slice(-SHOWN).map(({ from, to, subject, worst }) => (
                <li key={`${subject} ${from}`}>
                  {t('{from} to {to}{subject}: {worst}', {
                    from: format.rowTime(from),
                    to: format.rowTime(to),
                    subject: subject && ` · ${subject}`,
                    worst: text(worst),
                  })}
                </li>
              ))}
            </ul>
          )}
        </InlineNote>
      )}
    </>
  )
}
