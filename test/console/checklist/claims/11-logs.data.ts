// The usage log.
import { claim, inFile, type Part } from '../claim.ts'

const logs = inFile('console/logs')
const list = inFile('console/log-list')

const CALL = 'shows administrators every call'
const COLUMNS = 'has columns for users, and three more'
const FILTERS = 'is narrowed down by channel and user'

export const part: Part = {
  title: '11. Usage log',
  claims: {
    '11.1': claim('Badges sum up what is listed: quota, and calls and tokens a minute.', logs(CALL)),
    '11.2': claim('Has filters.', logs('filters by type and by text at once'), list(FILTERS)),
    '11.3': claim('Is filtered by type.', logs('filters by type and by text at once')),
    '11.4': claim('Rows unfold.', logs(CALL)),
    '11.5': claim('Columns can be hidden, which is remembered.', list('hides columns once that is confirmed')),
    '11.6': claim('Administrators see the channel of a call.', logs(CALL), list(COLUMNS)),
    '11.7': claim('Administrators see the username.', logs(CALL), list(COLUMNS)),
    '11.8': claim('Administrators see by which channels a call was tried again.', list(COLUMNS)),
    '11.9': claim('Administrators filter by channel id.', list(FILTERS)),
    '11.10': claim('Administrators filter by username.', list(FILTERS)),
    '11.11': claim('Administrators open from a row who made the call.', list('opens from a row who made')),
    '11.12': claim(
      'Ordinary users see their own rows alone.',
      logs('shows others only their own'),
      inFile('http/two-tenants')('tokens, log rows and figures'),
      inFile('http/log-data')('is searched by type and by how a row begins'),
    ),
    '11.13': claim('Ordinary users filter by group.', list(FILTERS)),
    '11.14': claim('Ordinary users filter by token.', list(FILTERS)),
  },
}
