// The task log.
import { claim, inFile, type Part } from '../claim.ts'

const log = inFile('console/tasks-log.long')

const ADMIN = 'shows administrators every column'
const USERS = 'shows users no channel'

export const part: Part = {
  title: '14. Task log',
  claims: {
    '14.1': claim(
      'Filtered by channel id, by administrators alone.',
      log('is narrowed down by channel for administrators'),
    ),
    '14.2': claim('Filtered by task id.', log(USERS)),
    '14.3': claim('Filtered by start, which is the beginning of today where nothing is said.', log(ADMIN)),
    '14.4': claim('Filtered by end.', log(USERS)),
    '14.5': claim('Columns: when it was submitted, when it was finished, how long it took.', log(ADMIN)),
    '14.6': claim('Column: the progress, a ring where it is a number.', log(ADMIN, 'draws progress as a ring')),
    '14.7': claim('Column: the channel, for administrators alone.', log(ADMIN, USERS)),
    '14.8': claim('Columns: the platform, the action.', log(ADMIN)),
    '14.9': claim(
      'Column: the task id, a click on which shows the whole record as JSON.',
      log('shows the whole record'),
    ),
    '14.10': claim('Columns: the state, why it failed.', log(ADMIN, 'shows the whole record')),
  },
}
