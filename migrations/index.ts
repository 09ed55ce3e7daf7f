// Every step of the database's history, in order. Append only.
import type { Migration } from './migration.ts'
import { users } from './0001-users.ts'
import { tokens } from './0002-tokens.ts'
import { channels } from './0003-channels.ts'
import { logs } from './0004-logs.ts'
import { ledger } from './0005-ledger.ts'
import { options } from './0006-options.ts'
import { sessions } from './0007-sessions.ts'
import { setups } from './0008-setups.ts'
import { installation } from './0009-installation.ts'
import { entryChain } from './0010-entry-chain.ts'
import { receiptKey } from './0011-receipt-key.ts'
import { limits } from './0012-limits.ts'
import { routing } from './0013-routing.ts'
import { audit } from './0014-audit.ts'
import { accounts } from './0015-accounts.ts'
import { payments } from './0016-payments.ts'
import { usage } from './0017-usage.ts'
import { tasks } from './0018-tasks.ts'
import { logIndex } from './0019-log-index.ts'
import { warnedTime } from './0020-warned-time.ts'
import { keptResponses } from './0021-kept-responses.ts'
import { usageIndex } from './0022-usage-index.ts'
import { keptAnswers } from './0023-kept-answers.ts'
import { exactAmounts } from './0024-exact-amounts.ts'
import { knownBrowsers } from './0025-known-browsers.ts'
import { chainKeys } from './0026-chain-keys.ts'
import { nameLooks } from './0027-name-looks.ts'
import { accessTokens } from './0028-access-tokens.ts'
import { amountChecks } from './0029-amount-checks.ts'
import { payers } from './0030-payers.ts'
import { logOperation } from './0031-log-operation.ts'
import { channelHours } from './0032-channel-hours.ts'
import { channelTests } from './0033-channel-tests.ts'
import { usageSums } from './0034-usage-sums.ts'
import { logFilterOperation } from './0035-log-filter-operation.ts'
import { priceChanges } from './0036-price-changes.ts'
import { versions } from './0037-versions.ts'
import { usageDays } from './0038-usage-days.ts'
import { deviceRequests } from './0039-device-requests.ts'
import { memberVersions } from './0040-member-versions.ts'
import { loginServiceVersions } from './0041-login-service-versions.ts'
import { logFilterTokens } from './0042-log-filter-tokens.ts'
import { usageDayTimes } from './0043-usage-day-times.ts'
import { usageTotalDays } from './0044-usage-total-days.ts'
import { taskData } from './0045-task-data.ts'
import { usageScope } from './0046-usage-scope.ts'
import { openTasks } from './0047-open-tasks.ts'
import { slugs } from './0048-slugs.ts'
import { managed } from './0049-managed.ts'
import { imports } from './0050-imports.ts'
import { deadLetters } from './0051-dead-letters.ts'
import { alerts } from './0052-alerts.ts'
import { bodies } from './0053-bodies.ts'
import { journalPlaces } from './0054-journal-places.ts'
import { logPlaces } from './0055-log-places.ts'
import { forgotten } from './0056-forgotten.ts'
import { channelCharges } from './0057-channel-charges.ts'
import { teamDebts } from './0058-team-debts.ts'
import { teamInvitations } from './0059-team-invitations.ts'
import { channelAddress } from './0060-channel-address.ts'
import { ownedObjects } from './0061-owned-objects.ts'
import { keyDigests } from './0062-key-digests.ts'

export type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  users,
  tokens,
  channels,
  logs,
  ledger,
  options,
  sessions,
  setups,
  installation,
  entryChain,
  receiptKey,
  limits,
  routing,
  audit,
  accounts,
  payments,
  usage,
  tasks,
  logIndex,
  warnedTime,
  keptResponses,
  usageIndex,
  keptAnswers,
  exactAmounts,
  knownBrowsers,
  chainKeys,
  nameLooks,
  accessTokens,
  amountChecks,
  payers,
  logOperation,
  channelHours,
  channelTests,
  usageSums,
  logFilterOperation,
  priceChanges,
  versions,
  usageDays,
  deviceRequests,
  memberVersions,
  loginServiceVersions,
  logFilterTokens,
  usageDayTimes,
  usageTotalDays,
  taskData,
  usageScope,
  openTasks,
  slugs,
  managed,
  imports,
  deadLetters,
  alerts,
  bodies,
  journalPlaces,
  logPlaces,
  forgotten,
  channelCharges,
  teamDebts,
  teamInvitations,
  channelAddress,
  ownedObjects,
  keyDigests,
]
