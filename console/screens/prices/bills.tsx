// The bills of the last days by model: the actual charge, and the charge at the new price.
import { useFormat } from '../../data/use-format.ts'
import { useText } from '../../data/texts.tsx'
import type { PriceDifference } from './draft.ts'
type Bill = Pick<PriceDifference, 'model' | 'users' | 'calls' | 'charged' | 'would_charge'>

/** Sums quota units and calls. */
export const sumBills = (rows: readonly Bill[]) => {
  const sum = (of: (row: Bill) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    calls: sum(({ calls }) => calls),
    charged: sum((row) => row.charged),
    would_charge: sum((row) => row.would_charge),
  }
}

export function BillsTable({ rows }: { rows: readonly Bill[] }) {
  const t = useText()
  const format = useFormat()
  const shown = [...rows].sort((a, b) => Math.abs(b.would_charge - b.charged) - Math.abs(a.would_charge - a.charged))
  return (
    <div className="price-frame" tabIndex={0} role="region" aria-label={t('Bills of the last 7 days')}>
      <table className="price-lines">
        <thead>
          <tr>
            <th scope="col">{t('Model')}</th>
            <th scope="col" className="right">
              {t('Now')}
            </th>
            <th scope="col" className="right">
              {t('Then')}
            </th>
            <th scope="col" className="right">
              {t('Change', { context: 'difference' })}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ model, users, calls, charged, would_charge }) => (
            <tr key={model}>
              <th scope="row">
                {model}
                <div className="hint">
                  {t('{calls} calls by {users} users', { calls: format.number(calls), users: format.number(users) })}
                </div>
              </th>
              <td className="right number">{format.quota(charged)}</td>
              <td className="right number">{format.quota(would_charge)}</td>
              <td className="right number">
                <RelativeChange was={charged} is={would_charge} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The relative change of a number. */
export function RelativeChange({ was, is }: { was: number | undefined; is: number | undefined }) {
  const format = useFormat()
  if (!was || is === undefined || was === is) return null
  const share = is / was - 1
  return <>{`${share > 0 ? '+' : ''}${format.percent(share)}`}</>
}
