// The values before and after a change: the first one in the row, all of them below it.
import type { ReactNode } from 'react'
import type { AuditRow } from '../../../core/audit/audit.ts'
import { useFormat } from '../../data/use-format.ts'
import { useText, texts } from '../../data/texts.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { listAuditedChanges, type FieldChange } from './changes.ts'

const VIA_TEXTS = texts({ access_token: 'access token', session: 'session', local: 'terminal on the host' })

/** Fields that hold quota units. */
const MONEY = /^(quota|budget_(day|week|month)|remain_quota)$/

function useValue() {
  const t = useText()
  const format = useFormat()
  return (field: string, value: unknown): string => {
    if (value === undefined || value === null || value === '') return t('none')
    if (typeof value === 'boolean') return value ? t('on', { context: 'value' }) : t('off')
    if (typeof value === 'number') return MONEY.test(field) ? format.quota(value) : format.number(value)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

/** One line: the first changed field, and the number of further ones. */
export function FirstChangedField({ row }: { row: AuditRow }) {
  const t = useText()
  const formatValue = useValue()
  const changes = listAuditedChanges(row)
  const [first] = changes
  if (!first) return null
  const { field, before, after } = first
  const values =
    before === undefined ? formatValue(field, after) : `${formatValue(field, before)} → ${formatValue(field, after)}`
  const text = field === '' ? values : `${field}: ${values}`
  const more = changes.length > 1 ? ` · ${t('{n} more', { n: changes.length - 1 })}` : ''
  return (
    <span data-tip={text.length > 60 ? text : undefined}>
      {text}
      {more}
    </span>
  )
}

/** All changed fields, and the request that changed them. */
export function ChangedFieldList({ row }: { row: AuditRow }) {
  const t = useText()
  const changes = listAuditedChanges(row)
  const via = Object.hasOwn(VIA_TEXTS, row.via) ? t(VIA_TEXTS[row.via as keyof typeof VIA_TEXTS]) : row.via
  const facts: [string, ReactNode][] = [
    [t('Signed in by'), via],
    [t('IP address'), row.ip],
    [t('Request ID'), row.request_id],
  ]
  return (
    <div className="audit-details">
      {changes.length === 0 ? (
        <p className="muted">{t('Its values are not recorded.')}</p>
      ) : (
        <ChangeTable changes={changes} />
      )}
      <dl className="lines">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value === via ? <StandaloneWord>{via}</StandaloneWord> : value}</dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

function ChangeTable({ changes }: { changes: readonly FieldChange[] }) {
  const t = useText()
  const formatValue = useValue()
  return (
    <div className="audit-frame" tabIndex={0} role="region" aria-label={t('Change')}>
      <table className="audit-changes">
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            <th scope="col">{t('Before')}</th>
            <th scope="col">{t('After')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field || t('Value')}</th>
              <td>{formatValue(field, before)}</td>
              <td>{formatValue(field, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
