import { definePreviews } from '../parts-page/states.ts'
import { ProgressBar, ProgressRing } from './progress.tsx'

export const previews = definePreviews({
  'just begun': () => <ProgressBar label="IMAGINE" percent={0} />,
  'under way': () => <ProgressBar label="IMAGINE" percent={42} />,
  done: () => <ProgressBar label="IMAGINE" percent={100} />,
  failed: () => <ProgressBar label="IMAGINE" percent={100} failed />,
  'a ring': () => <ProgressRing label="MUSIC" percent={42} />,
  'a full ring': () => <ProgressRing label="MUSIC" percent={100} />,
  'a failed ring': () => <ProgressRing label="MUSIC" percent={70} failed />,
})
