import { useState } from 'react'
import { LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { RadioRow } from './radio-row.tsx'

function Chosen({ values }: { values: string[] }) {
  const [value, setValue] = useState(values[0]!)
  const options = values.map((each) => ({ value: each, label: each }))
  return <RadioRow label="Which" value={value} options={options} onChange={setValue} />
}

export const previews = definePreviews({
  'one of two': () => <Chosen values={['day', 'week']} />,
  'many, with a long one': () => <Chosen values={['one', 'two', 'three', 'four', 'five', LONG_WORD]} />,
})
