import { describeBothDatabases } from '../support/databases.ts'
import { logSuite } from './log-suite.ts'

describeBothDatabases('the log store', (open) => logSuite(open))
