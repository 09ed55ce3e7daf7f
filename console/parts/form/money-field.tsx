// The field for every amount of quota: dollars or quota units, as the user types them, with the other notation below.
import { useState, type ReactNode } from 'react'
import { formatDollars, formatShortNumber } from '../../../core/pricing/display.ts'
import {
  formatExactDollars,
  parseTypedAmount,
  toQuotaUnits,
  type AmountUnit,
} from '../../../core/pricing/typed-amount.ts'
import { useServerStatus } from '../../data/status.ts'
import { type Translate, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { Button, Input } from '../../semi.ts'
import { FormField } from './field.tsx'
import './money-field.css'

interface InputProps {
  label: string
  /** Quota units; NaN for a text that is no amount. */
  value: number
  /** Receives quota units; NaN while the text is no amount, so that it is never saved as another one. */
  onChange(value: number): void
  onLeave?(): void
  /** Smallest amount, in quota units; undefined if it may be negative. */
  min?: number
  /** The meaning of 0 if it is not an amount, such as `no limit`. */
  zero?: string
  disabled?: boolean
}

/** The control without its label. Dollars are converted exactly; parts of a quota unit are refused. */
export function MoneyInput({ label, value, onChange, onLeave, min, zero, disabled }: InputProps) {
  const t = useText()
  const format = useFormat()
  const { quota_per_unit, display_in_currency } = useServerStatus()
  const [chosen, setChosen] = useState<AmountUnit>(display_in_currency ? 'usd' : 'quota')
  const [typed, setTyped] = useState<{ text: string; value: number }>()
  const [left, setLeft] = useState(false)
  const isAmount = Number.isSafeInteger(value)
  const dollars = isAmount ? formatExactDollars(value, quota_per_unit) : undefined
  // An amount that dollars cannot show exactly is shown in units.
  const unit = isAmount && dollars === undefined ? 'quota' : chosen
  const isTyped = typed !== undefined && Object.is(typed.value, value)
  const text = isTyped ? typed.text : !isAmount ? '' : unit === 'usd' ? dollars! : String(value)
  const fault = left || disabled ? findFault(text, unit, quota_per_unit, min, t) : undefined
  const type = (next: string) => {
    const amount = parseTypedAmount(next, unit)
    const units = amount ? toQuotaUnits(amount, quota_per_unit) : NaN
    const made = typeof units === 'number' ? units : NaN
    setTyped({ text: next, value: made })
    onChange(made)
  }
  const units = t('{n} quota units', { n: format.number(value) })
  const other = unit === 'usd' ? units : dollars === undefined ? '' : `$${dollars}`.replace('$-', '-$')
  const shownBelow = value === 0 && zero ? zero : other
  return (
    <>
      <Input
        className="money"
        aria-label={label}
        inputMode={min === undefined ? 'text' : 'decimal'}
        disabled={disabled}
        validateStatus={fault ? 'error' : 'default'}
        prefix={unit === 'usd' ? <span className="money-sign">$</span> : undefined}
        suffix={
          <span className="money-units" role="group" aria-label={t('Unit')}>
            {(['usd', 'quota'] as const).map((each) => (
              <button
                key={each}
                type="button"
                disabled={disabled}
                aria-pressed={each === unit}
                aria-label={each === 'usd' ? t('In dollars') : t('In units')}
                onClick={() => {
                  if (isAmount) setTyped(undefined)
                  setChosen(each)
                }}
              >
                {each === 'usd' ? '$' : t('units', { context: 'short' })}
              </button>
            ))}
          </span>
        }
        value={text}
        onFocus={({ target }) => target.select()}
        onChange={type}
        onBlur={() => {
          setLeft(true)
          if (isAmount) setTyped(undefined)
          onLeave?.()
        }}
      />
      {fault ? (
        <div className="field-error" role="alert">
          {fault}
        </div>
      ) : (
        isAmount &&
        !disabled && (
          <div className="hint money-other">
            {value === 0 && zero ? shownBelow : t('Equivalent amount: {amount}', { amount: shownBelow })}
          </div>
        )
      )}
    </>
  )
}

/** Returns why the text cannot be saved; undefined if it can, or if nothing was typed. */
function findFault(
  text: string,
  unit: AmountUnit,
  quotaPerUnit: number,
  min: number | undefined,
  t: Translate,
): string | undefined {
  const amount = parseTypedAmount(text, unit)
  if (!amount) return t('Enter an amount such as 5 or 2.50.')
  const units = toQuotaUnits(amount, quotaPerUnit)
  if (units === 'fraction') return t('The smallest amount is 1 quota unit. One dollar has {n}.', { n: quotaPerUnit })
  if (units === 'range') return t('This amount is too large.')
  return min !== undefined && units < min ? t('Enter {min} or more', { min }) : undefined
}

interface Props extends InputProps {
  /** The name of the field in errors of the server. */
  field: string
  /** Amounts to pick, in quota units. */
  picks?: readonly number[]
  required?: boolean
  error?: string
  hint?: ReactNode
  /** Rendered after the picks. */
  children?: ReactNode
}

export function MoneyField({ field, picks = [], required, error, hint, children, ...input }: Props) {
  const amountLabel = useAmountLabel()
  const { label, value, disabled, onChange } = input
  return (
    <FormField field={field} label={label} required={required} error={error} hint={hint}>
      <MoneyInput {...input} />
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
