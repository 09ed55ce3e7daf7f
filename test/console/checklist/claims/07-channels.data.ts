// Channel management.
import { claim, inFile, type Part } from '../claim.ts'

const channels = inFile('console/channels')
const list = inFile('console/channel-list.long')
const options = inFile('console/channel-options')

const MAKES = 'makes a channel: checks name'
const OPENS = 'opens the panel of a channel'
const TAGS = 'groups channels by tag'
const SEVERAL = 'does to several at once'
const LEFT = 'begins as it was left'
const SEARCH = 'is searched by keyword, group and model'

export const part: Part = {
  title: '7. Channel management',
  claims: {
    '7.1': claim('Searched by keyword.', options(SEARCH), channels('searches, sorts by id')),
    '7.2': claim('Searched by group.', options(SEARCH), list('narrows the list down by chips')),
    '7.3': claim('Searched by model.', options(SEARCH)),
    '7.4': claim('Has a table.', channels('shows state, reason and speed')),
    '7.5': claim('Channels are made in a side panel.', channels(MAKES)),
    '7.6': claim('Channels are changed in a side panel.', channels(OPENS)),
    '7.7': claim('The channels of a tag are changed in a panel.', list(TAGS)),
    '7.8': claim('A dialog says which columns are shown.', channels('searches, sorts by id'), options(LEFT)),
    '7.9': claim('A dialog gives several channels a tag.', list(SEVERAL)),
    '7.10': claim('A dialog lets one choose the model that is tested.', channels('tests a channel, with the model')),
    '7.11': claim('Rows that are out of use are shaded.', channels('shows state, reason and speed')),
    '7.12': claim(
      'Sorting by id is an option that the browser remembers.',
      options(LEFT),
      channels('searches, sorts by id'),
    ),
    '7.13': claim('Tag mode is an option that the browser remembers.', options(LEFT), list(TAGS)),
    '7.14': claim(
      'Choosing and deleting several is an option that the browser remembers.',
      options(LEFT),
      list(SEVERAL),
    ),
  },
}
