import { ignore, definePreviews } from '../parts-page/states.ts'
import { LoadFailed } from './unloaded.tsx'

export const previews = definePreviews({
  'to try again': () => <LoadFailed onAgain={ignore}>The button of Telegram could not be loaded.</LoadFailed>,
})
