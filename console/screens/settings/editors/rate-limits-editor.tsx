// Rate limits: one row per scope with calls and tokens per minute, and calls at the same time; empty for no limit.
import { IconDelete } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { texts, useText } from '../../../data/texts.tsx'
import { SegmentedChoice } from '../../../parts/form/choice.tsx'
import { Button, Input } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'
import { formatJsonTable, parseJsonTable } from './table.ts'
import { TableOrJson } from './table-or-json.tsx'

const SCOPES = ['default', 'users_of', 'user', 'group'] as const
type ScopeKind = (typeof SCOPES)[number]

const LIMITS = ['requests_per_minute', 'tokens_per_minute', 'max_concurrent'] as const
type LimitName = (typeof LIMITS)[number]
type Rates = Partial<Record<LimitName, number>>

interface RateRow {
  kind: ScopeKind
  /** The group or the id of the user; empty for `default`. */
  name: string
  /** As typed. */
  limits: Record<LimitName, string>
}

const SCOPE_TEXTS = texts<ScopeKind>({
  default: 'Each user',
  users_of: 'Each user of the group',
  user: 'The user with the id',
  group: 'The whole group',
})
const LIMIT_TEXTS = texts<LimitName>({
  requests_per_minute: 'Calls per minute',
  tokens_per_minute: 'Tokens per minute',
  max_concurrent: 'Concurrent calls',
})

const NEW: RateRow = {
  kind: 'default',
  name: '',
  limits: { requests_per_minute: '', tokens_per_minute: '', max_concurrent: '' },
}

export function RateLimitsEditor(props: EditorProps) {
  const { label, value, disabled, onChange } = props
  const t = useText()
  const stored = parseRows(value)
  const [draftRows, setDraftRows] = useState<readonly RateRow[]>(stored ?? [])
  // Rows in progress may lack a name, so they are retained until the value is changed elsewhere.
  const rows = stored === undefined || formatRows(draftRows) === formatRows(stored) ? draftRows : stored
  const put = (next: readonly RateRow[]) => {
    setDraftRows(next)
    onChange(formatRows(next))
  }
  const change = (at: number, part: Partial<RateRow>) =>
    put(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <TableOrJson {...props} isTable={stored !== undefined}>
      {rows.map(({ kind, name, limits }, at) => {
        const heading = `${label}: ${t(SCOPE_TEXTS[kind])} ${name}`.trim()
        return (
          <fieldset key={at} className="rate-row" disabled={disabled} aria-label={heading}>
            <div className="rate-scope">
              <SegmentedChoice
                label={`${label}: ${t('Applies to')} ${at + 1}`}
                disabled={disabled}
                value={kind}
                options={SCOPES.map((each) => ({ value: each, label: t(SCOPE_TEXTS[each]) }))}
                onChange={(next) => change(at, { kind: SCOPES.find((each) => each === next) ?? 'default' })}
              />
              {kind !== 'default' && (
                <Input
                  aria-label={`${heading}: ${kind === 'user' ? t('ID of the user') : t('Group')}`}
                  placeholder={kind === 'user' ? t('ID of the user') : t('Group')}
                  disabled={disabled}
                  value={name}
                  onChange={(text) => change(at, { name: text.trim() })}
                />
              )}
              <Button
                theme="borderless"
                type="tertiary"
                disabled={disabled}
                icon={<IconDelete aria-hidden />}
                aria-label={t('Remove {name}', { name: heading })}
                onClick={() => put(rows.filter((_, index) => index !== at))}
              />
            </div>
            <div className="rate-limits">
              {LIMITS.map((limit) => (
                <label key={limit}>
                  <span>{t(LIMIT_TEXTS[limit])}</span>
                  <Input
                    aria-label={`${heading}: ${t(LIMIT_TEXTS[limit])}`}
                    inputMode="numeric"
                    placeholder={t('no limit')}
                    disabled={disabled}
                    value={limits[limit]}
                    onChange={(text) => change(at, { limits: { ...limits, [limit]: text.trim() } })}
                  />
                </label>
              ))}
            </div>
          </fieldset>
        )
      })}
      <div className="field-row">
        <Button
          size="small"
          type="tertiary"
          disabled={disabled}
          onClick={() =>
            put([...rows, rows.some(({ kind }) => kind === 'default') ? { ...NEW, kind: 'users_of' } : NEW])
          }
        >
          {t('Add a row')}
        </Button>
      </div>
    </TableOrJson>
  )
}

/** Returns a row per scope; undefined if the table cannot show one of them. */
function parseRows(text: string): RateRow[] | undefined {
  const rows = Object.entries(parseJsonTable<Rates>(text)).map(([scope, rates]) => {
    const [kind, ...name] = scope.split(':')
    const known = SCOPES.find((each) => each === kind && (each === 'default') === (name.length === 0))
    const isPlain =
      typeof rates === 'object' &&
      rates !== null &&
      Object.keys(rates).every((key) => LIMITS.includes(key as LimitName))
    if (!known || !isPlain) return undefined
    const limits = Object.fromEntries(LIMITS.map((limit) => [limit, String(rates[limit] ?? '')]))
    return { kind: known, name: name.join(':'), limits: limits as RateRow['limits'] }
  })
  return rows.some((row) => row === undefined) ? undefined : (rows as RateRow[])
}

/** Rows without a name are skipped. A limit that is not a number yet is kept as text, so that its error names the row. */
const formatRows = (rows: readonly RateRow[]): string =>
  formatJsonTable(
    Object.fromEntries(
      rows
        .filter(({ kind, name }) => kind === 'default' || name !== '')
        .map(({ kind, name, limits }) => [
          kind === 'default' ? kind : `${kind}:${name}`,
          Object.fromEntries(
            LIMITS.filter((limit) => limits[limit] !== '').map((limit) => [limit, toNumber(limits[limit])]),
          ),
        ]),
    ),
  )

const toNumber = (typed: string) => (Number.isFinite(Number(typed)) ? Number(typed) : typed)
