import { definePreviews } from '../parts-page/states.ts'
import { Quota, QuotaHint } from './quota.tsx'

export const previews = definePreviews({
  nothing: () => <Quota value={0} />,
  'an amount': () => <Quota value={123_456} />,
  'less than can be told': () => <Quota value={1} />,
  'much, and owed': () => <Quota value={-987_654_321_000} />,
  exact: () => <Quota value={1} exact />,
  'what a field is worth': () => <QuotaHint value={500_000} />,
})
