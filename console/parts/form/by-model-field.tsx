import { useText } from '../../data/texts.tsx'

// One number for all models, or numbers by model name.
import { useState } from 'react'
import { Button, InputNumber } from '../../semi.ts'
import { RowsField } from './rows-field.tsx'
/** undefined: the default applies. */
export type ByModel = number | Readonly<Record<string, number>> | undefined

interface Props {
  label: string
  unit: string
  /** The placeholder of an empty field. */
  unset?: string
  value: ByModel
  onChange(value: ByModel): void
}

/** The key of all models without their own row. */
const OTHERS = '*'

export function ByModelField({ label, unit, unset, value, onChange }: Props) {
  const t = useText()
  const [isExpanded, setExpanded] = useState(false)
  const byName = typeof value === 'object' ? value : undefined
  if (!byName && !isExpanded)
    return (
      <>
        <InputNumber
          aria-label={label}
          min={0}
          suffix={unit}
          placeholder={unset}
          value={typeof value === 'number' ? value : ''}
          onChange={(typed) => onChange(parseNumber(typed))}
        />
        <div className="field-row">
          <Button
            size="small"
            type="tertiary"
            onClick={() => {
              setExpanded(true)
              if (typeof value === 'number') onChange({ [OTHERS]: value })
            }}
          >
            {t('By model')}
          </Button>
        </div>
      </>
    )
  return (
    <RowsField
      label={label}
      heads={[t('Model (* for all others)'), unit]}
      blank={0}
      value={byName ?? {}}
      onChange={(rows) => onChange(Object.keys(rows).length === 0 ? undefined : rows)}
      renderValue={(control) => (
        <InputNumber
          aria-label={control.label}
          min={0}
          value={control.value}
          onChange={(typed) => control.onChange(parseNumber(typed) ?? 0)}
        />
      )}
      extra={
        <Button
          size="small"
          type="tertiary"
          onClick={() => {
            setExpanded(false)
            if (byName) onChange(byName[OTHERS] ?? Object.values(byName)[0])
          }}
        >
          {t('One for all models')}
        </Button>
      }
    />
  )
}

const parseNumber = (typed: number | string): number | undefined =>
  typed === '' || !Number.isFinite(Number(typed)) ? undefined : Number(typed)
