// The footer.
import { claim, inFile, type Part } from '../claim.ts'

export const part: Part = {
  title: '20. Footer',
  claims: {
    '20.1': claim('Says what runs here.', inFile('console/site-pages.long')('says what runs here, until')),
    '20.2': claim(
      'Says instead what the operator wrote as HTML, of which nothing runs.',
      inFile('console/site-pages.long')('says what runs here, until'),
      inFile('console/shell')('shows the badge of the site'),
    ),
  },
}
