import { nothing, partStates } from '../parts-page/states.ts'
import { LoadFailed } from './unloaded.tsx'

export const states = partStates({
  'to try again': () => <LoadFailed onAgain={nothing}>The button of Telegram could not be loaded.</LoadFailed>,
})
