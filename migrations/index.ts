// Every step of the database's history, in order: the schema of release 0.1.0, and what was changed since.
import type { Migration } from './migration.ts'
import { release010Steps } from './release-0.1.0/index.ts'
import { accountAndLedgerSteps } from './since-0.1.0/accounts-and-ledger.ts'
import { administrationSteps } from './since-0.1.0/administration.ts'
import { answerAndTaskSteps } from './since-0.1.0/answers-and-tasks.ts'
import { channelAndTokenSteps } from './since-0.1.0/channels-and-tokens.ts'
import { logAndUsageSteps } from './since-0.1.0/log-and-usage.ts'
import { userSteps } from './since-0.1.0/users.ts'

export type { Migration } from './migration.ts'
export { RELEASE_0_1_0 } from './release-0.1.0/index.ts'

/** Grouped by feature, and taken in the order of their numbers. */
const stepsSince010 = [
  ...accountAndLedgerSteps,
  ...administrationSteps,
  ...answerAndTaskSteps,
  ...channelAndTokenSteps,
  ...logAndUsageSteps,
  ...userSteps,
].toSorted((one, other) => (one.name < other.name ? -1 : 1))

export const migrations: readonly Migration[] = [...release010Steps, ...stepsSince010]
