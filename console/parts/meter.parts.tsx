import { definePreviews } from '../parts-page/states.ts'
import { Meter } from './meter.tsx'

const of = (used: number, text = `${used} of 100`) => (
  <Meter label="Spent today" used={used} limit={100}>
    {text}
  </Meter>
)

export const previews = definePreviews({
  nothing: () => of(0),
  some: () => of(40),
  nearly: () => of(85),
  'all and more': () => of(140),
  'long text': () => of(40, '$1,234,567.89 of $9,999,999.99'),
})
