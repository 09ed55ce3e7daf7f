import { partStates } from '../parts-page/states.ts'
import { nowSeconds, Time } from './time.tsx'

export const states = partStates({
  'a moment ago': () => <Time seconds={nowSeconds() - 5} />,
  'a year ago': () => <Time seconds={nowSeconds() - 400 * 86_400} />,
  'to come': () => <Time seconds={nowSeconds() + 7200} />,
  exact: () => <Time seconds={nowSeconds()} exact />,
})
