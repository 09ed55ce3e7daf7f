// Making an account.
import { claim, inFile, type Part } from '../claim.ts'

const register = inFile('console/register.long')
const server = inFile('http/registration')

const MAIL = 'mails a code, rests for 30 s'

export const part: Part = {
  title: '3. Register',
  claims: {
    '3.1': claim(
      'Takes a username, a password and the password again.',
      register('makes an account by keyboard', 'says at its field, before anything is sent'),
    ),
    '3.2': claim('Where mail is verified, it takes the address, too.', register(MAIL)),
    '3.3': claim('A button sends a code to that address.', register(MAIL), server('E4: with mail, a code')),
    '3.4': claim('The code is sent along with the new account.', register(MAIL), server('E4: with mail, a code')),
    '3.5': claim(
      'Where mail is not verified, neither address nor code is asked for.',
      register('makes an account by keyboard'),
    ),
  },
}
