// Fields of a form as their declarations say: label, help, bounds and unit come from there.
import type { z } from 'zod'
import { controlsOf, type Control } from '../../core/contract/control.ts'
import { useLanguage } from '../data/texts.tsx'
import { Input, InputNumber, Switch } from '../semi.ts'
import { Choice } from './choice.tsx'
import { Field } from './field.tsx'
import { QuotaHint } from './quota.tsx'

interface Props<D> {
  /** What the endpoint takes. */
  form: z.ZodObject
  group: string
  draft: D
  set(change: Partial<D>): void
}

/** The plain fields of one group of a form. */
export function DeclaredFields<D extends object>({ form, group, draft, set }: Props<D>) {
  const { language } = useLanguage()
  return controlsOf(form, group).map((control) => (
    <Field key={control.name} label={control.label[language]} hint={control.help[language]}>
      <Entry
        control={control}
        value={(draft as Record<string, unknown>)[control.name]}
        onChange={(value) => set({ [control.name]: value } as Partial<D>)}
      />
    </Field>
  ))
}

function Entry({ control, value, onChange }: { control: Control; value: unknown; onChange(value: unknown): void }) {
  const { language } = useLanguage()
  const label = control.label[language]
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
      return (
        <>
          <InputNumber
            aria-label={label}
            min={control.min}
            precision={control.whole ? 0 : undefined}
            suffix={control.kind === 'quota' ? undefined : control.unit?.[language]}
            value={Number(value)}
            onNumberChange={onChange}
          />
          {control.kind === 'quota' && <QuotaHint value={Number(value)} />}
        </>
      )
    case 'flag':
      return <Switch aria-label={label} checked={value === true} onChange={onChange} />
    case 'text':
      return <Input aria-label={label} value={String(value)} onChange={onChange} />
  }
}
