import { useState } from 'react'
import { LONG_TEXT, ignore, definePreviews } from '../parts-page/states.ts'
import { Choice } from './choice.tsx'

const options = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
  { value: 'c', label: LONG_TEXT },
]

function Chosen({ initial = 'a', ...more }: { initial?: string; labelled?: boolean; disabled?: boolean }) {
  const [value, setValue] = useState(initial)
  return <Choice label="Which" value={value} options={options} onChange={setValue} {...more} />
}

export const previews = definePreviews({
  'one of three': () => <Chosen />,
  'with its label': () => <Chosen labelled />,
  'long text': () => <Chosen initial="c" />,
  disabled: () => <Chosen disabled />,
  'nothing to choose': () => <Choice label="Which" value="" options={[]} onChange={ignore} />,
})
