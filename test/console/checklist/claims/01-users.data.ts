// User management.
import { claim, inFile, type Part } from '../claim.ts'

const users = inFile('console/users')
const server = inFile('http/accounts')

const SHOWS = 'shows of each user what the specification names'
const FINDS = 'searches by keyword and group together'
const EDITS = 'changes another user: names'
const QUOTA = 'changes a balance by a difference'

export const part: Part = {
  title: '1. User management',
  claims: {
    '1.1': claim('Found by a keyword: id, username, display name or mail address.', users(FINDS)),
    '1.2': claim('Narrowed down by group, with the keyword or without.', users(FINDS)),
    '1.3': claim('Columns: id, username, tags of the groups.', users(SHOWS)),
    '1.4': claim('Columns: what is left, what is used, the number of calls.', users(SHOWS)),
    '1.5': claim('Columns: how many were invited, what that earned, by whom one was invited.', users(SHOWS)),
    '1.6': claim('Columns: the role and the state, each as a tag in words.', users(SHOWS)),
    '1.7': claim('A row is promoted and demoted.', users('promotes and demotes after a question')),
    '1.8': claim('A row is disabled, or enabled.', users('disables and enables at once')),
    '1.9': claim('A row is edited.', users(EDITS)),
    '1.10': claim('A row is deregistered.', users('deregisters after a question'), server('deregisters for good')),
    '1.11': claim('Users are added in a drawer.', users('adds a user by the panel')),
    '1.12': claim('Users are edited in a drawer.', users(EDITS)),
    '1.13': claim(
      'Another user’s username, display name, password and group are changed.',
      users(EDITS),
      server('changes names, password, group and balance'),
    ),
    '1.14': claim(
      'Another user’s quota is changed.',
      users(QUOTA),
      server('changes names, password, group and balance'),
    ),
    '1.15': claim('The dialog that adds quota takes negative numbers.', users(QUOTA)),
    '1.16': claim('Bound accounts are shown to be read, and cannot be typed in.', users(EDITS)),
    '1.17': claim(
      'Whoever is deregistered is called so, and nothing can be done to them.',
      users(SHOWS, 'deregisters after a question'),
      server('deregisters for good'),
    ),
  },
}
