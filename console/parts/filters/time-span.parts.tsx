import { useState } from 'react'
import { definePreviews } from '../../parts-page/states.ts'
import { TimeSpan } from './time-span.tsx'

function Of({ initial }: { initial: string }) {
  const [value, setValue] = useState({ span: initial, start: '1790000000', end: '1790086400' })
  return <TimeSpan value={value} find={setValue} />
}

export const previews = definePreviews({
  'a usual one': () => <Of initial="day" />,
  'two times': () => <Of initial="own" />,
})
