import { definePreviews } from '../parts-page/states.ts'
import { nowSeconds, RelativeTime } from './time.tsx'

export const previews = definePreviews({
  'a moment ago': () => <RelativeTime seconds={nowSeconds() - 5} />,
  'a year ago': () => <RelativeTime seconds={nowSeconds() - 400 * 86_400} />,
  'to come': () => <RelativeTime seconds={nowSeconds() + 7200} />,
  exact: () => <RelativeTime seconds={nowSeconds()} exact />,
})
