// A forgotten password.
import { claim, inFile, type Part } from '../claim.ts'

const reset = inFile('console/reset')
const server = inFile('http/registration')

const ASKS = 'asks for a link, waits'
const NEW = 'shows the new password once'

export const part: Part = {
  title: '6. Password reset',
  claims: {
    '6.1': claim('Takes a mail address, and sends it.', reset(ASKS), server('E4: mails a link')),
    '6.2': claim('Waits for the human check where it is on.', reset(ASKS)),
    '6.3': claim('The button rests for 30 s, and counts them down.', reset(ASKS)),
    '6.4': claim('The page of the link shows the address to be read only.', reset(NEW)),
    '6.5': claim('After it, the new password is shown.', reset(NEW), server('E4: mails a link')),
  },
}
