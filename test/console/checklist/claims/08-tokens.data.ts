// Token management.
import { claim, inFile, type Part } from '../claim.ts'

const tokens = inFile('console/tokens')
const said = inFile('console/token-words.long')

export const part: Part = {
  title: '8. Token management',
  claims: {
    '8.1': claim('A banner says that tokens cannot control usage precisely.', said('says above the list')),
    '8.2': claim('It says that they are for oneself, and not to be given to others.', said('says above the list')),
    '8.3': claim('Searched by keyword.', tokens('searches on Enter')),
    '8.4': claim(
      'Searched by key.',
      said('finds tokens by their key'),
      inFile('core/tokens/handlers')('is found by part of its name'),
    ),
    '8.5': claim(
      'Has a table with name, state, quota and times.',
      tokens('shows tokens with their state'),
      said('has a word and a colour'),
    ),
    '8.6': claim(
      'Tokens are made in a panel.',
      tokens('makes several tokens', 'makes a token of a team'),
      said('offers the usual ends and quotas'),
    ),
    '8.7': claim('Tokens are changed in a panel.', tokens('changes a token and shows')),
  },
}
