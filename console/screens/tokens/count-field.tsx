// The number of tokens to create at once.
import { useTexts } from '../../data/texts.tsx'
import { Field } from '../../parts/field.tsx'
import { Button, InputNumber } from '../../semi.ts'
import { COUNT_PICKS } from './form.ts'
import { words } from './texts.ts'

export function CountField({ value, onChange }: { value: number; onChange(count: number): void }) {
  const t = useTexts(words)
  return (
    <Field field="count" label={t.count} hint={t.countHint}>
      <InputNumber aria-label={t.count} min={1} precision={0} value={value} onNumberChange={onChange} />
      <div className="field-row">
        {COUNT_PICKS.map((count) => (
          <Button
            key={count}
            size="small"
            type={count === value ? 'primary' : 'tertiary'}
            onClick={() => onChange(count)}
          >
            {count}
          </Button>
        ))}
      </div>
    </Field>
  )
}
