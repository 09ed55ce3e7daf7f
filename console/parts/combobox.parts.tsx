import { useState } from 'react'
import { LONG_TEXT, LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { PickMany, PickOne } from './combobox.tsx'

const options = [
  { value: 'gpt-4o', hint: 'answers quickly' },
  { value: 'sandbox-small', label: 'Sandbox (small)', note: <small>free</small> },
  { value: LONG_WORD, label: LONG_TEXT },
]
const many = Array.from({ length: 500 }, (_, index) => ({ value: `model-${index + 1}` }))

function One({ initial = '', ...more }: { initial?: string; free?: boolean; disabled?: boolean; of?: typeof many }) {
  const [value, setValue] = useState(initial)
  const { of = options, ...rest } = more
  return (
    <PickOne label="Model" value={value} options={of} onChange={setValue} placeholder="Any model" clearable {...rest} />
  )
}

function Several({ initial = [] as string[], ...more }: { initial?: string[]; free?: boolean; disabled?: boolean }) {
  const [value, setValue] = useState(initial)
  return <PickMany label="Models" value={value} options={many} onChange={setValue} placeholder="All models" {...more} />
}

export const previews = definePreviews({
  'one, none chosen': () => <One />,
  'one, chosen': () => <One initial="sandbox-small" />,
  'one, long text': () => <One initial={LONG_WORD} />,
  'one, anything may be typed': () => <One free />,
  'one of five hundred': () => <One of={many} />,
  'one of none': () => <One of={[]} />,
  'one, disabled': () => <One initial="gpt-4o" disabled />,
  'several, none chosen': () => <Several />,
  'several, chosen': () => <Several initial={['model-1', 'model-2', LONG_WORD]} free />,
  'several, disabled': () => <Several initial={['model-1']} disabled />,
})
