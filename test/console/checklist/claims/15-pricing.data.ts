// The price list.
import { claim, inFile, type Part } from '../claim.ts'

const pricing = inFile('console/pricing')

const WHOSE = 'tells whoever is signed in'
const COPIES = 'copies a name, and those'

export const part: Part = {
  title: '15. Pricing',
  claims: {
    '15.1': claim('A banner has the group of whoever is signed in, and its ratio.', pricing(WHOSE)),
    '15.2': claim('Nobody is warned that the default ratio holds.', pricing(WHOSE)),
    '15.3': claim('A banner has the formula of what a call costs.', pricing(WHOSE)),
    '15.4': claim(
      'Models are searched by what resembles their names.',
      pricing('finds models as one types', 'finds names by what fits'),
    ),
    '15.5': claim('A button copies the models that are selected.', pricing(COPIES)),
    '15.6': claim('Column: a tick where the group may use the model.', pricing(WHOSE)),
    '15.7': claim('Column: the name, copied by a click.', pricing(COPIES)),
    '15.8': claim('Column: how it is billed.', pricing(WHOSE)),
    '15.9': claim('Column: the groups, a click on one views its prices.', pricing(WHOSE)),
    '15.10': claim(
      'Columns: the ratios, the price.',
      pricing(WHOSE),
      inFile('http/pricing')('has what the viewer can call'),
    ),
    '15.11': claim('Help on the ratios opens a picture.', pricing('shows the formula as a picture')),
  },
}
