// Deletes old rows of the log after a confirmation, and shows the progress.
import { useEffect, useState } from 'react'
import { apiClient, quietClient, RequestFailure } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useAction, useEndpoint } from '../../../data/use-endpoint.ts'
import { useFormat } from '../../../data/use-format.ts'
import { useText } from '../../../data/texts.tsx'
import { askConfirmation } from '../../../parts/overlay/confirm.tsx'
import { DateTimeField } from '../../../parts/form/date-time.tsx'
import { FormField } from '../../../parts/form/field.tsx'
import { getNowSeconds } from '../../../parts/text/time.tsx'
import { useSeen } from '../../../parts/use-seen.ts'
import { Button } from '../../../semi.ts'
const MONTH = 30 * 86_400
const LOOK_AGAIN_MS = 1000

export function LogCleanUp() {
  const [place, seen] = useSeen()
  const t = useText()
  const format = useFormat()
  const [before, setBefore] = useState<number | null>(() => getNowSeconds() - MONTH)
  const progress = useEndpoint(['logs.cleanUpProgress'], () => apiClient.logs.cleanUpProgress(), seen)
  const running = progress.data?.running === true
  const { reload } = progress
  useEffect(() => {
    if (!running) return
    const timer = setInterval(reload, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [running, reload])
  const [wasRunning, setWasRunning] = useState(false)
  useEffect(() => {
    if (wasRunning && !running)
      showNotice.success(t('{n} log rows removed', { n: format.number(progress.data?.removed ?? 0) }))
    setWasRunning(running)
  }, [running, wasRunning, t, format, progress.data])

  const [clean, busy] = useAction(async () => {
    if (before === null || Number.isNaN(before)) return showNotice.error(t('choose a date first'))
    const title = t('Remove all log rows older than {time}?', { time: format.time(before) })
    const { kinds } = await apiClient.logs.cleanUpProgress({ target_timestamp: before })
    const rows = Object.fromEntries(kinds.map(({ kind, rows }) => [kind, format.number(rows)]))
    const body = t(
      '{calls} rows of calls, {errors} of failed calls, {events} of account events. Charges, receipts and usage totals stay.',
      rows as Record<(typeof kinds)[number]['kind'], string>,
    )
    if (!(await askConfirmation({ title, body, yes: t('Clear log') }))) return
    try {
      const { data, running: isRunning } = await quietClient.logs.cleanUp({ target_timestamp: before })
      if (isRunning) reload()
      else showNotice.success(t('{n} log rows removed', { n: format.number(data) }))
    } catch (error) {
      if (error instanceof RequestFailure && error.kind)
        showNotice.error(t('log clean-up failed: {message}', { message: error.message }))
      throw error
    }
  })
  return (
    <div ref={place} className="setting setting-extra">
      <FormField label={t('Remove rows older than')}>
        <div className="field-row">
          <DateTimeField label={t('Remove rows older than')} value={before} onChange={setBefore} />
          <Button type="danger" loading={busy || running} onClick={() => void clean()}>
            {t('Clear log')}
          </Button>
        </div>
      </FormField>
      {running && (
        <p role="status" className="hint">
          {t('Removing: {removed} of {total}', {
            removed: format.number(progress.data!.removed),
            total: format.number(progress.data!.total),
          })}
        </p>
      )}
    </div>
  )
}
