import { useText } from '../../../data/texts.tsx'

// Ratios that apply to users of one group when they use another, in place of its general ratio: one row per pair.
import { IconDelete } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { Button, Input, InputNumber } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'
import { parseJsonTable, formatJsonTable } from './table.ts'

type RatioRow = readonly [user: string, call: string, ratio: number]

export function SpecialRatiosEditor({ label, value, disabled, onChange }: EditorProps) {
  const t = useText()
  const [draftRows, setDraftRows] = useState<readonly RatioRow[]>(() => parseRows(value))
  const rows = formatRows(draftRows) === formatRows(parseRows(value)) ? draftRows : parseRows(value)
  const put = (next: readonly RatioRow[]) => {
    setDraftRows(next)
    onChange(formatRows(next))
  }
  const change = (at: number, row: RatioRow) => put(rows.map((one, index) => (index === at ? row : one)))
  return (
    <div className="editor">
      {rows.map(([user, call, ratio], at) => (
        <div key={at} className="pair-row">
          <Input
            aria-label={`${label}: ${t('Group of the user')} ${at + 1}`}
            placeholder={t('Group of the user')}
            disabled={disabled}
            value={user}
            onChange={(text) => change(at, [text.trim(), call, ratio])}
          />
          <Input
            aria-label={`${label}: ${t('Group of the call')} ${at + 1}`}
            placeholder={t('Group of the call')}
            disabled={disabled}
            value={call}
            onChange={(text) => change(at, [user, text.trim(), ratio])}
          />
          <InputNumber
            aria-label={`${label}: ${t('Ratio')} ${at + 1}`}
            disabled={disabled}
            min={0}
            value={ratio}
            onNumberChange={(typed) => change(at, [user, call, typed])}
          />
          <Button
            theme="borderless"
            type="tertiary"
            disabled={disabled}
            icon={<IconDelete aria-hidden />}
            aria-label={t('Remove {name}', { name: call || String(at + 1) })}
            onClick={() => put(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div className="field-row">
        <Button size="small" type="tertiary" disabled={disabled} onClick={() => setDraftRows([...rows, ['', '', 1]])}>
          {t('Add a row')}
        </Button>
      </div>
    </div>
  )
}

const parseRows = (text: string): RatioRow[] =>
  Object.entries(parseJsonTable<Record<string, number>>(text)).flatMap(([user, calls]) =>
    Object.entries(calls).map(([call, ratio]): RatioRow => [user, call, ratio]),
  )

/** Rows without both names are skipped. */
function formatRows(rows: readonly RatioRow[]): string {
  const table: Record<string, Record<string, number>> = {}
  for (const [user, call, ratio] of rows) if (user && call) table[user] = { ...table[user], [call]: ratio }
  return formatJsonTable(table)
}
