import { definePreviews } from '../parts-page/states.ts'
import { CountdownButton } from './countdown-button.tsx'

const resting = (left: number) => `Again in ${left} s`

export const previews = definePreviews({
  'to be pressed': () => (
    <CountdownButton resting={resting} run={() => Promise.resolve()}>
      Send code
    </CountdownButton>
  ),
  disabled: () => (
    <CountdownButton disabled resting={resting} run={() => Promise.resolve()}>
      Send code
    </CountdownButton>
  ),
})
