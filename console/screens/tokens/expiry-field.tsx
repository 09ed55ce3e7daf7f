import { useText } from '../../data/texts.tsx'

// The expiry of a token: a time, one of the usual spans, or never.
import { useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { DateTimeField } from '../../parts/date-time.tsx'
import { Button } from '../../semi.ts'
import { DAY_SECONDS, HOUR_SECONDS, MONTH_SECONDS } from './form.ts'
import { form } from './form.built.ts'

export function ExpiryField({ value, onChange }: { value: number | null; onChange(time: number | null): void }) {
  const t = useText()
  const { label } = useFields(form)('expired_time')
  const picks: [string, number | null][] = [
    [t('Never'), null],
    [t('1 hour'), HOUR_SECONDS],
    [t('1 day'), DAY_SECONDS],
    [t('1 month'), MONTH_SECONDS],
  ]
  return (
    <Field field="expired_time" label={label}>
      <DateTimeField
        label={label}
        value={value === null ? null : value / 1000}
        onChange={(seconds) => onChange(seconds === null ? null : seconds * 1000)}
      />
      <div className="field-row">
        {picks.map(([pick, seconds]) => (
          <Button
            key={pick}
            size="small"
            type={seconds === null && value === null ? 'primary' : 'tertiary'}
            onClick={() => onChange(seconds === null ? null : Date.now() + seconds * 1000)}
          >
            {pick}
          </Button>
        ))}
      </div>
    </Field>
  )
}
