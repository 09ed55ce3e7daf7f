import { partStates } from '../parts-page/states.ts'
import { Took } from './took.tsx'

const BEGUN = 1_700_000_000_000

export const states = partStates({
  'not yet': () => <Took from={BEGUN} to={0} />,
  quick: () => <Took from={BEGUN} to={BEGUN + 12_345} />,
  'as long as it may': () => <Took from={BEGUN} to={BEGUN + 60_000} />,
  slow: () => <Took from={BEGUN} to={BEGUN + 61_000} />,
})
