import { useState } from 'react'
import { partStates } from '../../parts-page/states.ts'
import { TimeSpan, type SpanName } from './time-span.tsx'

function Of({ initial }: { initial: SpanName }) {
  const [value, setValue] = useState({ span: initial, start: 1_790_000_000, end: 1_790_086_400 })
  return <TimeSpan {...value} onChange={(change) => setValue({ ...value, ...change })} />
}

export const states = partStates({
  'a usual one': () => <Of initial="day" />,
  'two times': () => <Of initial="own" />,
})
