// The login.
import { claim, inFile, type Part } from '../claim.ts'

const login = inFile('console/login')
const shell = inFile('console/shell')

export const part: Part = {
  title: '2. Login',
  claims: {
    '2.1': claim('Takes the username or the mail address, and the password.', shell('asks for both fields')),
    '2.2': claim(
      'Has buttons for GitHub, OIDC and LinuxDO, each where it is switched on.',
      login('offers every service that is declared'),
      shell('asks for the second factor, leads to services'),
      inFile('console/services.long')('is led to by its button on the login'),
    ),
    '2.3': claim('Has a dialog with the QR code of WeChat.', login('takes the code that WeChat gave')),
    '2.4': claim('Has the widget of Telegram.', login("takes what Telegram's button brings")),
    '2.5': claim(
      'Has the widget of the human check where it is on, and nothing of anybody else where it is not.',
      login('waits for the human check', 'loads nothing of anybody else'),
    ),
    '2.6': claim(
      'Whoever comes in with the default password of root is told in a dialog to change it.',
      inFile('console/register.long')('says that the default password is in use'),
    ),
  },
}
