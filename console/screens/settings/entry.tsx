// The control of one setting, chosen by its kind.
import { useLanguage, useText } from '../../data/texts.tsx'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { JsonField } from '../../parts/form/json-field.tsx'
import { MoneyInput } from '../../parts/form/money-field.tsx'
import { Input, InputNumber, Switch, TextArea } from '../../semi.ts'
import type { DeclaredSetting } from './form.ts'

export interface EntryProps {
  setting: DeclaredSetting
  label: string
  value: string
  /** For a secret: whether a value is stored. */
  isSet?: boolean
  disabled: boolean
  onChange(value: string): void
  onLeave(): void
}

export function SettingControl({ setting, label, value, isSet, disabled, onChange, onLeave }: EntryProps) {
  const t = useText()
  const { language } = useLanguage()
  const { kind, secret, unit, choices, choiceWords } = setting
  if (secret)
    return (
      <Input
        aria-label={label}
        mode="password"
        autoComplete="new-password"
        disabled={disabled}
        placeholder={isSet ? t('Set. Empty keeps it') : t('Not set')}
        value={value}
        onChange={onChange}
      />
    )
  switch (kind) {
    case 'flag':
      return (
        <Switch
          aria-label={label}
          disabled={disabled}
          checked={value === 'true'}
          onChange={(on) => onChange(String(on))}
        />
      )
    case 'count':
    case 'decimal':
      return isQuota(setting) ? (
        <MoneyInput
          label={label}
          min={setting.min}
          disabled={disabled}
          value={value.trim() === '' ? NaN : Number(value)}
          onChange={(units) => onChange(String(units))}
          onLeave={onLeave}
        />
      ) : (
        <InputNumber
          aria-label={label}
          disabled={disabled}
          suffix={unit?.[language]}
          value={value}
          onChange={(typed) => onChange(String(typed))}
          onBlur={onLeave}
        />
      )
    case 'choice':
      return (
        <SegmentedChoice
          label={label}
          disabled={disabled}
          value={value}
          options={choices.map((one, at) => ({ value: one, label: choiceWords[at]?.[language] ?? one }))}
          onChange={onChange}
        />
      )
    case 'json':
      return <JsonField label={label} anyJson disabled={disabled} value={value} onChange={onChange} />
    case 'long_text':
      return (
        <TextArea
          className="mono"
          aria-label={label}
          disabled={disabled}
          autosize={{ minRows: 3, maxRows: 14 }}
          value={value}
          onChange={(text) => onChange(text)}
        />
      )
    default:
      return <Input aria-label={label} disabled={disabled} value={value} onChange={onChange} onBlur={onLeave} />
  }
}

/** Amounts of quota are typed as money. */
export const isQuota = ({ unit }: DeclaredSetting) => unit?.en === 'quota units'
