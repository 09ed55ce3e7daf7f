import { nothing, partStates } from '../parts-page/states.ts'
import { Unloaded } from './unloaded.tsx'

export const states = partStates({
  'to try again': () => <Unloaded onAgain={nothing}>The button of Telegram could not be loaded.</Unloaded>,
})
