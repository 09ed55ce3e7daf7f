import { useState } from 'react'
import { definePreviews } from '../parts-page/states.ts'
import { ByModelField, type ByModel } from './by-model-field.tsx'

function Of({ begins }: { begins: ByModel }) {
  const [value, setValue] = useState(begins)
  return <ByModelField label="Wait" unit="seconds" unset="as the site says" value={value} onChange={setValue} />
}

export const previews = definePreviews({
  'nothing said': () => <Of begins={undefined} />,
  'one for all': () => <Of begins={30} />,
  'by model': () => <Of begins={{ 'gpt-4.1': 20, '*': 60 }} />,
})
