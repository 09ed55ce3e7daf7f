// The bill of a call: the stored lines of its charge, their sum, the rounding, and the change of the balance.
import type { ReactNode } from 'react'
import type { ChargeExplanation } from '../../../core/logs/explanation.ts'
import { useServerStatus } from '../../data/status.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { CopyableText } from '../../parts/text/copy.tsx'
import { formatLineName, formatLinePrice } from './charge-line.ts'
/** The fields of a bill in a row of the log, and those that the ledger adds. */
export type BillData = Pick<ChargeExplanation, 'lines' | 'quota' | 'group_ratio'> &
  Partial<Pick<ChargeExplanation, 'exact' | 'rounding' | 'entry' | 'followed' | 'balance_before' | 'balance_after'>>

export function CallBill({ bill, estimated }: { bill: BillData; estimated: boolean }) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  const { quota_per_unit } = useServerStatus()
  const { lines, quota, exact, rounding, entry, followed = [], balance_before, balance_after } = bill
  const group = bill.group_ratio ?? 1
  const hasTiers = lines.some(({ multiplier }) => multiplier !== undefined)
  const span = hasTiers ? 5 : 4
  return (
    <div className="bill">
      <div className="billing-frame" tabIndex={0} role="region" aria-label={t('Billing process')}>
        <table className="billing">
          <caption>{t('Billing process')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Item')}</th>
              <th scope="col">{t('Count')}</th>
              <th scope="col">{t('Base price')}</th>
              <th scope="col">{t('Group')}</th>
              {hasTiers && <th scope="col">{t('Tiers')}</th>}
              <th scope="col">{t('Amount')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <tr key={index}>
                <td>{formatLineName(line, language)}</td>
                <td>{format.number(Number(line.count))}</td>
                <td>
                  {formatLinePrice(
                    { ...line, price: group > 0 ? Number(line.price) / group : line.price },
                    quota_per_unit,
                    language,
                  )}
                </td>
                <td>× {group}</td>
                {hasTiers && <td>{line['multiplier'] === undefined ? '' : `× ${String(line['multiplier'])}`}</td>}
                <td>{format.exactQuota(Number(line.quota))}</td>
              </tr>
            ))}
            {rounding !== undefined && Number(rounding) !== 0 && (
              <>
                <Sum span={span} title={t('Sum')}>
                  {format.exactQuota(Number(exact))}
                </Sum>
                <Sum span={span} title={t('Rounding')}>
                  {format.exactQuota(Number(rounding))}
                </Sum>
              </>
            )}
            <Sum span={span} title={t('Charged')} total>
              {format.exactQuota(quota)}
            </Sum>
          </tbody>
        </table>
      </div>
      {!entry && rounding !== undefined && quota > 0 && (
        <p className="hint">{t('From the log row; the ledger has no entry for it.')}</p>
      )}
      {estimated && <p className="hint">{t('Estimated: the provider reported no usage')}</p>}
      {entry && (
        <dl className="lines">
          <div>
            <dt>{t('Balance before')}</dt>
            <dd>{format.exactQuota(balance_before ?? 0)}</dd>
          </div>
          <div>
            <dt>{t('Balance after')}</dt>
            <dd>{format.exactQuota(balance_after ?? 0)}</dd>
          </div>
          <div>
            <dt>{t('Ledger entry')}</dt>
            <dd>{t('{id} of {time}', { id: entry.id, time: format.zoned(entry.created_at) })}</dd>
          </div>
          {followed.map(({ id, amount, created_at }) => (
            <div key={id}>
              <dt>{amount < 0 ? t('Charged more') : t('Given back')}</dt>
              <dd>
                {format.exactQuota(Math.abs(amount))}, {t('{id} of {time}', { id, time: format.zoned(created_at) })}
              </dd>
            </div>
          ))}
          {entry.hold_id && (
            <div>
              <dt>{t('Receipt')}</dt>
              <dd>
                <CopyableText text={entry.hold_id} />
              </dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

function Sum({ span, title, total, children }: { span: number; title: string; total?: boolean; children: ReactNode }) {
  return (
    <tr className={total ? 'billing-total' : undefined}>
      <td colSpan={span}>{title}</td>
      <td>{children}</td>
    </tr>
  )
}
