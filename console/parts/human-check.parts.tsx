import { nothing, partStates } from '../parts-page/states.ts'
import { HumanCheck } from './human-check.tsx'

const check = { box: nothing, again: nothing, withToken: () => Promise.resolve(null) }

export const states = partStates({
  'could not be loaded': () => <HumanCheck check={{ ...check, off: false, failed: true }} />,
  'not wanted: empty': () => <HumanCheck check={{ ...check, off: true, failed: false }} />,
})
