import { useText } from '../../data/texts.tsx'

// Tiers of a price in rows: the length or the service from which each applies, and its factors for input and output.
import { IconDelete } from '@douyinfe/semi-icons'
import { FormField } from '../../parts/form/field.tsx'
import { Button, Input, InputNumber } from '../../semi.ts'
import type { TierRow } from './draft.ts'

interface Props {
  field: string
  label: string
  hint: string
  /** Header of the first field. */
  head: string
  rows: readonly TierRow[]
  onChange(rows: TierRow[]): void
}

export function TierRows({ field, label, hint, head, rows, onChange }: Props) {
  const t = useText()
  const change = (at: number, part: Partial<TierRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <FormField field={field} label={label} hint={hint}>
      {rows.map((row, at) => (
        <div key={at} className="tier-row">
          <Input
            aria-label={`${label}: ${head} ${at + 1}`}
            placeholder={head}
            value={row.at}
            onChange={(text) => change(at, { at: text })}
          />
          {(['input', 'output'] as const).map((part) => (
            <InputNumber
              key={part}
              hideButtons
              aria-label={`${label}: ${part === 'input' ? t('Input ×') : t('Output ×')} ${at + 1}`}
              prefix={part === 'input' ? t('Input ×') : t('Output ×')}
              min={0}
              max={1000}
              value={row[part]}
              onNumberChange={(value) => change(at, { [part]: value })}
            />
          ))}
          <Button
            theme="borderless"
            type="tertiary"
            icon={<IconDelete aria-hidden />}
            aria-label={t('Remove tier {n}', { n: row.at || at + 1 })}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div className="field-row">
        <Button
          size="small"
          type="tertiary"
          onClick={() => onChange([...rows, { at: '', input: 1, output: 1, cache: {} }])}
        >
          {t('Add tier')}
        </Button>
      </div>
    </FormField>
  )
}
