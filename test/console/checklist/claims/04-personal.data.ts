// Personal settings.
import { claim, inFile, type Part } from '../claim.ts'

const personal = inFile('console/personal.long')
const security = inFile('console/personal-security.long')
const server = inFile('http/accounts')

const WHO = 'shows who one is'
const MODELS = 'folds models after ten'
const INVITE = 'copies the invite link'
const SERVICES = 'says of every service that is declared'

const bound = [
  ...inFile('console/services.long')('is led to by its button among'),
  ...inFile('console/routes')('binds, and goes'),
]

export const part: Part = {
  title: '4. Personal settings',
  claims: {
    '4.1': claim('The profile shows the balance, what was used and the number of calls.', personal(WHO)),
    '4.2': claim('The profile shows the group.', personal(WHO)),
    '4.3': claim('The models that can be called are tags, folded after ten.', personal(MODELS)),
    '4.4': claim('Whether they are unfolded is remembered.', personal(MODELS)),
    '4.5': claim('The card of invitations has the link.', personal(INVITE)),
    '4.6': claim('It has the earnings that wait, with a button that moves them.', personal(INVITE)),
    '4.7': claim('It has all earnings so far, and how many were invited.', personal(INVITE)),
    '4.8': claim('The mail address is bound.', personal('binds an address by the code')),
    '4.9': claim('WeChat is bound.', personal('binds WeChat')),
    '4.10': claim('GitHub and LinuxDO are bound.', personal(SERVICES), bound),
    '4.11': claim('OIDC is bound.', personal('sends the browser to a service'), bound),
    '4.12': claim('Telegram is bound.', personal('binds Telegram')),
    '4.13': claim('The system’s access token is made anew.', security('asks before it resets the system access token')),
    '4.14': claim('The password is changed.', security('changes the password'), server('E5: changes their own names')),
    '4.15': claim('The account is deleted.', personal('deletes the account'), server('leaves: the session ends')),
    '4.16': claim(
      'A tab says how one is warned.',
      personal('saves how one is warned'),
      server('says how to be warned'),
    ),
    '4.17': claim('A tab says whether models without a price are accepted.', personal('opens the price tab')),
  },
}
