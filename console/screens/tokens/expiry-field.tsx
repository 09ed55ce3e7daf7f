// When a token ends: a time, or one of the usual spans, or never.
import { TokenForm } from '../../../core/tokens/contract.ts'
import { useTexts } from '../../data/texts.tsx'
import { useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { Button, DatePicker } from '../../semi.ts'
import { DAY_SECONDS, HOUR_SECONDS, MONTH_SECONDS } from './form.ts'
import { words } from './texts.ts'

export function ExpiryField({ value, onChange }: { value: number | null; onChange(time: number | null): void }) {
  const t = useTexts(words)
  const { label } = useFields(TokenForm)('expired_time')
  const picks: [string, number | null][] = [
    [t.pickNever, null],
    [t.pickHour, HOUR_SECONDS],
    [t.pickDay, DAY_SECONDS],
    [t.pickMonth, MONTH_SECONDS],
  ]
  return (
    <Field label={label}>
      <DatePicker
        type="dateTime"
        aria-label={label}
        placeholder={t.never}
        value={value === null ? undefined : new Date(value)}
        onChange={(date) => onChange(date ? new Date(date as Date).getTime() : null)}
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
