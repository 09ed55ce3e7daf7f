// The drawing log.
import { claim, inFile, type Part } from '../claim.ts'

const log = inFile('console/drawings.long')

const ADMIN = 'shows administrators every column'
const USERS = 'shows users neither channels nor results'
const FILTERS = 'is narrowed down by id, type'
const TEXTS = 'opens prompts and reasons'
const KINDS = 'has a word and a colour for every kind'

export const part: Part = {
  title: '13. Drawing log',
  claims: {
    '13.1': claim('Filtered by channel id, by administrators alone.', log(FILTERS, USERS)),
    '13.2': claim('Filtered by task id.', log(FILTERS)),
    '13.3': claim('Filtered by start and end.', log(FILTERS, ADMIN)),
    '13.4': claim('Columns: when it was submitted, how long it took.', log(ADMIN)),
    '13.5': claim('What took more than 60 s is red, the rest green.', log(ADMIN, 'says in red what took longer')),
    '13.6': claim('Column: the channel, for administrators alone; a click copies its id.', log(ADMIN, USERS)),
    '13.7': claim('Columns: the action, the task id.', log(ADMIN, KINDS)),
    '13.8': claim(
      'Columns: what came of submitting and the state, for administrators alone.',
      log(ADMIN, USERS, KINDS),
    ),
    '13.9': claim('Column: the progress as a bar.', log(ADMIN, USERS)),
    '13.10': claim('The bar of a failure has the colour of a warning.', log(ADMIN)),
    '13.11': claim('Column: the result, opened in a viewer of pictures.', log('shows pictures in place')),
    '13.12': claim('Columns: the prompt, the English prompt, why it failed.', log(ADMIN, TEXTS)),
    '13.13': claim('Prompts and reasons open a dialog that scrolls.', log(TEXTS)),
    '13.14': claim(
      'Administrators are told where callbacks are not on.',
      log(ADMIN, USERS, 'says nothing of callbacks'),
    ),
  },
}
