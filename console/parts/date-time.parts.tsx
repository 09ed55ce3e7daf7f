import { useState } from 'react'
import { definePreviews } from '../parts-page/states.ts'
import { DateTimeField } from './date-time.tsx'

function Field({ initial }: { initial: number | null }) {
  const [value, setValue] = useState(initial)
  return <DateTimeField label="From" value={value} onChange={setValue} />
}

export const previews = definePreviews({
  none: () => <Field initial={null} />,
  'a time': () => <Field initial={1_790_000_000} />,
  'not a time': () => <Field initial={Number.NaN} />,
})
