// The routes, and who is let in.
import { claim, inFile, type Part } from '../claim.ts'

const routes = inFile('console/routes')
const home = inFile('console/home-setup.long')
const shell = inFile('console/shell')
const site = inFile('console/site-pages.long')
const register = inFile('console/register.long')
const reset = inFile('console/reset')

const NOBODY = 'lets nobody in where'
const USERS = 'keeps from users what is'

export const part: Part = {
  title: '0. Routes',
  claims: {
    '0.1': claim('`/` is the home page, for everybody.', routes(NOBODY), home('shows where to send calls')),
    '0.2': claim('`/setup` is the wizard of the first run, for everybody.', home('leads a new server')),
    '0.3': claim('`/login` is the login, for everybody.', routes(NOBODY), shell('asks for both fields')),
    '0.4': claim(
      '`/login?expired=true` says that one is not signed in or the login has expired.',
      shell('forgets the user and says why'),
    ),
    '0.5': claim(
      '`/register` is where accounts are made, for everybody.',
      routes(NOBODY),
      register('makes an account'),
    ),
    '0.6': claim('The code in `aff` of its address is kept as the inviter.', register('keeps who has invited')),
    '0.7': claim('`/reset` asks for another password, for everybody.', routes(NOBODY), reset('asks for a link')),
    '0.8': claim(
      '`/user/reset` confirms it, with the address and the token of the query.',
      routes(NOBODY),
      reset('shows the new password once'),
    ),
    '0.9': claim(
      '`/oauth/github`, `/oauth/oidc` and `/oauth/linuxdo` take code and state from the query.',
      routes('signs in with code and state'),
    ),
    '0.10': claim('`/pricing` is the price list, for everybody.', routes(NOBODY)),
    '0.11': claim('`/about` is for everybody.', routes(NOBODY), site('rebuilds what the operator wrote')),
    '0.12': claim(
      '`/chat`, with or without the place of a chat, is the framed chat, for everybody.',
      routes(NOBODY),
      inFile('console/chat.long')('says where no chat is saved'),
    ),
    '0.13': claim(
      '`/chat2link` leads to the front end of a chat whoever is signed in.',
      routes(NOBODY),
      inFile('console/chat.long')('leads on to the first chat'),
    ),
    '0.14': claim('`/channel`, `/channel/add` and `/channel/edit/…` are for administrators.', routes(NOBODY, USERS)),
    '0.15': claim(
      '`/channel/add` and `/channel/edit/…` are the editor.',
      inFile('console/channels')('makes a channel', 'opens the panel of a channel'),
    ),
    '0.16': claim('`/token` needs a login.', routes(NOBODY, USERS)),
    '0.17': claim('`/playground` needs a login.', routes(NOBODY, USERS)),
    '0.18': claim('`/redemption` is for administrators.', routes(NOBODY, USERS)),
    '0.19': claim('`/user`, `/user/edit/…` and `/user/edit` are for administrators.', routes(NOBODY, USERS)),
    '0.20': claim(
      '`/user/edit` adds a user, `/user/edit/…` changes one.',
      inFile('console/users')('adds a user by', 'changes another user'),
    ),
    '0.21': claim(
      '`/setting`, `/personal`, `/topup`, `/log`, `/detail`, `/midjourney` and `/task` need a login.',
      routes(NOBODY, USERS),
    ),
    '0.22': claim(
      'Any other address says that the page does not exist, and to check the address.',
      routes(NOBODY),
      shell('says so where an address leads nowhere'),
    ),
    '0.23': claim(
      'Whoever is not kept in the browser as a user is led to the login.',
      routes(NOBODY),
      shell('sends a visitor to the login'),
    ),
    '0.24': claim('Behind the login come the tokens.', shell('asks for both fields', 'asks for the second factor')),
    '0.25': claim(
      'Behind the login by WeChat or Telegram comes the home page.',
      inFile('console/login')('takes the code that WeChat gave', "takes what Telegram's button brings"),
    ),
    '0.26': claim(
      'Where the status says that nobody has set the server up, every other path leads to `/setup`.',
      routes('leads to the setup from anywhere'),
      home('leads a new server'),
    ),
    '0.27': claim(
      'The side menu is hidden on home, chat and setup, and stands beside every other page of a desktop.',
      routes('has the side menu beside every page'),
    ),
    '0.28': claim('A window of up to 600 px is a phone.', routes('is on a phone up to 600 px')),
  },
}
