// Fields of a form as their declarations say: label, help, bounds and unit come from there.
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { controlOf, controlsOf, isShown, type Control } from '../../core/contract/control.ts'
import { useLanguage } from '../data/texts.tsx'
import { Input, InputNumber, Switch, TextArea } from '../semi.ts'
import { Choice } from './choice.tsx'
import { Field } from './field.tsx'
import { JsonField } from './json-field.tsx'
import { QuotaHint } from './quota.tsx'

interface Form<D> {
  /** What the endpoint takes. */
  form: z.ZodObject
  draft: D
  set(change: Partial<D>): void
}

/** What a screen knows beside the declaration, such as how a type of channel calls it. */
interface Beside {
  label?: string
  hint?: ReactNode
  placeholder?: string
  /** Of a text whose longest is not its schema's matter, in characters. */
  longest?: number
  required?: boolean
  error?: string
}

/** The plain fields of one group of a form, as far as they are shown beside the others. */
export function DeclaredFields<D extends object>({ group, ...part }: Form<D> & { group: string }) {
  return controlsOf(part.form, group)
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
  ...beside
}: Form<D> & Beside & { name: string }) {
  const { language } = useLanguage()
  const control = controlOf(form, name)
  const said = label || control.label[language]
  const help = hint ?? control.help[language]
  return (
    // A field of JSON says its help beside its sample.
    <Field label={said} hint={control.takes === 'json' ? undefined : help} {...beside}>
      <Entry
        control={longest === undefined ? control : { ...control, longest }}
        label={said}
        placeholder={placeholder}
        help={help}
        value={(draft as Record<string, unknown>)[name]}
        onChange={(value) => set({ [name]: value } as Partial<D>)}
      />
    </Field>
  )
}

/** Label and help of a form's fields, for those that a screen draws itself. */
export function useFields<F extends z.ZodObject>(form: F) {
  const { language } = useLanguage()
  return (name: keyof F['shape'] & string) => {
    const { label, help } = controlOf(form, name)
    return { label: label[language], help: help[language] }
  }
}

interface EntryProps {
  control: Control
  label: string
  placeholder?: string
  help: ReactNode
  value: unknown
  onChange(value: unknown): void
}

function Entry({ control, label, placeholder, help, value, onChange }: EntryProps) {
  const { language } = useLanguage()
  switch (control.takes) {
    case 'choice':
      return (
        <Choice
          label={label}
          value={String(value)}
          onChange={onChange}
          optionList={control.values.map((one, at) => ({
            value: one,
            label: control.choices?.[at]?.[language] ?? one,
          }))}
        />
      )
    case 'number':
    case 'quota':
      return (
        <>
          <InputNumber
            aria-label={label}
            min={control.min}
            precision={control.whole ? 0 : undefined}
            suffix={control.takes === 'quota' ? undefined : control.unit?.[language]}
            value={Number(value)}
            onNumberChange={onChange}
          />
          {control.takes === 'quota' && !(value === 0 && control.zero) && <QuotaHint value={Number(value)} />}
        </>
      )
    case 'flag':
      return <Switch aria-label={label} checked={value === true} onChange={onChange} />
    case 'switch':
      return <Switch aria-label={label} checked={value === 1} onChange={(on) => onChange(on ? 1 : 0)} />
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
          value={String(value)}
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
          onChange={(text) => onChange(control.nullable && text === '' ? null : text)}
        />
      )
  }
}
