import { describeWithStorage, describeOnPostgres } from '../support/databases.ts'
import { logSuite } from './log-suite.ts'

describeWithStorage('the log store', (open) => logSuite(open))

describeOnPostgres('the log store, by month', (open) =>
  logSuite(async () => {
    const storage = await open()
    await storage.databaseLogs.months?.keep()
    return storage
  }),
)
