// Fields of a form as they are declared: label, help, bounds and unit come from the declaration.
import { useState, type ReactNode } from 'react'
import { isUrlWithProtocol } from '../../../core/contract/url.ts'
import { listControls, isShown, type FormControl, type FormFieldControls } from '../../../core/contract/control.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { Input, InputNumber, Switch, TextArea } from '../../semi.ts'
import { ByModelField, type ByModel } from './by-model-field.tsx'
import { SegmentedChoice } from './choice.tsx'
import { FormField } from './field.tsx'
import { JsonField } from './json-field.tsx'
import { MoneyInput } from './money-field.tsx'
import { RowsField } from './rows-field.tsx'

interface Filled<D> {
  /** The form that the endpoint accepts. */
  form: FormFieldControls
  draft: D
  set(change: Partial<D>): void
}

/** Overrides by the screen, such as the label that a channel type has for a field. */
interface FieldOverrides {
  label?: string
  hint?: ReactNode
  placeholder?: string
  /** Maximum length of a text that its schema does not limit, in characters. */
  longest?: number
  required?: boolean
  error?: string
  /** The field that contains this one: `setting` for the error path `setting.proxy`. */
  within?: string
}

/** The plain fields of one group of a form that are shown given the other values. */
export function DeclaredFields<D extends object>({ group, ...part }: Filled<D> & { group: string }) {
  return listControls(part.form, group)
    .filter((control) => isShown(control, part.draft))
    .map(({ name }) => <DeclaredField key={name} name={name} {...part} />)
}

/** One plain field. */
export function DeclaredField<D extends object>({
  form,
  name,
  draft,
  set,
  label,
  hint,
  placeholder,
  longest,
  within,
  error,
  ...overrides
}: Filled<D> & FieldOverrides & { name: string }) {
  const t = useText()
  const { language } = useLanguage()
  const [left, setLeft] = useState(false)
  const control = getControl(form, name)
  const shownLabel = label || control.label[language]
  const help = hint ?? control.help[language]
  const value = (draft as Record<string, unknown>)[name]
  const { protocols = [] } = control
  const isWrong = control.takes === 'address' && left && Boolean(value) && !isUrlWithProtocol(String(value), protocols)
  const notAddress =
    isWrong &&
    t('Enter an address that begins with {protocols}.', { protocols: protocols.map((one) => `${one}://`).join(', ') })
  return (
    // A JSON field shows its help next to its sample.
    <FormField
      field={within === undefined ? name : `${within}.${name}`}
      label={shownLabel}
      hint={control.takes === 'json' ? undefined : help}
      error={error ?? (notAddress || undefined)}
      {...overrides}
    >
      <Entry
        control={longest === undefined ? control : { ...control, longest }}
        label={shownLabel}
        placeholder={placeholder}
        help={help}
        value={value}
        onChange={(next) => set({ [name]: next } as Partial<D>)}
        onLeave={() => setLeft(true)}
      />
    </FormField>
  )
}

/** Returns label and help of a form's fields, for fields that a screen renders itself. */
export function useFieldTexts<N extends string>(form: FormFieldControls<N>) {
  const { language } = useLanguage()
  return (name: N) => {
    const { label, help } = getControl(form, name)
    return { label: label[language], help: help[language] }
  }
}

function getControl(form: FormFieldControls, name: string): FormControl {
  const control = form[name]
  if (!control) throw new Error(`${name} is not declared`)
  return control
}

interface EntryProps {
  control: FormControl
  label: string
  placeholder?: string
  help: ReactNode
  value: unknown
  onChange(value: unknown): void
  onLeave(): void
}

function Entry({ control, label, placeholder, help, value, onChange, onLeave }: EntryProps) {
  const t = useText()
  const { language } = useLanguage()
  const unset = control.unset?.[language]
  switch (control.takes) {
    case 'choice':
      return (
        <SegmentedChoice
          label={label}
          value={String(value ?? '')}
          onChange={(chosen) => onChange(chosen === '' && unset !== undefined ? undefined : chosen)}
          options={[
            ...(unset === undefined ? [] : [{ value: '', label: unset }]),
            ...control.values.map((one, at) => ({ value: one, label: control.choices?.[at]?.[language] ?? one })),
          ]}
        />
      )
    case 'quota':
      return (
        <MoneyInput
          label={label}
          min={control.min !== undefined && control.min >= 0 ? control.min : undefined}
          zero={control.zero?.[language]}
          value={Number(value)}
          onChange={onChange}
        />
      )
    case 'number':
      return (
        <InputNumber
          aria-label={label}
          min={control.min}
          precision={control.whole ? 0 : undefined}
          suffix={control.unit?.[language]}
          value={Number(value)}
          onNumberChange={onChange}
        />
      )
    case 'flag':
      return <Switch aria-label={label} checked={value === true} onChange={onChange} />
    case 'switch':
      return <Switch aria-label={label} checked={value === 1} onChange={(on) => onChange(on ? 1 : 0)} />
    case 'by_model':
      return (
        <ByModelField
          label={label}
          unit={control.unit?.[language] ?? ''}
          unset={unset}
          value={value as ByModel}
          onChange={onChange}
        />
      )
    case 'pairs':
      return (
        <RowsField
          label={label}
          heads={[t('Name'), t('Value')]}
          blank=""
          value={(value ?? {}) as Record<string, string>}
          onChange={onChange}
          renderValue={(control) => (
            <Input aria-label={control.label} value={String(control.value)} onChange={control.onChange} />
          )}
        />
      )
    case 'json':
      return (
        <JsonField
          label={label}
          help={help}
          template={control.example ? JSON.parse(String(control.example)) : undefined}
          value={String(value)}
          onChange={onChange}
        />
      )
    case 'lines':
    case 'long_text':
      return (
        <TextArea
          className={control.takes === 'lines' ? 'mono' : undefined}
          aria-label={label}
          placeholder={placeholder}
          autosize={{ minRows: 2, maxRows: 8 }}
          value={String(value ?? '')}
          onChange={(text) => onChange(text)}
        />
      )
    default:
      return (
        <Input
          aria-label={label}
          placeholder={placeholder}
          maxLength={control.longest}
          mode={control.takes === 'secret' ? 'password' : undefined}
          value={String(value ?? '')}
          onBlur={onLeave}
          onChange={(text) => onChange(control.nullable && text === '' ? null : text)}
        />
      )
  }
}
