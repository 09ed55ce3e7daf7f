// The bills of the last days by model: the actual charge, and the charge at the new price.
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import type { PriceDifference } from './draft.ts'
import { words } from './texts.ts'

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
  const t = useTexts(words)
  const format = useFormat()
  const shown = [...rows].sort((a, b) => Math.abs(b.would_charge - b.charged) - Math.abs(a.would_charge - a.charged))
  return (
    <div className="price-frame" tabIndex={0} role="region" aria-label={t.trialDays}>
      <table className="price-lines">
        <thead>
          <tr>
            <th scope="col">{t.model}</th>
            <th scope="col" className="right">
              {t.now}
            </th>
            <th scope="col" className="right">
              {t.after}
            </th>
            <th scope="col" className="right">
              {t.change}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ model, users, calls, charged, would_charge }) => (
            <tr key={model}>
              <th scope="row">
                {model}
                <div className="hint">
                  {fillPhrase(t.wouldPart, { calls: format.number(calls), users: format.number(users) })}
                </div>
              </th>
              <td className="right number">{format.quota(charged)}</td>
              <td className="right number">{format.quota(would_charge)}</td>
              <td className="right number">
                <ChangeShare was={charged} is={would_charge} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The relative change of a number. */
export function ChangeShare({ was, is }: { was: number | undefined; is: number | undefined }) {
  const format = useFormat()
  if (!was || is === undefined || was === is) return null
  const share = is / was - 1
  return <>{`${share > 0 ? '+' : ''}${format.percent(share)}`}</>
}
