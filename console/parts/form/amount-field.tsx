// An amount of quota units, with its value and quick picks in the site's money.
import type { ReactNode } from 'react'
import { formatDollars, formatShortNumber } from '../../../core/pricing/display.ts'
import { useServerStatus } from '../../data/status.ts'
import { Button, InputNumber } from '../../semi.ts'
import { FormField } from './field.tsx'
import { QuotaHint } from '../text/quota.tsx'

interface Props {
  /** The name of the field in errors of the server. */
  field: string
  label: string
  value: number
  onChange(value: number): void
  /** Amounts to pick, in quota units. */
  picks?: readonly number[]
  /** Smallest amount; 0 if undefined. */
  min?: number
  disabled?: boolean
  required?: boolean
  /** Rendered after the picks. */
  children?: ReactNode
}

export function AmountField({
  field,
  label,
  value,
  onChange,
  picks = [],
  min = 0,
  disabled,
  required,
  children,
}: Props) {
  const amountLabel = useAmountLabel()
  return (
    <FormField field={field} label={label} required={required} hint={!disabled && <QuotaHint value={value} />}>
      <InputNumber
        aria-label={label}
        hideButtons
        min={min}
        precision={0}
        disabled={disabled}
        value={value}
        onNumberChange={onChange}
      />
      {(picks.length > 0 || children) && (
        <div className="field-row">
          {picks.map((quota) => (
            <Button
              key={quota}
              size="small"
              type={quota === value && !disabled ? 'primary' : 'tertiary'}
              disabled={disabled}
              onClick={() => onChange(quota)}
            >
              {amountLabel(quota)}
            </Button>
          ))}
          {children}
        </div>
      )}
    </FormField>
  )
}

/** Returns labels for round amounts: `$10`, or units if the site shows units. */
export function useAmountLabel(): (quota: number) => string {
  const { quota_per_unit, display_in_currency } = useServerStatus()
  return (quota) => {
    const value = quota / quota_per_unit
    return display_in_currency ? formatDollars(value, Number.isInteger(value) ? 0 : 2) : formatShortNumber(quota)
  }
}
