import { useText } from '../../data/texts.tsx'

// The expiry of a token: a time, one of the usual spans, or never.
import { useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { DateTimeField } from '../../parts/form/date-time.tsx'
import { Button } from '../../semi.ts'
import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MONTH } from './form.ts'
import { tokenForm } from './form.built.ts'

export function ExpiryField({ value, onChange }: { value: number | null; onChange(time: number | null): void }) {
  const t = useText()
  const { label } = useFieldTexts(tokenForm)('expired_time')
  const picks: [string, number | null][] = [
    [t('Never'), null],
    [t('1 hour'), SECONDS_PER_HOUR],
    [t('1 day'), SECONDS_PER_DAY],
    [t('1 month'), SECONDS_PER_MONTH],
  ]
  return (
    <FormField field="expired_time" label={label}>
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
    </FormField>
  )
}
