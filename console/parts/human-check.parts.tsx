import { ignore, definePreviews } from '../parts-page/states.ts'
import { HumanCheck } from './human-check.tsx'

const check = { box: ignore, again: ignore, withToken: () => Promise.resolve(null) }

export const previews = definePreviews({
  'could not be loaded': () => <HumanCheck check={{ ...check, off: false, failed: true }} />,
  'not wanted: empty': () => <HumanCheck check={{ ...check, off: true, failed: false }} />,
})
