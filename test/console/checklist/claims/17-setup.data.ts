// The wizard of the first run.
import { claim, inFile, type Part } from '../claim.ts'

const home = inFile('console/home-setup.long')
const server = inFile('http/setup')

const LEADS = 'leads a new server'
const MISSING = 'asks only for what is missing'
const MODES = 'explains the modes of use'

export const part: Part = {
  title: '17. Setup wizard',
  claims: {
    '17.1': claim('Warns where the database is SQLite, and only there.', home(LEADS, MISSING)),
    '17.2': claim('Has a part for the account of the administrator.', home(LEADS), server('is set up with the code')),
    '17.3': claim('That part is hidden where the account is there already.', home(MISSING)),
    '17.4': claim('The mode of use is one of three: for others, for oneself, a demo.', home(MODES)),
    '17.5': claim('A dialog explains the modes.', home(MODES)),
    '17.6': claim('A button initializes.', home(LEADS), server('is set up with the code')),
  },
}
