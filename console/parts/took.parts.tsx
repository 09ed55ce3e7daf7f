import { definePreviews } from '../parts-page/states.ts'
import { DurationTag } from './took.tsx'

const BEGUN = 1_700_000_000_000

export const previews = definePreviews({
  'not yet': () => <DurationTag from={BEGUN} to={0} />,
  quick: () => <DurationTag from={BEGUN} to={BEGUN + 12_345} />,
  'as long as it may': () => <DurationTag from={BEGUN} to={BEGUN + 60_000} />,
  slow: () => <DurationTag from={BEGUN} to={BEGUN + 61_000} />,
})
