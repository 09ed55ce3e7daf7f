// A preview of a draft price: the change of each component, and of the bills of the last days.
import { useEffect, useState } from 'react'
import { quietClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import type { PriceDifference, toPriceRequest } from './draft.ts'
import { BillsTable, sumBills } from './bills.tsx'
import { LineDiff } from './line-diff.tsx'
/** Number of days of the bills. */
export const TRIAL_PERIOD_DAYS = 7
/** Pause after the last key, in ms. */
const PAUSE = 400

export type TrialQuery = ReturnType<typeof toPriceRequest>

/** Returns the effect of a price, undefined while it is invalid; requested after a pause in typing. */
export function useTrial(query: TrialQuery | null) {
  const text = JSON.stringify(query)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return useEndpointWithError(['prices.preview', settled], async () => {
    const one = JSON.parse(settled) as TrialQuery | null
    if (!one) return null
    const { data } = await quietClient.prices.preview({ changes: [one], days: TRIAL_PERIOD_DAYS })
    return { model: one.model, rows: data }
  })
}

type PriceTrial = ReturnType<typeof useTrial>

export function TrialPreview({ found: { data, error, loading } }: { found: PriceTrial }) {
  const t = useText()
  const row = data?.rows.find(({ model }) => model === data.model)
  return (
    <section className="price-trial" aria-label={t('Effect on past bills')} aria-busy={loading}>
      <h2>{t('Effect on past bills')}</h2>
      {error ? (
        <p role="alert" className="field-error">
          {t('The effect could not be calculated: {why}', { why: error })}
        </p>
      ) : data === undefined ? (
        <LoadingIndicator />
      ) : !row ? (
        <p className="muted">{t('You have not changed the price yet.')}</p>
      ) : (
        <Outcome row={row} rows={data!.rows} />
      )}
    </section>
  )
}

function Outcome({ row, rows }: { row: PriceDifference; rows: readonly PriceDifference[] }) {
  const t = useText()
  const format = useFormat()
  if (row.status === 'same') return <p className="muted">{t('You have not changed the price yet.')}</p>
  const others = rows.filter((each) => each !== row)
  const sum = sumBills(rows)
  return (
    <>
      <LineDiff now={row.now} there={row.there} />
      {others.length > 0 && (
        <p>
          {t('Models with the same price change, too:')} {others.map(({ model }) => model).join(', ')}
        </p>
      )}
      {row.there.length === 0 ? (
        <InlineNote warns>{t('The model would have no price: its calls would be refused.')}</InlineNote>
      ) : sum.calls === 0 ? (
        <p className="muted">{t('No calls in the last 7 days: no bill would change.')}</p>
      ) : (
        <>
          <p className="price-would">
            {t('Bills of the last 7 days')}:{' '}
            <strong>
              {t('would have charged {after} instead of {now}', {
                now: format.quota(sum.charged),
                after: format.quota(sum.would_charge),
              })}
            </strong>
          </p>
          <BillsTable rows={rows.filter(({ calls }) => calls > 0)} />
          <p className="hint">{t('An estimate: tiers, pictures and sound count as plain tokens do.')}</p>
        </>
      )}
    </>
  )
}
